#!/bin/sh
# simttutor-lesson.5 describes every key that the reader of lessons knows, and lints.
page=$top_srcdir/man/simttutor-lesson.5
keys=$(sed -n 's/{"\([a-z]*\)", \(true\|false\), /\n@\1 \2\n/gp' "$top_srcdir"/src/lesson/*.c | sed -n 's/^@//p' | sort -u)
n=0
echo "$keys" | {
	while read -r key required; do
		n=$((n + 1))
		star=
		[ "$required" = true ] && star=' No \*'
		if grep -q "^\.It Ic $key$star\$" "$page"; then
			echo "ok $n - $key"
		else
			echo "not ok $n - $key ($required) is not described"
		fi
	done
	n=$((n + 1))
	faults=
	if command -v "$MANDOC" > /dev/null && [ "$MANDOC" != : ]; then
		# Whether our other pages are installed is not this page's fault.
		faults=$("$MANDOC" -Tlint "$page" | grep -v 'referenced manual not found')
		[ -z "$faults" ] || echo "$faults" | sed 's/^/# /'
	fi
	[ -z "$faults" ] && echo "ok $n - lint" || echo "not ok $n - lint"
	echo "1..$n"
	[ "$n" -gt 20 ] || echo "Bail out! the tables of keys were not found"
}
