#!/bin/sh
# Launches of whole programs that were kept where there is no GPU (pack.sh), on this one: the same bytes as the machine's, with counters
# beside predictions. Prints TAP. Usage: live.sh SOURCE BUILD
top_srcdir=${1:-${top_srcdir:-.}} top_builddir=${2:-${top_builddir:-.}}
. "$top_srcdir/tests/tap.sh" || exit 99
ls "$top_srcdir"/launches/*/*.launch > /dev/null 2>&1 || skip_all "no launches were packed"
for file in "$top_srcdir"/launches/*/*.launch; do
	name=${file#"$top_srcdir/launches/"}
	capture "$simttutor" run "$file" --live
	if printed err 'it cannot be launched on a GPU from here'; then
		skip "$name" "$(sed -n 's/.*from here: //p' "$work/err" | head -n 1)"
		continue
	fi
	[ "$status" = 0 ] && printed out 'every buffer is bit for bit'
	report $? "$name"
	case $name in
	pointers/*) # its memory has addresses
		printed out 'at the addresses that they have here'
		report $? "$name: where the machine has its memory"
		;;
	esac
	note "$(grep -cE ' = ' "$work/out") rows as predicted, $(grep -cE ' ≠ ' "$work/out") not"
	grep -E ' ≠ ' "$work/out" | sed 's/^/# /'
done
finish
