#!/bin/sh
# simttutor-gpu.1 describes every type of message with its members and every option. Its error codes are made from
# their table: see man.sh.
page=$top_srcdir/man/simttutor-gpu.1
n=0
result() {
	n=$((n + 1))
	if [ "$1" = 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; fi
}
# Whatever the readers of messages look for, by its name.
members=0
for member in $(sed -n -e 's/.*wire_get_[a-z]*([^"]*"\([a-z_]*\)".*/\1/p' -e 's/.*get_[a-z]*(r, [^"]*"\([a-z_]*\)".*/\1/p' \
	-e 's/.*json_object_get([^"]*"\([a-z_]*\)".*/\1/p' "$top_srcdir"/src/wire/*.c | sort -u); do
	members=$((members + 1))
	grep -qE "^\.(It )?Cm $member( |\$)" "$page"
	result $? "member $member"
done
[ $members -ge 30 ]; result $? "all $members members were looked for"
for type in $(sed -n 's/^\t\[WIRE_[A-Z_]*\] = {"\([a-z_]*\)".*/\1/p' "$top_srcdir/src/wire/wire.c"); do
	grep -q "^\.It Cm $type\$" "$page"
	result $? "message $type"
done
for option in $(grep -o '{"[a-z]*", [a-z]*_argument' "$top_srcdir/src/worker/main.c" | sed 's/{"\([a-z]*\)".*/\1/'); do
	grep -q "^\.It Fl . .*Fl -$option" "$page"
	result $? "option $option"
done
echo "1..$n"
