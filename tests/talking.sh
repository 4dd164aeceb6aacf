#!/bin/sh
# What is said to who writes a launch: JSON of what failed, arguments that do not fit, names of kernels, interruption.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
PTXAS=: # how many registers a kernel has depends on it
export PTXAS
kernels=$top_srcdir/tests/run
ptx=$top_srcdir/tests/ptx

run() { capture "$simttutor" run "$@"; }

# --- JSON of what came to nothing ------------------------------------------------------------------------------------
# fails STATUS TEXT NAME ARGUMENTS...: `run` with them, in JSON, prints one object with the outcome, and a message with the text
fails() {
	want=$1 text=$2 name=$3
	shift 3
	run "$@" --format json
	ends "$want" && [ "$(wc -l < "$work/out")" -eq 1 ] && [ "$(at outcome)" = '"error"' ] && [ "$(at status)" = "$want" ] &&
		at messages | grep -qF -e "$text"
	report $? "JSON: $name"
}
stencil="--grid 1 --block 64 --arg s32[64]:iota --arg s32[64]"
fails 3 'cannot open' "a file that is not there" "$work/none.ptx" $stencil
fails 2 'which file?' "no file"
fails 2 "unknown or ambiguous option '--nonsense'" "an option that there is not" "$kernels/stencil.ptx" --nonsense
fails 2 'expected bounds, align' "a value that is none" "$kernels/stencil.ptx" --check X
fails 2 'takes 3 arguments, 2 given' "arguments that do not fit" "$kernels/stencil.ptx" --kernel stencil $stencil
fails 2 'nothing' "an unknown kernel" "$kernels/stencil.ptx" --kernel nothing $stencil
echo '.version 8.0 nonsense' > "$work/bad.ptx"
fails 1 'nonsense' "PTX that is none" "$work/bad.ptx" $stencil
printf '__global__ void k(int *p) { *p = undeclared; }\n' > "$work/bad.cu"
NVCC=false CLANG=false
export NVCC CLANG
run "$work/bad.cu" --grid 1 --block 1 --arg 's32[1]' --format json
[ "$status" -ne 0 ] && [ "$(at outcome)" = '"error"' ]
report $? "JSON: CUDA that no compiler takes"
unset NVCC CLANG
capture "$simttutor" access --space shared --op ld --format=json
ends 2 && [ "$(at outcome)" = '"error"' ]
report $? "JSON: other commands, too"
run "$kernels/stencil.ptx" --kernel stencil $stencil
[ "$status" -eq 2 ] && [ ! -s "$work/out" ]
report $? "text: nothing on standard output"

# --- arguments ---------------------------------------------------------------------------------------------------------
a=$kernels/arguments.ptx
run "$a" --kernel apply --grid 1 --block 8 --set 'coef=f32[]:10,20,30,40' --arg '(u32:6; f32[6]:iota; f32:1,2,3; f32[6]:=-1)' \
	--arg fn:twice --print 0.3 --print 0.1 --format json
ends 0 && [ "$(at buffers)" = '{"0.3":[10,24,42,46,26,50],"0.1":[0,1,2,3,4,5]}' ]
report $? "a struct with pointers and an array, the address of a function, a constant variable"
run "$a" --kernel apply --grid 1 --block 6 --arg '(u32:6; f32[6]:=1; f32:1,1,1; f32[6])' --arg fn:_Z6negatef --print 0.3
ends 0 && said out 'argument 0, member 3, f32[6]: 0: -1 -1 -1 -1 -1 -1'
report $? "another function, by its name in the PTX; variables are zeros by themselves"
launches() { run "$a" --kernel clear --grid 1 --block 64 --arg 'table=u32[64]' --arg u32:60 --set total=u32:7 \
	--then 'insert<2>' --grid 1 --block 64 --arg table --arg 'u32[64]:iota' \
	--then 'insert<1>' --grid 1 --block 64 --arg table --arg 'u32[64]:=9' --print 0 "$@"; }
launches --format json
expected=$(awk 'BEGIN { for (i = 0; i < 64; i++) printf "%s%d", i ? "," : "[", i < 60 ? i + 2 * 14 : 0; print "]" }')
ends 0 && [ "$(at outcome)" = '"ok"' ] && [ "$(at launches.2.launch)" = 3 ] && [ "$(at launches.1.kernel)" = '"_Z6insertILi2EEvPjPKj"' ] &&
	[ "$(at launches.2.buffers.0)" = "$expected" ]
report $? "three launches: buffers by name and variables are what the ones before left"
launches
ends 0 && said out 'launch 1, clear: ok' && said out 'launch 3, insert<1>: ok' && said out 'argument 0, u32[64]: 0: 28 29'
report $? "each launch is reported by its number"
run "$a" --kernel store_there --grid 1 --block 32 --set 'where=(out=u32[32])' --arg u32:7 \
	--then clear --grid 1 --block 32 --arg out --arg u32:0 --print 0
ends 0 && said out 'argument 0, u32[32]: 0: 7 7'
report $? "a variable that points to a buffer"
run "$a" --on-error continue --kernel clear --grid 1 --block 64 --arg 'table=u32[32]' --arg u32:64 --then 'insert<1>' --grid 1 --block 96 --arg table --arg 'u32[64]' --format json
ends 1 && said err 'launch 1, clear: out of bounds' && said err 'launch 2, insert<1>: out of bounds' && [ "$(at outcome)" = '"defect"' ] &&
	[ "$(at launches.0.outcome)" = '"defect"' ]
report $? "defects name the launch"
run "$a" --kernel clear --grid 1 --block 64 --arg 'table=u32[32]' --arg u32:64 --then 'insert<1>' --grid 1 --block 64 --arg table --arg 'u32[64]'
ends 1 && said err 'launch 1, clear: out of bounds' && said err 'launch 2, insert<1>: not run'
report $? "what is out of bounds ends the launch, and those after it"
run "$a" --kernel clear --grid 1 --block 64 --arg 'table=u32[64]' --arg u32:64 --then 'insert<1>' --grid 1 --block 64 --arg table --arg 'u32[64]:uninit'
ends 1 && said err 'launch 2, insert<1>: uninitialized' && ! said err 'launch 1'
report $? "what an earlier launch wrote is initialized, what nobody wrote is not"
run "$a" --kernel clear --grid 1 --block 64 --arg 'table=u32[64]' --arg u32:64 --steps 20 --then 'insert<1>' --grid 1 --block 64 --arg table --arg 'u32[64]'
ends 1 && said err 'launch 1, clear: the launch was stopped after 20' && said err 'launch 2, insert<1>: not run' && ! said out 'launch 2'
report $? "after a launch that does not end no other is run"
printf 'c\nx global 0x7f0000001100 4\nrs\nx global 0x7f0000001100 2\n' > "$work/commands"
capture "$simttutor" debug "$a" --kernel clear --grid 1 --block 64 --arg 'table=u32[64]' --arg u32:60 --set total=u32:7 \
	--then 'insert<2>' --grid 1 --block 64 --arg table --arg 'u32[64]:iota' --commands "$work/commands"
ends 0 && said out '0x7f0000001100: 28 29 30 31'
report $? "the debugger steps the last of several launches"

# wrong TEXT ARGUMENTS...: `run` of the arguments' kernels says so, and ends with 2
wrong() {
	text=$1
	shift
	run "$a" "$@"
	ends 2 && said err "$text"
	report $? "wrong: $text"
}
one="--grid 1 --block 8"
wrong 'the kernel takes 2 arguments, 1 given: insert<1>(unsigned *, const unsigned *)' --kernel 'insert<1>' $one --arg 'u32[8]'
wrong "what would run: simttutor run $a --kernel 'insert<1>' --grid 1 --block 8 --arg 'u32[8]' --arg 'u32[8]'" --kernel 'insert<1>' $one --arg 'u32[8]' --arg u32:3
eval "set -- $(sed -n 's/.*what would run: simttutor //p' "$work/err")"
capture "$simttutor" "$@"
ends 0
report $? "what would run does"
wrong 'argument 1, u32:3, is 4 bytes; the kernel takes const unsigned *, 8 bytes, as in u32[8]' --kernel 'insert<1>' $one --arg 'u32[8]' --arg u32:3
wrong "the kernel takes 2 arguments, 0 given: apply(a struct, unsigned long)" --kernel apply $one
wrong 'which insert? There are insert<1>(unsigned *, const unsigned *), insert<2>(unsigned *, const unsigned *)' --kernel insert $one
wrong "launch 2, insert<2>: what would run: --then 'insert<2>' --grid 1 --block 8 --arg table --arg 'u32[8]'" \
	--kernel clear $one --arg 'table=u32[64]' --arg u32:8 --then 'insert<2>' $one --arg table
wrong '--set coef: 12 bytes are given; the variable has 16' --kernel clear $one --arg 'u32[8]' --arg u32:8 --set 'coef=f32[3]'
wrong 'the address of a buffer is written (u32[64])' --kernel clear $one --arg 'u32[8]' --arg u32:8 --set 'where=u32[64]'
wrong 'there is no __device__ or __constant__ variable cof; there are: coef, total, where, kept' --kernel clear $one --arg 'u32[8]' --arg u32:8 --set 'cof=f32[3]'
wrong 'expected NAME=ARG' --kernel clear $one --set coef
wrong 'variables are never uninitialized' --kernel clear $one --set 'coef=f32[4]:uninit'
wrong 'variables are set once' --kernel clear $one --arg 'u32[8]' --arg u32:8 --then clear $one --set total=u32:1
wrong 'there is no function thrice; there are: twice(float), negate(float)' --kernel apply $one --arg '(u32:6; f32[6]; f32:1,2,3; f32[6])' --arg fn:thrice
wrong 'no buffer before this has the name table' --kernel clear $one --arg table --arg u32:8
wrong 'two buffers have the name t' --kernel 'insert<1>' $one --arg 't=u32[8]' --arg 't=u32[8]'
wrong 'launch 2, clear: --grid is missing' --kernel clear $one --arg 'u32[8]' --arg u32:8 --then clear
wrong '--grid and --block of the launch before' --kernel clear --then clear $one
wrong 'member 2 of argument 0 is no buffer' --kernel apply $one --arg '(u32:6; f32[6]; f32:1,2,3; f32[6])' --arg fn:twice --print 0.2
wrong '--live takes one launch' --kernel apply $one --arg '(u32:6; f32[6]; f32:1,2,3; f32[6])' --arg fn:twice --live
dynamic() { run "$a" --kernel sum_dynamic --grid 1 --block 32 --arg 'f32[32]' --arg 'f32[32]' "$@"; }
dynamic
ends 1 && said err 'uses dynamic shared memory, extern __shared__, and has none: --shared BYTES gives it some'
report $? "a missing --shared is named"
dynamic --shared 128
ends 0
report $? "one that is there is not"

# --- interruption --------------------------------------------------------------------------------------------------------
cat > "$work/endless.ptx" <<-'END'
	.version 6.3
	.target sm_75
	.address_size 64
	.visible .entry endless() {
	AGAIN:
		bra AGAIN;
	}
END
"$simttutor" run "$work/endless.ptx" --grid 1 --block 32 --steps 1000000000000 --format json > "$work/out" 2> "$work/err" &
pid=$!
has_worked() { [ "$(cut -d ' ' -f 14 "/proc/$pid/stat")" -ge 30 ]; } # 0.3 s of a core, whenever it got one
eventually 60 has_worked
kill -INT $pid
wait $pid
status=$?
ends 130 && [ "$(at outcome)" = '"interrupted"' ] && [ "$(at lines.0.executions)" -gt 1000 ] && said err 'the launch was interrupted'
report $? "Ctrl-C ends a run with what it has, status 130; nothing of its progress where there is no terminal"

finish
