#!/bin/sh
# Terminals with and without colors, with and without UTF-8.
. "${top_srcdir:=.}/tests/terminal/lib.sh" || exit 99
esc=$(printf '\033')

open() {
	term_open 80 24 "$@"
	learn banks/2
}
count_colors() { screen_attributes | grep -c "$esc\[[0-9;]*$1"; }

for term in screen-256color xterm-256color xterm screen linux vt100 vt220; do
	open TERM=$term
	expect "TERM=$term: drawn" '2 wavefronts, ideal 1'
	keys Right
	expect "TERM=$term: an arrow key" 'stride ◂ 3'
	keys Q
	expect_terminal_back "TERM=$term"
done

open
shows "colors" '2 wavefronts, ideal 1'
[ "$(count_colors '38;5;')" -gt 5 ]
report $? "256 colors are used"
open TERM=screen
shows "8 colors" '2 wavefronts, ideal 1'
[ "$(count_colors '3[1-7]')" -gt 3 ] && [ "$(count_colors '38;5;')" -eq 0 ]
report $? "8 colors are used"
open NO_COLOR=1
shows "no colors" '2 wavefronts, ideal 1'
[ "$(count_colors '38;5;')" -eq 0 ] && [ "$(count_colors '3[0-7][;m]')" -eq 0 ]
report $? "NO_COLOR is honored"
[ "$(count_colors '[17][;m]')" -gt 0 ]
report $? "attributes carry the meaning"

open LC_ALL=C
expect "ASCII: drawn" '2 wavefronts, ideal 1'
expect "ASCII: arrows" 'stride < 2 words >'
! screen | LC_ALL=C grep -q '[^ -~]'
report $? "ASCII: nothing else"
keys Q

term_open 80 24 TERM=dumb
run 'clear; simttutor learn; echo status=$?'
expect "TERM=dumb: line by line" 'line by line. help lists'
keys l i s t Enter
expect "TERM=dumb: the list" 'Bank conflicts'
keys q u i t Enter
expect "TERM=dumb: fine" 'status=0'
# Where progress cannot be kept a notice says so, and the session goes on.
echo >"$work/no-folder"
term_open 80 24 XDG_STATE_HOME="$work/no-folder"
learn banks/1
shows "progress that cannot be written: said" "Progress is not kept: $(printf '%.12s' "$work")"
keys n
expect "and the lesson goes on" 'Bank conflicts 2/7'
keys Q
term_open 80 24 TERM=no-such-terminal
run 'clear; simttutor learn; echo status=$?'
expect "an unknown terminal: what is wrong" 'no-such-terminal'
expect "an unknown terminal: exit status" 'status=3'
finish
