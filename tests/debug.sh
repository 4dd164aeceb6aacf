#!/bin/sh
# simttutor debug --commands: what commands print, what is refused how, and what a run ends with.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
LC_ALL=C.UTF-8
export LC_ALL
kernels=$top_srcdir/tests/run

# debug COMMANDS ARGUMENTS...: the commands, each on a line.
debug() {
	printf '%s\n' "$1" > "$work/commands"
	shift
	capture "$simttutor" debug "$@" --commands "$work/commands" < /dev/null
}

scan() {
	commands=$1
	shift
	debug "$commands" "$kernels/scan.ptx" --grid 1 --block 128 --arg 's32[128]:iota' --arg 's32[128]' "$@"
}
wrong() {
	debug 'c
print %rd6
rs' "$kernels/stencil.ptx" --kernel stencil_unbounded --grid 1 --block 64 --arg 's32[64]' --arg 's32[64]'
}

# --- what commands say -----------------------------------------------------------------------------------------------
scan 'where
step 3
reverse-step
goto 3'
ends 0 && [ "$(grep -c '^step 3  block 0 warp 0' "$work/out")" = 2 ] && printed out 'step 2  block 0 warp 0'
report $? "steps there and back, each shown with its place"

line=$(grep -n 'total\[warp\] = sum' "$kernels/scan.cu" | cut -d: -f1)
scan "# a comment, and an empty line

break $line lane 31 warp 2
c
breaks
c"
[ "$status" -eq 0 ] && printed out "Breakpoint 1, block 0, warp 2." && printed out "1: line $line, lane 31, warp 2; 1 stop" &&
	printed out 'The kernel ran to its end, '
report $? "a breakpoint with conditions, listed, and the end"

scan "break $line
c
show
show warps
show paths" --size 100x30
[ "$status" -eq 0 ] && printed out '┌─ scan.cu ──' && printed out '▸ 0 ·' &&
	[ "$(grep -c '^┌' "$work/out")" = 1 ] && [ "$(grep '^┌' "$work/out" | tr -d '\n' | wc -m)" -eq 100 ]
report $? "the screen in the size that was asked for, and single panes"

LC_ALL=C capture "$simttutor" debug "$kernels/scan.ptx" --grid 1 --block 128 --arg 's32[128]' --arg 's32[128]' --commands "$work/commands"
[ "$status" -eq 0 ] && [ -z "$(LC_ALL=C tr -d '\000-\177' < "$work/out")" ] && printed out '+- scan.cu '
report $? "ASCII where the locale has no more"

echo 'step 2' > "$work/commands"
capture "$simttutor" debug "$kernels/scan.ptx" --grid 1 --block 128 --arg 's32[128]' --arg 's32[128]' --commands - < "$work/commands"
[ "$status" -eq 0 ] && printed out 'step 2  block 0 warp 0'
report $? "commands from standard input"

scan 'step
quit
step 5'
[ "$status" -eq 0 ] && printed out 'step 1  ' && ! printed out 'step 6  '
report $? "quit ends it"

debug 'step
step
step
where
examine global 0x7f0000000000 2 bf16x2
examine global 0x7f0000000000 2 f8x4' "$kernels/inlined.ptx" --grid 1 --block 32 --arg 'u32[33]:iota'
[ "$status" -eq 2 ] && printed out 'step 3  block 0 warp 0  line 8 (own.cu:8 → pipe.h:10 → store.h:20)  PTX' &&
	printed out '0x7f0000000000: 0,0 9.1835e-41,0' && printed err "such as s32, f32 or f16x2, not 'f8x4'"
report $? "inlined code is shown with the way to it, memory as packed halves"

# --- defects and limits ----------------------------------------------------------------------------------------------
wrong
[ "$status" -eq 0 ] && printed out 'Defect, out of bounds: a 4-byte load' && printed out 'block 0, warp 0, lanes 0-1; address 0x' && printed out '%rd6'
report $? "a defect with its lanes and registers; back from it all is well"
debug c "$kernels/stencil.ptx" --kernel stencil_unbounded --grid 1 --block 64 --arg 's32[64]' --arg 's32[64]'
[ "$status" -eq 1 ]
report $? "who ends at a defect has failed"
debug 'c
s' "$kernels/stencil.ptx" --kernel stencil_unbounded --grid 1 --block 64 --arg 's32[64]' --arg 's32[64]'
[ "$status" -eq 1 ] && printed out 'stopped at this defect, out of bounds; nothing goes on from here'
report $? "a step from a defect says that there is none"
scan c --steps 50
[ "$status" -eq 1 ] && printed out 'stopped after 50 warp instructions'
report $? "so has who ends at the limit of steps"

# --- what is refused -------------------------------------------------------------------------------------------------
scan 'step
brake 3
step'
[ "$status" -eq 2 ] && printed err "$work/commands:2:1: there is no command 'brake'" && printed err 'brake 3' && ! printed out 'step 2  '
report $? "a wrong command ends the script, with its line"
scan 'break 3 lane 77'
[ "$status" -eq 2 ] && printed err ':1:14: there is no lane 77; they go from 0 to 31'
report $? "a wrong word is pointed at"
capture "$simttutor" debug "$kernels/scan.ptx" --grid 1 --block 128 --arg 's32[128]' --arg 's32[128]' < /dev/null
[ "$status" -eq 3 ] && printed err 'needs a terminal; use --commands FILE'
report $? "no terminal and no commands"
capture "$simttutor" debug "$kernels/scan.ptx" --grid 1 --block 128 --arg 's32[128]' --arg 's32[128]' --commands "$work/none"
[ "$status" -eq 3 ] && printed err "$work/none"
report $? "commands that are not there"
refused() { # STATUS TEXT ARGUMENTS...
	want=$1 text=$2
	shift 2
	capture "$simttutor" debug "$@" --commands /dev/null
	[ "$status" -eq "$want" ] && printed err "$text"
	report $? "refused: $text"
}
refused 2 'debug: which file?'
refused 2 'debug: --block is missing' "$kernels/scan.ptx" --grid 1
refused 2 'takes 2 arguments, 0 given' "$kernels/scan.ptx" --grid 1 --block 32
refused 2 'at most 1024 threads' "$kernels/scan.ptx" --grid 1 --block 1024,2 --arg 's32[4]' --arg 's32[4]'
refused 2 "unknown or ambiguous option '--nonsense'" "$kernels/scan.ptx" --nonsense
refused 2 '--warp 0:4 is not in this launch' "$kernels/scan.ptx" --grid 1 --block 128 --warp 0:4 --arg 's32[4]' --arg 's32[4]'
refused 3 'nowhere.ptx' nowhere.ptx --grid 1 --block 32
refused 2 "debug: give only one file" "$kernels/scan.ptx" "$kernels/scan.ptx"
finish
