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

finish
