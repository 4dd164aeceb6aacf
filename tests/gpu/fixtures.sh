#!/bin/sh
# Every fixture of tests/ptx that must succeed, run on the GPU and on the machine: buffers equal bit for bit, those of
# `expect-near` within what the fixture says, those of `no-gpu N` not at all. Prints TAP. Needs a GPU. Usage: fixtures.sh SOURCE BUILD
top_srcdir=${1:-${top_srcdir:-.}} top_builddir=${2:-${top_builddir:-.}}
. "$top_srcdir/tests/tap.sh" || exit 99

show_failure() { grep -v '^[][{} ]*$' "$work/out" | grep -E 'simttutor:|differ|first|message' | head -n 6 | cut -c 1-200 | sed 's/^/# /'; }

# near FILE: every difference of the last run is in a float buffer that FILE expects to be near, and no larger than it says, or in one
# that is not compared.
near() {
	k=0
	while argument=$(at live.differences.$k.argument); do
		k=$((k + 1))
		grep -q "^// no-gpu $argument:" "$1" && continue
		bound=$(sed -n "s/^\/\/ expect-near $argument \([^:]*\):.*/\1/p" "$1")
		largest=$(at live.differences.$((k - 1)).largest_difference)
		[ -n "$bound" ] && awk -v a="$largest" -v b="$bound" 'BEGIN { exit !(a != "null" && a + 0 <= b + 0) }' || return 1
	done
	[ $k -gt 0 ]
}

for file in "$top_srcdir"/tests/ptx/*.ptx; do
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
			grid | block | cluster | shared) set -- "$@" "--$word" ;;
			*) set -- "$@" "$word" ;;
			esac
		done ;;
		esac
	done
	if grep -q '^// no-gpu:' "$file"; then
		skip "${file##*/}" "$(sed -n 's/^\/\/ no-gpu: //p' "$file")"
	elif capture_all "$simttutor" run "$file" "$@" --check none --live --format json; then
		pass "${file##*/}"
	else
		near "$file"
		report $? "${file##*/}, near"
	fi
done
finish
