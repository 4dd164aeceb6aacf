#!/bin/sh
# The model's occupancy against the driver's (tests/gpu/occupancy.c), and what `run --live` makes of the registers that the
# driver reports. Prints TAP. Needs a GPU. Usage: occupancy.sh SOURCE BUILD
top_srcdir=${1:-${top_srcdir:-.}} top_builddir=${2:-${top_builddir:-.}}
. "$top_srcdir/tests/tap.sh" || exit 99
"$top_builddir/tests/gpu/occupancy" > "$work/tap"
program=$?
grep -v '^1\.\.' "$work/tap"
tap_count=$(grep -cE '^(not )?ok ' "$work/tap")

capture_all "$simttutor" run "$top_srcdir/tests/run/matmul.ptx" --grid 2,2 --block 16,16 --arg s32:32 --arg 's32[1024]:iota' \
	--arg 's32[1024]:iota' --arg 's32[1024]' --live
grep -E '^    registers +[0-9]+ blocks +[0-9]+ per thread \(NVIDIA' "$work/out" > "$work/registers"
found=$?
report $found "run --live takes the registers from the GPU"
note "$(cat "$work/registers")"
finish
exit $((program + found))
