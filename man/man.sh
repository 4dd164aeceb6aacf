#!/bin/sh
# The committed man page is what the tables say today, and every page is sound mdoc.
echo 1..3
new=$(mktemp)
trap 'rm -f "$new"' EXIT
n=0
for page in simttutor.1 simttutor-gpu.1; do
	n=$((n + 1))
	if sh "$top_srcdir/man/make-man" "$top_builddir/simttutor" "$top_srcdir/man/$page.in" >"$new" &&
		cmp -s "$new" "$top_srcdir/man/$page"; then
		echo "ok $n - $page is current"
	else
		diff -u "$top_srcdir/man/$page" "$new" | sed 's/^/# /'
		echo "not ok $n - $page is stale: run make man"
	fi
done
if [ "${MANDOC:-:}" = : ]; then
	echo "ok 3 # SKIP no mandoc"
elif complaints=$($MANDOC -T lint -W warning "$top_srcdir"/man/*.[0-9]) && [ -z "$complaints" ]; then
	echo "ok 3 - mandoc finds nothing to complain of"
else
	echo "$complaints" | sed 's/^/# /'
	echo "not ok 3 - mandoc finds nothing to complain of"
fi
