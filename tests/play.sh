#!/bin/sh
# simttutor play: what it takes, where it keeps what is typed, what opens it; line by line, as it goes without a terminal. On a
# terminal: tests/terminal/playground.sh.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
XDG_STATE_HOME=$work/state XDG_DATA_HOME=$work/data LC_ALL=C.UTF-8 NVCC=: CLANG=: PTXAS=:
export XDG_STATE_HOME XDG_DATA_HOME LC_ALL NVCC CLANG PTXAS
own=$XDG_DATA_HOME/simttutor/playground

# play SAID ARGUMENT...: it is told these lines.
gpu=none
play() {
	printf '%s\n' "$1" > "$work/said"
	shift
	capture "$simttutor" --gpu "$gpu" play "$@" < "$work/said"
}

# --- what it takes -------------------------------------------------------------------------------------------------------
play quit 'lane'
[ "$status" -eq 3 ] && said err 'needs a terminal' && said err '--linear'
report $? "without a terminal it says what else there is"
play quit --linear
ends 0 && has '^shared ld, 4 bytes per lane, the element of each lane: lane\.$'
report $? "it begins with an access"
play quit --linear --space global --op st --width 8 'lane*2'
ends 0 && has '^global st, 8 bytes per lane, the element of each lane: lane\*2\.$' && said out '1 request of 16 sectors'
report $? "or with the one that is given"
play quit --linear 'lane' 'lane*2'
ends 2 && said err 'another one'
report $? "one expression alone"
play quit --linear --space sideways
ends 2 && said err 'shared, global, local or const'
report $? "no such space"
play quit --linear --width 3
ends 2 && said err '1, 2, 4, 8 or 16'
report $? "no such width"
play quit --linear --op ldmatrix --width 8
ends 2 && said err 'expected 16'
report $? "a width that the op has not"
play quit --linear 'lane*'
ends 2 && said err 'EXPR:1:6'
report $? "an expression's error at its column"
play quit --linear "$(printf '%0200d' 0)"
ends 2 && said err 'more than 160 bytes'
report $? "an expression that is too long"
play quit --linear --playground both
ends 2 && said err 'access kernel'
report $? "nothing else can be opened"

# --- what is kept --------------------------------------------------------------------------------------------------------
rm "$own/history"
play 'try lane*3
access global
lane*4+
lane*4
tried' --linear
ends 0 && has '^At character 8: ' && has '^global ld 4: lane\*4$' && has '^shared ld 4: lane\*3$'
report $? "what was tried"
[ "$(cat "$own/history")" = "shared ld 4 lane*3
global ld 4 lane*3
global ld 4 lane*4" ]
report $? "is kept, but for what was faulty"
play 'picture' --linear
ends 0 && has '^global ld, 4 bytes per lane, the element of each lane: lane\*4\.$' && has '^The request touches 16 sectors'
report $? "and comes back, with its picture"
play 'bank 1
try lane
access shared
sector 0
bank 1' --linear
ends 0 && has '^Only shared memory has banks\.$' && has '^Shared memory has no sectors\.$' && has '^Bank 1 delivers 1 word: 1 in wavefront 1; to lane 1'
report $? "no bank of global memory, no sector of shared memory"

# --- a kernel ------------------------------------------------------------------------------------------------------------
play kernel --linear
ends 0 && has '^Edit this file, then say kernel: .*/playground/kernel\.ptx$' && has '^try_it, in kernel\.ptx\.$' && has '^stride is 2\.$'
report $? "without a compiler the kernel is PTX"
play quit --linear --playground kernel
ends 0 && has '^try_it, in kernel\.ptx\.$' && ! has '^shared ld'
report $? "--playground kernel begins with it"
mkdir -p "$XDG_CONFIG_HOME/simttutor"
echo 'playground = kernel' > "$XDG_CONFIG_HOME/simttutor/settings"
play quit --linear
ends 0 && has '^try_it, in kernel\.ptx\.$'
report $? "so does the setting"
play quit --linear 'lane*5'
ends 0 && has '^shared ld, 4 bytes per lane, the element of each lane: lane\*5\.$'
report $? "but not before an expression that is given"
play quit --linear --playground access
ends 0 && has '^global ld, 4 bytes\|^shared ld, 4 bytes'
report $? "nor before the option"
rm "$XDG_CONFIG_HOME/simttutor/settings"
sed 's/--sweep stride=1..32@2/--sweep stride=1..32@4/' "$own/kernel.ptx" > "$work/mine.ptx"
play 'set stride=8
numbers' --linear "$work/mine.ptx"
ends 0 && has '^try_it, in mine\.ptx\.$' && has '^stride is 4\.$' && has '^wavefronts / request: predicted 8 wavefronts, measured: no GPU'
report $? "a file is played with where it is"
sed -i 's/ld.shared/ld.sharde/' "$work/mine.ptx"
play quit --linear "$work/mine.ptx"
ends 0 && said out 'sharde'
report $? "a faulty one is said to be"
sed -i 's/^\/\/ launch:.*//' "$work/mine.ptx"
play quit --linear "$work/mine.ptx"
ends 0 && said out 'a comment has to say how it is launched'
report $? "so is one that does not say how it is launched"

# --- on a GPU ------------------------------------------------------------------------------------------------------------
if [ -x "$fake" ]; then
	gpu="command:exec '$fake' ok"
	play 'measure' --linear 'lane*2'
	ends 0 && has '^shared load requests: predicted 1, measured 1000 requests\.$' && has '^Measured on Fake GPU, live\.$'
	report $? "an access is measured"
	play 'set stride=4
measure' --linear "$own/kernel.ptx"
	ends 0 && has '^shared load requests: predicted 1, measured 1004 requests\.$' && has '^Measured on Fake GPU, live\.$'
	report $? "and a kernel"
	gpu="command:exec '$fake' error:kernel_fault"
	play 'measure
bank 2' --linear 'lane*2'
	ends 0 && has '^Bank 2 delivers 2 words: 2 in wavefront 1, 34 in wavefront 2'
	report $? "where that goes wrong, the model's picture stays"
fi
finish
