#!/bin/sh
# protocol.md describes every type of message and every member that the readers of messages look for.
page=$top_srcdir/doc/protocol.md
n=0
result() {
	n=$((n + 1))
	if [ "$1" = 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; fi
}
members=0
for member in $(sed -n -e 's/.*wire_get_[a-z]*([^"]*"\([a-z_]*\)".*/\1/p' -e 's/.*get_[a-z]*(r, [^"]*"\([a-z_]*\)".*/\1/p' \
	-e 's/.*json_object_get([^"]*"\([a-z_]*\)".*/\1/p' "$top_srcdir"/src/wire/*.c | sort -u); do
	members=$((members + 1))
	grep -q "\`$member\`" "$page"
	result $? "member $member"
done
[ $members -ge 30 ]; result $? "all $members members were looked for"
types=0
for type in $(sed -n 's/^\t\[WIRE_[A-Z_]*\] = {"\([a-z_]*\)".*/\1/p' "$top_srcdir/src/wire/wire.c"); do
	types=$((types + 1))
	grep -qE "^(### |\`)$type\`?\$" "$page"
	result $? "message $type"
done
[ $types -ge 15 ]; result $? "all $types messages were looked for"
echo "1..$n"
