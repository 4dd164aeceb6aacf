#!/bin/sh
# The committed man page is what the tables say today, and every page is sound mdoc.
echo 1..2
new=$(mktemp)
trap 'rm -f "$new"' EXIT
if sh "$top_srcdir/man/make-man" "$top_builddir/simttutor" "$top_srcdir/man/simttutor.1.in" >"$new" &&
	cmp -s "$new" "$top_srcdir/man/simttutor.1"; then
	echo "ok 1 - simttutor.1 is current"
else
	diff -u "$top_srcdir/man/simttutor.1" "$new" | sed 's/^/# /'
	echo "not ok 1 - simttutor.1 is stale: run make man"
fi
if [ "${MANDOC:-:}" = : ]; then
	echo "ok 2 # SKIP no mandoc"
elif complaints=$($MANDOC -T lint -W warning "$top_srcdir"/man/*.[0-9]) && [ -z "$complaints" ]; then
	echo "ok 2 - mandoc finds nothing to complain of"
else
	echo "$complaints" | sed 's/^/# /'
	echo "not ok 2 - mandoc finds nothing to complain of"
fi
