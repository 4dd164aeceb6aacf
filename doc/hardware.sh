#!/bin/sh
# Every finding of hardware.md names a check of tests/gpu/all.sh, a campaign of validate or `lesson check`, or says that it was made by hand.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
page=$top_srcdir/doc/hardware.md
checks=" $(sed -n 's/^\t\t\([a-z]*\): .*/\1/p' "$top_srcdir/tests/gpu/all.sh" | tr '\n' ' ')"
campaigns=" $("$simttutor" validate no-campaign 2>&1 | sed -n 's/.*there is \([a-z]*,\)/\1/; s/ or / /; s/,//gp' | head -n 1) "
for name in $(grep -oE '\[[a-z, ]*(\]|$)' "$page" | tr -d '[]' | tr ',' '\n' | sed 's/^ *//; s/ *$//; s/ /_/g' | sort -u); do
	case $name in
	by_hand | validate | lesson_check) continue ;;
	validate_*) list=$campaigns one=${name#validate_} ;;
	*) list=$checks one=$name ;;
	esac
	case $list in *" $one "*) report 0 "[$name] is there" ;; *) report 1 "[$name] is there" ;; esac
done
[ "$tap_count" -ge 10 ]; report $? "the findings name checks"
finish
