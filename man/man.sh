#!/bin/sh
# The committed man page is what the tables say today, and every page is sound mdoc.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
for page in simttutor.1 simttutor-gpu.1 simttutor-runtime.7; do
	sh "$top_srcdir/man/make-man" "$simttutor" "$top_srcdir/man/$page.in" > "$work/new" &&
		diff -u "$top_srcdir/man/$page" "$work/new" > "$work/out"
	report $? "$page is current (else: make man)"
done
if [ "${MANDOC:-:}" = : ]; then
	skip "mandoc finds nothing to complain of" "no mandoc"
else
	report_none "mandoc finds nothing to complain of" "$($MANDOC -T lint -W warning "$top_srcdir"/man/*.[0-9] 2>&1)"
fi
finish
