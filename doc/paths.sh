#!/bin/sh
# Files and names of the code that HACKING.md, README.md, doc/*.md and the READMEs of src/ mention are there: paths
# in the tree, in src/ or in the page's own folder, and bare names anywhere in it.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
cd "$top_srcdir" || exit 99
find src tests kernels lessons man doc -type f | sed 's|.*/||' | sort -u > "$work/names"
for page in HACKING.md README.md doc/*.md $(find src -name README.md | sort); do
	missing=$(grep -oE '[A-Za-z0-9_-][A-Za-z0-9_./-]*\.(c|h|def|sh|md|mk)\b' "$page" | sort -u | while read -r name; do
		case $name in
		*NAME* | *KIND* | *GROUP* | *NN-* | kernel.c* | cuda_*.h | cupti_*.h | cooperative_groups.h) continue ;; # placeholders, and NVIDIA's
		esac
		[ -e "$name" ] || [ -e "src/$name" ] || [ -e "${page%/*}/$name" ] || grep -qx "$name" "$work/names" || echo "$name"
	done)
	report_none "$page names files that are there" "$missing"
	unknown=$(grep -oE '`[A-Za-z]+_[A-Za-z_0-9]+(\[\])?`' "$page" | tr -d '`[]' | sort -u | while read -r name; do
		case $name in
		*NAME* | *KIND* | *GROUP* | cuda_* | *__*) continue ;;
		esac
		grep -rqF "$name" src tests kernels configure.ac m4 || echo "$name"
	done)
	report_none "$page uses names that are there" "$unknown"
done
report_none "HACKING.md lists every folder of src" "$(for folder in $(find src -mindepth 2 -name '*.c' | sed 's|/[^/]*$||' | sort -u); do
	grep -qE "^ {4}([a-z]+/)? *$(basename "$folder")/? |$(echo "$folder" | sed -n 's|^src/runtime/||p')" HACKING.md || echo "$folder"
done)"
lines=$(wc -l < HACKING.md)
[ "$lines" -le 145 ]; report $? "HACKING.md has at most 145 lines"
finish
