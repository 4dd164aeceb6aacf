#!/bin/sh
# A reader debugs a kernel on the terminal.
. "${top_srcdir:=.}/tests/terminal/lib.sh" || exit 99
kernels=$top_srcdir/tests/run

# debug KERNEL ARGUMENTS...: starts it, and leaves its exit status on the screen when it ends.
debug() {
	file=$1
	shift
	run "clear; simttutor debug $kernels/$file $*; echo status=\$?"
}
softmax() { debug softmax.ptx --grid 1 --block 32,4 --arg 'f32[128]:random@5' --arg 's32[]:32,20,7,1' --arg 'f32[128]'; }

walk() {
	term_open "$1" "$2"
	size="$1x$2"
	softmax
	expect "$size: before the first instruction" 'warp 0 of 4  step 0'
	expect "$size: its source" '8▸ __global__ void softmax'
	keys s s s
	expect "$size: three steps" 'step 3$'
	keys S
	expect "$size: one back" 'step 2$'
	keys s s s s s s s s s s
	expect "$size: ten keys at once are ten steps" 'step 12$'
	keys n n
	expect "$size: two lines on" '16▸ *if (col'
	keys w
	expect "$size: the next warp" 'warp 1 of 4'
	keys W
	keys / t e r m Space '*' = Enter b
	expect "$size: a breakpoint where it was found" '●19 '
	keys c
	expect "$size: run to it" 'Breakpoint 1, block 0, warp 0'
	keys w c
	keys : b r e a k Space 2 2 Space l a n e Space 3 Space w a r p Space 1 Enter
	expect "$size: one by command" 'Breakpoint 2 at line 22'
	keys : d e l e t e Space 1 Enter c
	expect "$size: run to that" 'Breakpoint 2, block 0, warp 1'
	keys 3
	expect "$size: who waits where" 'waits at line 24, PTX 118 for lanes 0-19'
	keys 2
	expect "$size: the memory pane" 'executed last: ld.global'
	keys x
	expect "$size: numbers in hex" 'Numbers: hex'
	keys z
	expect "$size: the pane alone" '^┌─ lanes 0'
	keys Escape
	expect "$size: and the code again" '^┌─ softmax.cu'
	keys : w a r p Space 9 Enter
	expect "$size: an error is reported" 'there is no warp 9; they go from 0 to 3'
	keys '?'
	expect "$size: the keys" 'one warp instruction of the followed warp'
	keys Escape
	expect_gone "$size: closed" 'one warp instruction of the followed warp'
	keys R
	expect "$size: from the start" 'step 0$'
	keys C-c
	expect "$size: ^C does not leave" 'q leaves the debugger'
	keys : d e l e t e Enter c
	expect "$size: to the end" 'The kernel ran to its end'
	keys S
	expect "$size: back from the end" 'ret '
	keys q
	expect "$size: a clean end" 'status=0'
	expect_terminal_back "$size: quit"
}

walk 80 24
walk 160 50

# What takes long can be stopped, and does not hold up the keys.
term_open 80 24
cat > "$work/endless.ptx" <<-'END'
	.version 6.0
	.target sm_70
	.address_size 64
	.visible .entry endless()
	{
		.reg .b32 %r<2>;
		mov.u32 %r1, 0;
	LOOP:
		add.u32 %r1, %r1, 1;
		bra LOOP;
	}
END
run "clear; simttutor debug $work/endless.ptx --grid 1 --block 32 --steps 100000000000; echo status=\$?"
expect "without source lines: the PTX" '┌─ PTX '
keys c
expect "it runs" 'running: step .*; Esc stops it'
keys C-c
expect "^C stops it" 'Stopped at step'
keys c
expect "and on" 'running: step '
resize 100 30
expect "resized while it runs" 'running: step '
keys Escape
expect "Esc stops it" 'Stopped at step'
resize 40 10
expect "too small: it says so" 'has 40 columns and 10'
resize 80 24
expect "and again" '┌─ PTX '
keys c
shows "running" 'running: step '
kill -s TERM "$(program)"
expect "SIGTERM ends it, also while it runs" 'status=143'
expect_terminal_back "SIGTERM"

debug stencil.ptx --kernel stencil_unbounded --grid 1 --block 64 --arg 's32[64]' --arg 's32[64]'
shows "started" 'step 0'
keys c
expect "a defect stops with everything there" '✗✗■■.*2 at fault'
keys C-z
expect_terminal_back "^Z"
run 'clear; fg'
expect "fg: the screen is drawn again" '✗✗■■'
keys S S
expect "back from the defect" 'step 9$'
keys Q
expect_terminal_back "after all that"

term_open 80 24 NO_COLOR=1 LC_ALL=C TERM=vt100
softmax
expect "ASCII, no colors" '+- softmax.cu -'
keys : l a n e Space 2 5 Enter : w a r p Space 1 Enter s s s
expect "ASCII: lanes" 'lanes 0 ################################ 31'
keys q
expect_terminal_back "ASCII"
finish
