#!/bin/sh
# simttutor-metrics.7 is what the tables say today.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
"$top_builddir/man/metrics-man" > "$work/new" && diff -u "$top_srcdir/man/simttutor-metrics.7" "$work/new" > "$work/out"
report $? "simttutor-metrics.7 is current (else: make man-metrics)"
finish
