#!/bin/sh
# The parameters of the model of time, src/model/timings.def, are what tests/time/timings.awk reads off the recordings of a GPU, none of
# which is of a launch that the model is judged by.
src=${top_srcdir:-.}
h200=$src/tests/time/h200
echo 1..2
if awk -f "$src/tests/time/timings.awk" "$h200/micro.tsv" "$h200/pipes.tsv" "$h200/fit.tsv" | diff - "$src/src/model/timings.def" | sed 's/^/# /' |
	grep .; then
	echo "not ok 1 - timings.def is made from the recordings"
	echo "# make timings"
else
	echo "ok 1 - timings.def is made from the recordings"
fi
# what it reads is of tests/time/micro.cu, which the judging set has no kernel of
if awk -F'\t' '$1 == 0 && $2 !~ /^fit tests\/time\/micro\.ptx /' "$h200/fit.tsv" | grep . || grep 'micro\.ptx' "$src/tests/time/judge"; then
	echo "not ok 2 - no launch is in both sets"
else
	echo "ok 2 - no launch is in both sets"
fi
