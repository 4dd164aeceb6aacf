#!/bin/sh
# Who may include whom (HACKING.md): a folder of src/ includes itself and what stands after its name here, nothing else; and
# only tui/ sees curses, only worker/ sees CUDA.
cd "$top_srcdir/src" || exit 99
rules='
base:
warp: base
launch: base
ptx: warp base
race: simt warp base
simt: race ptx warp base
probe: ptx wire launch model warp base
model: warp base
profile: simt ptx model launch warp base
validate: ptx model launch warp base
lesson: launch warp base
canvas: base
view: canvas model warp base
wire: launch base
gpu: wire launch base
experiment: lesson profile simt ptx model probe wire launch warp base
tutor: experiment lesson profile probe simt ptx model view canvas gpu wire launch warp base
debug: lesson profile simt ptx model launch warp base
screen: tutor debug ptx view canvas gpu wire lesson model warp base
tui: screen tutor debug canvas gpu base
worker: wire launch warp base
cmd: *
'
n=0 failed=0
for dir in */; do
	dir=${dir%/}
	n=$((n + 1))
	allowed=$(printf '%s\n' "$rules" | sed -n "s/^$dir://p")
	if [ -z "$(printf '%s\n' "$rules" | grep "^$dir:")" ]; then
		echo "not ok $n - $dir is in the list of folders"
		continue
	fi
	wrong=$(grep -nE '^#include "[a-z]+/' "$dir"/*.[ch] 2>/dev/null | while IFS= read -r line; do
		other=$(printf '%s\n' "$line" | sed 's/.*#include "\([a-z]*\)\/.*/\1/')
		[ "$other" = "$dir" ] && continue
		case " $allowed " in
		*" * "*) case $other in tui) printf '%s\n' "$line" | grep -v 'tui/tui.h"' ;; esac ;;
		*" $other "*) ;;
		*) printf '%s\n' "$line" ;;
		esac
	done)
	if [ -z "$wrong" ]; then
		echo "ok $n - $dir includes only what it may"
	else
		printf '%s\n' "$wrong" | sed 's/^/# /'
		echo "not ok $n - $dir includes only what it may"
	fi
done
only() { # FOLDER PATTERN WHAT
	n=$((n + 1))
	found=$(grep -rlE "^#include [<\"]$2" . | grep -v "^./$1/")
	if [ -z "$found" ]; then
		echo "ok $n - only $1 includes $3"
	else
		printf '%s\n' "$found" | sed 's/^/# /'
		echo "not ok $n - only $1 includes $3"
	fi
}
only tui '(n?curses|term)' curses
only worker '(cuda|cupti|nvperf)' "CUDA and CUPTI"
n=$((n + 1))
loose=$(for file in */*.[ch] */*.def; do
	grep -qF "src/$file" ../src/*/local.mk || echo "$file"
done)
if [ -z "$loose" ]; then
	echo "ok $n - every source is in a Makefile fragment"
else
	printf '%s\n' "$loose" | sed 's/^/# /'
	echo "not ok $n - every source is in a Makefile fragment"
fi
echo "1..$n"
