#!/bin/sh
# simttutor-metrics.7 is what the tables say today.
echo 1..1
new=$(mktemp) || exit 99
trap 'rm -f "$new"' EXIT
if "$top_builddir/man/metrics-man" > "$new" && cmp -s "$new" "$top_srcdir/man/simttutor-metrics.7"; then
	echo "ok 1 - simttutor-metrics.7 is current"
else
	diff -u "$top_srcdir/man/simttutor-metrics.7" "$new" | sed 's/^/# /'
	echo "not ok 1 - simttutor-metrics.7 is stale: run make man-metrics"
fi
