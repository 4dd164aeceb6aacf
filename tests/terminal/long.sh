#!/bin/sh
# A launch that takes long, on a terminal: a line that is drawn again and again, beside what the program prints.
. "${top_srcdir:=.}/tests/terminal/lib.sh" || exit 99
if nm "$top_builddir/src/runtime/libcudart.so.13" | grep -q '__asan_init\|__tsan_init'; then
	skip_all "a library with sanitizers needs a program with them"
fi
case $("${CLANG:-clang}" --version 2> /dev/null) in
*"clang version 1"[4-9]*) ;;
*) skip_all "needs clang" ;;
esac
cd "$work" || exit 99
cat > long.cu << 'E'
#include <cstdio>
#include <cstdlib>
#include <unistd.h>
__global__ void slow(float *x, int n) { float v = 0; for (int i = 0; i < n; i++) v = v * 0.999f + 1; x[blockIdx.x] = v; }
__global__ void hung(float *x) { __shared__ volatile int s; s = 0; while (!s) ; x[0] = s; }
int main(int argc, char **argv) {
  float *x; cudaMallocManaged(&x, 1 << 20);
  int hangs = atoi(argv[1]), lines = atoi(argv[2]);
  if (hangs) hung<<<1, 32>>>(x); else slow<<<20000, 32>>>(x, 20000);
  printf("process %d\n", (int)getpid());
  printf("a line without an end: ");
  for (int i = 0; i < lines; i++) { printf("host %d\n", i); fflush(stdout); usleep(250000); }
  cudaDeviceSynchronize();
  puts("done");
  cudaFree(x);
}
E
NVCC=: "$simttutor" cc -g long.cu -o long || fail "it compiles"
start() { # COLS ROWS ARGUMENT...
	term_open "$1" "$2" SIMTTUTOR_PROGRAMS=yes
	shift 2
	run "clear; cd '$work'; simttutor run long $*; echo status=\$?"
}

# Of every width, the line is the last row, with the time that is left at its end.
for size in "80 24" "160 50"; do
	# shellcheck disable=SC2086
	start $size 0 30
	case $size in 80*) place= ;; *) place=' at long.cu:9' ;; esac # where there is room
	expect "$size: kernel, blocks, time and what is left" "^simttutor: slow<<<20000, 32>>>$place: [0-9]* of 20000 blocks, [0-9]* s, about .* left\$"
	[ "$(screen | tail -n 1 | cut -c 1-10)" = simttutor: ]
	report $? "$size: in the last row"
	expect "$size: the program goes on to print" '^host 19$'
	screen > "$work/out"
	[ "$(grep -c '^host [0-9]*$' "$work/out")" -ge 19 ] && ! grep -q 'host.*simttutor\|simttutor.*host' "$work/out"
	report $? "$size: what it prints is whole"
	keys C-c
	expect "$size: Ctrl-C ends it" '^status=130$'
	expect "$size: and the line is gone" '^shell>'
	screen > "$work/out"
	! grep -q 'simttutor: slow.* left$' "$work/out" && grep -q 'simttutor: 1 launch, no problems, until SIGINT' "$work/out"
	report $? "$size: the report is there, and the line is not"
done

# The whole screen is the shell's again, and it scrolls.
run 'clear; i=0; while [ $i -lt 70 ]; do echo row $i; i=$((i + 1)); done'
expect "the last row scrolls again" '^row 69$'
[ "$(screen | tail -n 1)" = "shell> " ] || [ "$(screen | tail -n 1)" = "shell>" ]
report $? "down to the last row"

# Ctrl-Z and fg.
start 80 24 0 3
shows "begun" 'of 20000 blocks'
keys C-z
expect "^Z: the line is gone" '^shell>'
expect_gone "^Z: all of it" 'of 20000 blocks'
run 'fg'
expect "fg: it comes back" 'of 20000 blocks, .* left$'
resize 100 30
expect "another size: at its last row" 'of 20000 blocks, .* left$'
eventually "$deadline" sh -c 'tmux -S "$1" -f /dev/null capture-pane -p | tail -n 1 | grep -q "^simttutor: slow"' sh "$work/tmux-$server"
report $? "another size: and there alone"
[ "$(screen | grep -c '^simttutor: slow')" = 1 ]
report $? "another size: once"
kill -s KILL "$(screen | sed -n 's/^process \([0-9]*\)$/\1/p')"
expect "killed: the program's end is named" 'ended by signal 9'
run 'clear; i=0; while [ $i -lt 40 ]; do echo row $i; i=$((i + 1)); done'
shows "killed: the last row scrolls" '^row 39$'
case $(screen | tail -n 1) in "shell>"*) true ;; *) false ;; esac
report $? "killed: down to the last row"

# To the end: the line goes with its launch.
term_open 80 24 SIMTTUTOR_PROGRAMS=yes
run "clear; cd '$work'; simttutor run --report none long 1 0; echo status=\$?"
expect "where the warps are, once, above the line" 'long.cu:5: note: block 0, warp 0, is here'
[ "$(screen | grep -c 'has run for')" = 1 ]
report $? "once"
keys C-c
expect "ended" '^status=130$'

# Elsewhere than on this terminal there is no line.
term_open 80 24 SIMTTUTOR_PROGRAMS=yes
run "clear; cd '$work'; simttutor run long 0 9 | cat; echo status=\$?"
expect "through a pipe the program prints" '^host 8$'
! on_screen 'of 20000 blocks'
report $? "through a pipe there is no line"
keys C-c
expect "through a pipe it ends, too" 'until SIGINT'
finish
