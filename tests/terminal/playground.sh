#!/bin/sh
# The playground on a terminal: an access as it is typed, measured, stepped and kept; a kernel that is edited in place.
. "${top_srcdir:=.}/tests/terminal/lib.sh" || exit 99
[ -x "$fake" ] || skip_all "tests/fake-worker is not built"

begin() { # COLS ROWS COMMAND
	term_open "$1" "$2" NVCC=: CLANG=: PTXAS=: "XDG_DATA_HOME='$work/data'" "XDG_CONFIG_HOME='$work/config'"
	run "clear; $3; echo status=\$?"
}

# Lines as a terminal pastes them, marked.
paste() {
	printf '%s\n' "$@" > "$work/lines"
	tm load-buffer "$work/lines"
	tm paste-buffer -p
}
lacks_two() { ! grep -q 'two' "$work/data/simttutor/playground/kernel.ptx"; }

walk() {
	rm -rf "$work/data"
	begin "$1" "$2" "simttutor --gpu \"command:exec '$fake' ok\" learn banks/2"
	shows "the lesson" 'stride ◂ 2 words'
	keys Right
	shows "turned" 'stride ◂ 3 words'
	paste QqP
	expect "$1x$2: what nothing takes when it is pasted is said" 'is taken where text is typed'
	keys /
	shows "a line to type in" 'search the course'
	paste 'bank' 'q'
	expect "a line takes the first one that is pasted" '▸ bank_'
	keys Escape
	expect_gone "it is closed" 'search the course'
	keys P
	expect "$1x$2: P opens the playground" 'one access of a warp'
	keys -l '*32'
	expect "what is typed is drawn" '32 wavefronts, ideal 1'
	expect "and explained" '32 words'
	paste '0+(' 'q'
	expect "what is pasted is inserted, and no key" 'lane\*320+(q'
	expect "with an error at its column" '^│  *^'
	keys C-u
	expect "which one undo takes back" '▸ lane\*32 '
	keys -l '+('
	expect "an error at its column" '^│  *^'
	expect "and the picture before it" '32 wavefronts, ideal 1'
	keys BSpace BSpace Tab Right
	expect "another space" 'global ▸'
	expect "and its picture" '32 sectors, ideal 4'
	keys Enter
	expect "it is kept" 'global ld 4  lane\*32'
	keys Escape
	expect "Esc ends typing" 'e type'
	keys m
	expect "m measures" 'live: Fake GPU'
	keys s
	expect "s steps the access" 'ld.global.u32 .*warp 0\|warp 0 of 1'
	keys q
	expect "and comes back" 'e type'
	keys x
	expect "it can be pointed at" 'Lane 0 wants'
	keys Escape
	expect_gone "Esc points no more" 'Lane 0 wants'
	keys e
	expect "e types again" 'Tab space, op'
	keys Escape
	shows "typing ends" 'e type'
	keys P
	expect "P turns to a kernel" 'kernel.ptx'
	expect "which is compiled and shown" 'stride ◂ 2 ▸'
	keys Down Down Home
	keys -l '// mine'
	keys Enter
	until_ grep -q '^// mine$' "$work/data/simttutor/playground/kernel.ptx"
	report $? "what is typed is written"
	paste '// one' '// two Q'
	until_ grep -q '^// two Q' "$work/data/simttutor/playground/kernel.ptx" && grep -q '^// one$' "$work/data/simttutor/playground/kernel.ptx"
	report $? "lines that are pasted are inserted"
	keys C-u
	until_ lacks_two
	report $? "and one undo takes them back"
	keys -l 'bad'
	expect "an error of the kernel" 'has errors'
	resize 60 16
	shows "smaller" 'kernel.ptx'
	resize "$1" "$2"
	keys C-u
	expect_gone "what was typed is taken back" 'has errors'
	keys Escape
	shows "typing of the kernel ends" 'e type'
	keys q
	expect "q goes back to the lesson" 'stride ◂ 3 words'
	keys Q
	expect "and Q leaves" 'status=0'
	expect_terminal_back "$1x$2"
	grep -q -x 'global ld 4 lane\*32' "$work/data/simttutor/playground/history"
	report $? "the expression is kept"
	run "clear; simttutor --gpu none play; echo status=\$?"
	expect "and is there the next time" '▸ lane\*32'
	keys Escape
	shows "typing ends there" 'e type'
	keys q
	expect "q leaves what was begun so" 'status=0'
}
walk 80 24
walk 160 50

# Keys that arrive at once.
begin 80 24 "simttutor --gpu none play"
shows "typing" 'Tab space, op'
keys Escape Escape
expect "Esc twice is two keys" 'status=0'
begin 80 24 "simttutor --gpu none play"
shows "typing" 'Tab space, op'
keys Escape Down Escape
expect "Esc and an arrow are two" 'status=0'

# From the first start, in light colors, and hostile files.
rm -rf "$work/data"
first_start=yes
begin 80 24 "simttutor --gpu none --theme light"
shows "the first start" 'What a GPU'
keys P
expect "P on the first start" 'one access of a warp'
keys Escape
shows "typing ends at first" 'e type'
keys q
expect "and then the lessons are listed" '10  Bank'
keys Q
shows "left" 'status=0'
mkdir -p "$work/data/simttutor/playground"
printf '// \033]0;x\007 title\n// launch: --grid 1 --block 32\n.version 7.0\n' > "$work/data/simttutor/playground/kernel.ptx"
run "clear; simttutor --gpu none play $work/data/simttutor/playground/kernel.ptx; echo status=\$?"
expect "control characters of a file are shown, not sent" '\\x1b\]0;x\\x07 title\|\\033\]0;x\|has errors'
keys Escape
kill -s TERM "$(program)"
expect_terminal_back "after SIGTERM"
finish
