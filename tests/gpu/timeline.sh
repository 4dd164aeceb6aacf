#!/bin/sh
# Live timelines and samples on the GPU: tests/gpu/timeline.c says what must hold, and prints what stamps cost; then the
# program draws them. Prints TAP. Needs a GPU.
# Usage: timeline.sh SOURCE BUILD
top_srcdir=${1:-${top_srcdir:-.}} top_builddir=${2:-${top_builddir:-.}}
. "$top_srcdir/tests/tap.sh" || exit 99
"$top_builddir/tests/gpu/timeline" --source "$top_srcdir" --worker "$worker" >"$work/out"
grep -v '^1\.\.' "$work/out"
tap_count=$(grep -cE '^(not )?ok ' "$work/out")
if grep -q '^Bail out' "$work/out"; then exit 1; fi

for view in blocks schedule mask; do
	capture_all "$simttutor" probe "$top_srcdir/tests/run/divergent.ptx" --grid 100 --block 128 --arg 'u32[12800]:random@5' \
		--arg 'u32[25600]' --arg u32:12780 --live --view $view && has live
	report $? "simttutor probe --live --view $view"
done
finish
