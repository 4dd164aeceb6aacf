#!/bin/sh
# simttutor-lesson.5 describes every key that the reader of lessons knows, and lints.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
page=$top_srcdir/man/simttutor-lesson.5
sed -n 's/READER_[A-Z]*("\([a-z]*\)", \(true\|false\),/\n@\1 \2\n/gp' "$top_srcdir"/src/course/lesson/*.c | sed -n 's/^@//p' | sort -u > "$work/keys"
[ "$(wc -l < "$work/keys")" -gt 20 ] || echo "Bail out! the tables of keys were not found"
while read -r key required; do
	star=
	[ "$required" = true ] && star=' No \*'
	grep -q "^\.It Ic $key$star\$" "$page"
	report $? "$key"
done < "$work/keys"
faults=
if command -v "${MANDOC:=:}" > /dev/null && [ "$MANDOC" != : ]; then
	# Whether our other pages are installed is not this page's fault.
	faults=$("$MANDOC" -Tlint "$page" | grep -v 'referenced manual not found')
fi
report_none lint "$faults"
finish
