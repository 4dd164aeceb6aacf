#!/bin/sh
# Every .c and .h file of src, tests and man is as clang-format 14 writes it by .clang-format. Skipped where only another
# version is installed: versions differ in details.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
cd "$top_srcdir" || exit 99
format=
for candidate in clang-format-14 clang-format; do
	case $("$candidate" --version 2>/dev/null) in *"version 14."*) format=$candidate ;; esac
	[ -z "$format" ] || break
done
[ -n "$format" ] || skip_all "clang-format 14 is not installed"
wrong=$(find src tests man -name '*.[ch]' -exec "$format" --dry-run -Werror {} + 2>&1 | sed -n 's/:.*error: code should be.*//p' | sort -u |
	sed 's/^/clang-format -i /')
report_none "every C file is formatted by .clang-format" "$wrong"
finish
