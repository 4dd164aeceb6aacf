#!/bin/sh
# simttutor-gpu.1 describes every option. Its error codes are made from their table: see man.sh.
page=$top_srcdir/man/simttutor-gpu.1
n=0
result() {
	n=$((n + 1))
	if [ "$1" = 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; fi
}
for option in $(grep -o '{"[a-z]*", [a-z]*_argument' "$top_srcdir/src/worker/main.c" | sed 's/{"\([a-z]*\)".*/\1/'); do
	grep -q "^\.It Fl . .*Fl -$option" "$page"
	result $? "option $option"
done
echo "1..$n"
