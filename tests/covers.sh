#!/bin/sh
# What answers an open question cannot be read off the screen: tests/unit/test_cover.c, which asks every question of the course. It takes
# long, so half of the lessons are asked beside the other half.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
[ -x "$top_builddir/tests/unit/test_cover" ] || skip_all "tests/unit/test_cover is not built: cmocka is not there"
for half in 0 1; do
	(
		HALF=$half "$top_builddir/tests/unit/test_cover" > "$work/half$half" 2>&1
		echo $? > "$work/status$half"
	) &
done
wait
for half in 0 1; do
	cp "$work/half$half" "$work/out"
	read -r status < "$work/status$half"
	report "$status" "no open question is answered by the screen: half $half of the lessons"
	[ "$status" = 0 ] || show_failure
done
finish
