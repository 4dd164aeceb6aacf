#!/bin/sh
# Every fixture of tests/ptx that must succeed, run on the GPU and on the machine: buffers equal bit for bit, those of
# `expect-near` within what the fixture says, those of `no-gpu N` not at all. Prints TAP. Needs a GPU. Usage: fixtures.sh SOURCE BUILD
source=${1:-${top_srcdir:-.}}
build=${2:-${top_builddir:-.}}
n=0
out=$(mktemp)
trap 'rm -f "$out"' EXIT

# near FILE: every difference in $out is in a float buffer that FILE expects to be near, and no larger than it says, or in one
# that is not compared.
near() {
	k=0
	while argument=$("$build/tests/json-get" live.differences.$k.argument <"$out" 2>/dev/null); do
		k=$((k + 1))
		grep -q "^// no-gpu $argument:" "$1" && continue
		bound=$(sed -n "s/^\/\/ expect-near $argument \([^:]*\):.*/\1/p" "$1")
		largest=$("$build/tests/json-get" live.differences.$((k - 1)).largest_difference <"$out" 2>/dev/null)
		[ -n "$bound" ] && awk -v a="$largest" -v b="$bound" 'BEGIN { exit !(a != "null" && a + 0 <= b + 0) }' || return 1
	done
	[ $k -gt 0 ]
}

for file in "$source"/tests/ptx/*.ptx; do
	grep -qE '^// expect-(outcome|error)' "$file" && continue
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
	if grep -q '^// no-gpu:' "$file"; then
		echo "ok $n - ${file##*/} # SKIP $(sed -n 's/^\/\/ no-gpu: //p' "$file")"
	elif "$build/simttutor" run "$file" "$@" --check none --live --format json >"$out" 2>&1; then
		echo "ok $n - ${file##*/}"
	elif near "$file"; then
		echo "ok $n - ${file##*/}, near"
	else
		grep -v '^[][{} ]*$' "$out" | grep -E 'simttutor:|differ|first|message' | head -n 6 | sed 's/^/# /'
		echo "not ok $n - ${file##*/}"
	fi
done
echo "1..$n"
