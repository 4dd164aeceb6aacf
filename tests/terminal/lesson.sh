#!/bin/sh
# A reader walks through the lesson Bank conflicts.
. "${top_srcdir:=.}/tests/terminal/lib.sh" || exit 99

walk() {
	term_open "$1" "$2"
	size="$1x$2"
	learn
	expect "$size: the list" '10  Bank conflicts'
	keys '?'
	expect "$size: the keys of the list" 'leave the tutor'
	keys x
	expect_gone "$size: any key closes them" 'leave the tutor'
	keys Enter
	expect "$size: the first step" 'Bank conflicts 1/7'
	expect "$size: its bank map" '^│.*  1  0123\|wavefront 1  *0 *1'
	expect "$size: its predicted number" 'wavefronts / request  *1 '
	keys n
	expect "$size: the second step" 'Bank conflicts 2/7  Two lanes'
	expect "$size: two wavefronts" '2 wavefronts, ideal 1'
	keys Right
	expect "$size: the parameter turned" 'stride ◂ 3 words ▸'
	expect "$size: and the map with it" '1 wavefront, ideal 1'
	keys Left Left
	expect "$size: and back" 'stride ◂ 1 word ▸'
	keys r
	expect "$size: the step's own value" 'stride ◂ 2 words ▸'
	keys v
	expect "$size: the source" '22 ▸ *sum +='
	keys V
	expect "$size: the banks again" '─ banks · line'
	keys z
	expect_gone "$size: the view alone" 'wavefronts / request'
	expect "$size: it fills the screen" '^┌─ banks · line'
	expect "$size: what waits in the text" 'a: a question'
	keys z
	expect "$size: the text alone" 'z: banks'
	keys z
	expect "$size: both" 'wavefronts / request'
	keys g 4 Enter
	expect "$size: a step by its number" 'Bank conflicts 4/7'
	keys / 'b' 'r' 'o' 'a' 'd'
	expect "$size: what is searched for" 'search the course'
	keys Escape
	expect_gone "$size: given up" 'search the course'
	keys g 2 Enter
	expect "$size: the second step again" 'Bank conflicts 2/7'
	keys '>'
	expect "$size: the first moment" 'paused 1 of 2'
	expect "$size: the first wavefront" 'wavefront 1 of 2: lanes 0–15'
	keys .
	expect "$size: played to its end" '2 wavefronts, ideal 1'
	keys x
	expect "$size: a lane is pointed at" 'Lane 0 wants word 0, bank 0, wavefront 1 of 2'
	keys Right Right
	expect "$size: another" 'Lane 1 wants word 2, bank 2'
	keys Tab Tab
	expect_gone "$size: on to the next pane" 'Lane 1 wants'
	keys Escape
	expect "$size: and at nothing" 'change  n p step'
	keys 7 Enter
	expect "$size: a wrong answer" '✗ 7 is not it'
	keys h
	expect "$size: a hint" 'Hint: '
	keys 4 Enter
	expect "$size: the right answer" '✓ 4 is right'
	expect "$size: proven by the map" '4 wavefronts, ideal 1'
	keys '?'
	expect "$size: the keys of the lesson" 'next value of the parameter'
	keys Escape
	expect_gone "$size: closed" 'next value of the parameter'
	keys n n n n
	expect "$size: the sweep" 'wavefronts / request by stride'
	keys n n
	expect "$size: the ending" 'Take away'
	expect "$size: what was answered" 'You answered 1 of 6'
	keys q
	expect "$size: the list with progress" '7/7 steps  1/6 answered'
	keys q
	expect_terminal_back "$size: quit"
	learn banks
	expect "$size: the lesson goes on where it was left" 'Bank conflicts 7/7'
	keys Q
	expect "$size: a clean end" 'status=0'
}

# What the terminal says of a mouse that moves there: ROW COLUMN.
hover() { keys -l "$(printf '\033[<35;%d;%dM' "$2" "$1")"; }

mouse() {
	cp "$top_srcdir/lessons/glossary.md" "$course/lessons/"
	term_open 80 24
	learn banks/2
	shows "the lesson, to its last row" '? help'
	hover "$(screen | grep -n 'wavefronts / request' | sed -n '1s/:.*//p')" 5
	expect "the mouse over a metric explains it" 'passes that one shared load'
	hover 1 1
	expect_gone "and elsewhere no longer" 'passes that one shared load'
	hover "$(screen | grep -n 'lane 1 word 2' | sed -n '1s/:.*//p')" 17
	expect "over a term, too" 'lane: the place of a thread'
	keys o Down Down Right Escape
	expect_gone "the mouse switched off" 'settings'
	until_ off_mouse
	report $? "is the terminal's"
	keys Q
}
off_mouse() { [ "$(tm display -p '#{mouse_any_flag}')" = 0 ]; }

welcome() {
	first_start=1
	term_open "$1" "$2"
	first_start=
	size="$1x$2"
	learn
	expect "$size: the first start" 'What a GPU.s warps really do'
	expect "$size: all of it" 'Enter begins'
	keys x
	expect "$size: any key shows the list" '10  Bank conflicts'
	keys Q
	expect "$size: a clean end of it" 'status=0'
	learn
	expect "$size: no first start again" '10  Bank conflicts'
	keys Q
}

welcome 80 24
welcome 160 50
walk 80 24
walk 160 50
mouse
finish
