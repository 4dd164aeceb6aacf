#!/bin/sh
# However the program ends, the terminal is given back.
. "${top_srcdir:=.}/tests/terminal/lib.sh" || exit 99

start() {
	term_open 80 24
	learn banks/2
	shows "started" 'Bank conflicts 2/7'
}

for signal in TERM HUP QUIT USR1 USR2 ALRM; do
	start
	kill -s "$signal" "$(program)"
	shows "SIG$signal" 'status='
	case $signal in HUP) want=129 ;; QUIT) want=131 ;; TERM) want=143 ;; USR1) want=138 ;; USR2) want=140 ;; ALRM) want=142 ;; esac
	expect "SIG$signal: the exit status names it" "status=$want"
	expect_terminal_back "SIG$signal"
done

start
keys C-c
expect "^C ends it" 'status=130'
expect_terminal_back "^C"

# What no program survives: the terminal is restored from the handler. (Sanitizers report these themselves.)
if grep -q '^#define SIMT_SANITIZED' "$top_builddir/config.h" 2>/dev/null; then crashes=ABRT; else crashes='ABRT SEGV'; fi
for signal in $crashes; do
	start
	run_pid=$(program)
	kill -s "$signal" "$run_pid"
	shows "SIG$signal" 'status='
	expect_terminal_back "SIG$signal"
done

start
keys Right
shows "turned" 'stride ◂ 3'
keys C-z
expect_terminal_back "^Z"
run 'clear; fg'
expect "fg: the screen is drawn again" 'stride ◂ 3'
keys Right
expect "fg: keys arrive" 'stride ◂ 4'
kill -s STOP "$(program)"
shows "stopped from outside" 'shell>'
keys f g C-j # the shell finds the modes as the program had them: Enter is no end of line
expect "fg: drawn whole again" '^ ← → change.*? help$'
keys Right
expect "fg: keys arrive again" 'stride ◂ 5'
keys C-z
shows "stopped again" '^shell>'
resize 100 30
run 'clear; fg'
expect "resized while stopped: the new width is used" '─ banks · line .*─────────────┐$'
keys Q
expect_terminal_back "after all that"

# The terminal disappears under the program: it ends.
start
pid=$(program)
tm kill-server
gone() { ! kill -s 0 "$pid" 2>/dev/null; }
until_ gone
report $? "it ends with its terminal"
gone || kill "$pid"
finish
