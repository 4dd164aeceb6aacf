#!/bin/sh
# simttutor-gpu.1 describes every option. Its error codes are made from their table: see man.sh.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
page=$top_srcdir/man/simttutor-gpu.1
for option in $(grep -o '{"[a-z]*", [a-z]*_argument' "$top_srcdir/src/gpu/worker/main.c" | sed 's/{"\([a-z]*\)".*/\1/'); do
	grep -q "^\.It Fl . .*Fl -$option" "$page"
	report $? "option $option"
done
finish
