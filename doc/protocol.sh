#!/bin/sh
# protocol.md describes every type of message and every member that the readers of messages look for.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
page=$top_srcdir/doc/protocol.md
members=0
for member in $(sed -n -e 's/.*wire_get_[a-z]*([^"]*"\([a-z_]*\)".*/\1/p' -e 's/.*get_[a-z]*(r, [^"]*"\([a-z_]*\)".*/\1/p' \
	-e 's/.*json_object_get([^"]*"\([a-z_]*\)".*/\1/p' "$top_srcdir"/src/gpu/wire/*.c | sort -u); do
	members=$((members + 1))
	grep -q "\`$member\`" "$page"
	report $? "member $member"
done
[ $members -ge 30 ]; report $? "the readers of messages were found"
types=0
for type in $(sed -n 's/^WIRE_[A-Z]*(.*"\([a-z_]*\)".*/\1/p' "$top_srcdir/src/gpu/wire/messages.def"); do
	types=$((types + 1))
	grep -qE "^(### |\`)$type\`?\$" "$page"
	report $? "message $type"
done
[ $types -ge 15 ]; report $? "the types of messages were found"
finish
