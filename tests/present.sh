#!/bin/sh
# simttutor present --commands without a terminal: what it prints, what is refused how, and that nobody's progress is read or written.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
LC_ALL=C.UTF-8
export LC_ALL
XDG_STATE_HOME=$work/state XDG_DATA_HOME=$work/data XDG_CONFIG_HOME=$work/config
export XDG_STATE_HOME XDG_DATA_HOME XDG_CONFIG_HOME

# talk COMMANDS ARGUMENTS...: the commands, each on a line.
talk() {
	printf '%s\n' "$1" > "$work/talk"
	shift
	capture "$simttutor" --gpu none present --commands "$work/talk" "$@" < /dev/null
}

talk 'show
next 3
count B 12
count a 3
show
reveal
show' banks
ends 0 && [ "$(grep -c 'Bank conflicts 1/7' "$work/out")" = 3 ]
report $? "three slides"
[ "$(grep -c 'bank 5 .* 12$' "$work/out")" = 1 ]
report $? "hands beside their answer"
[ "$(grep -c '✓ bank 5' "$work/out")" = 1 ]
report $? "the right one is marked when it is revealed, and not before"

talk 'set stride=4
show' banks/2
printed out 'Covered until the answer is revealed'
report $? "what answers a question is covered"
talk 'set stride=4
reveal
show' banks/2 --size 120x36
ends 0 && ! printed out 'Covered until' && printed out '✓ 4' && printed out 'wavefronts / req'
report $? "and there once it is revealed, at the size that was asked for"
talk 'key 3 Enter Space
zoom
show
quit
show' banks
[ "$(grep -c 'Bank conflicts 3/7' "$work/out")" = 1 ]
report $? "keys, actions of a lesson, and the end"
talk 'wait 3600
next' banks
ends 0
report $? "nobody waits where nobody looks"
printf 'goto 2\nshow\n' | capture "$simttutor" --gpu none present --commands - banks
printed out 'Bank conflicts 2/7'
report $? "a script from standard input"

# Not one word of the lecturer's own.
mkdir -p "$work/state/simttutor" "$work/data/simttutor/exercises"
echo '{"format": 1, "lessons": {"banks": {"step": 3, "answered": ["one-word-for-each-lane"]}}}' > "$work/state/simttutor/progress.json"
find "$work/state" "$work/data" "$work/config" -type f -exec cksum {} + > "$work/before" 2> "$work/null"
talk 'show
next 20
show' banks
printed out '1/7' && find "$work/state" "$work/data" "$work/config" -type f -exec cksum {} + 2> "$work/null" | cmp -s - "$work/before"
report $? "the lecturer's own progress is neither shown nor changed"

# --- what is refused -------------------------------------------------------------------------------------------------
talk 'next
nxt
wait long' banks
ends 2 && printed err 'talk:2: there is no command' && printed err "talk:3: 'wait' takes a number of seconds" && [ ! -s "$work/out" ]
report $? "all faults of a script, before anything is shown"
talk 'show
count A 3
show' banks
ends 1 && printed err 'talk:2: There is no vote now.' && [ "$(grep -c 'Bank conflicts' "$work/out")" = 1 ]
report $? "the first command that cannot be carried out ends it"
talk 'set stride=5000' banks
ends 1 && printed err 'talk:1: '
report $? "a parameter's value that it does not take"
talk 'goto 99' banks
ends 1 && printed err 'no such slide'
report $? "a slide that there is not"
capture "$simttutor" present --commands "$work/nothing" banks < /dev/null
ends 3
report $? "no such script"
capture "$simttutor" present banks < /dev/null
ends 3 && printed err 'needs a terminal; use --commands'
report $? "no terminal, and no script"
capture "$simttutor" present < /dev/null
ends 2 && printed err 'which lesson'
report $? "no lesson"
capture "$simttutor" present --minutes 0 banks < /dev/null
ends 2
report $? "no time"
head -c 2000000 /dev/zero | tr '\0' 'n' > "$work/talk"
capture "$simttutor" present --commands "$work/talk" banks < /dev/null
ends 3
report $? "a script that is too long"
printf 'key \033[31m\n' > "$work/talk"
capture "$simttutor" present --commands "$work/talk" banks < /dev/null
ends 2 && ! grep -q "$(printf '\033')" "$work/err"
report $? "what controls a terminal is shown as text"
finish
