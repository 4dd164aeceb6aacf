#!/bin/sh
# Every fixture of tests/ptx that must succeed, run on the GPU and on the machine: buffers equal bit for bit. Prints TAP. Needs
# a GPU. Usage: fixtures.sh SOURCE BUILD
source=${1:-${top_srcdir:-.}}
build=${2:-${top_builddir:-.}}
n=0
out=$(mktemp)
trap 'rm -f "$out"' EXIT
for file in "$source"/tests/ptx/*.ptx; do
	grep -q '^// expect-' "$file" && continue
	launch=$(sed -n 's/^\/\/ launch: //p' "$file" | head -n 1)
	[ -n "$launch" ] || continue
	# "grid 1 block 8 shared 16; arg A; arg B" becomes --grid 1 --block 8 --shared 16 --arg A --arg B
	set --
	while [ -n "$launch" ]; do
		part=${launch%%;*}
		case $launch in *\;*) launch=${launch#*;} ;; *) launch= ;; esac
		part=${part# }
		case $part in
		arg\ *) set -- "$@" --arg "${part#arg }" ;;
		*) for word in $part; do
			case $word in
			grid | block | shared) set -- "$@" "--$word" ;;
			*) set -- "$@" "$word" ;;
			esac
		done ;;
		esac
	done
	n=$((n + 1))
	if "$build/simttutor" run "$file" "$@" --live --format json >"$out" 2>&1; then
		echo "ok $n - ${file##*/}"
	else
		grep -v '^[][{} ]*$' "$out" | grep -E 'simttutor:|differ|first|message' | head -n 6 | sed 's/^/# /'
		echo "not ok $n - ${file##*/}"
	fi
done
echo "1..$n"
