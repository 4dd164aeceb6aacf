# Launches that take long, and programs that are ended before their end: what is said without a terminal (with one: tests/terminal/long.sh).
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
if nm "$top_builddir/src/runtime/libcudart.so.13" | grep -q '__asan_init\|__tsan_init'; then
	skip_all "a library with sanitizers needs a program with them"
fi
case $("${CLANG:-clang}" --version 2> /dev/null) in
*"clang version 1"[4-9]*) NVCC=: && export NVCC ;;
*) skip_all "needs clang" ;;
esac
SIMTTUTOR_PROGRAMS=yes
export SIMTTUTOR_PROGRAMS
unset SIMTTUTOR_PROGRESS SIMTTUTOR_TIMEOUT
library=$top_builddir/src/runtime
cd "$work" || exit 99
build() { "$simttutor" cc -g "$1.cu" -o "$1" || note "$1.cu does not compile"; }

cat > spin.cu << 'E'
#include <cstdio>
__device__ volatile int flag;
__global__ void wait() { while (!flag) ; }
int main() { wait<<<1, 32>>>(); printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize())); }
E
build spin
capture "$simttutor" run --timeout 12 --report-json json spin
[ "$status" = 124 ] && [ ! -s out ] && printed err "spin.cu:4: wait<<<1, 32>>>: it had not ended when the limit of 12 s ended the program: of 1 block 0 have ended, 1 is resident"
report $? "a limit of time ends a kernel that never ends, with a status of its own"
printed err 'spin.cu:3: note: block 0, warp 0, looked here again and again, at flag' && printed err 'simttutor: 1 launch, no problems, until the limit of 12 s ended the program'
report $? "where it waited, and for what, and the report"
[ "$(grep -c 'wait<<<1, 32>>> at spin.cu:4 has run for ' err)" = 1 ] && printed err 'block 0, warp 0, looks here again and again, at flag'
report $? "while it runs, where it waits is said once"
[ "$(grep -c 'wait<<<1, 32>>> at spin.cu:4: 0 of 1 block, 1[0-9] s$' err)" = 1 ]
report $? "and its blocks and time, once"
! grep -q "$(printf '\033')" err
report $? "without a terminal there is no escape sequence"
cp json out
[ "$(at problems.0.kind)" = '"ended"' ] && [ "$(at problems.0.serious)" = false ]
report $? "in JSON it is a problem of its own kind"
capture env SIMTTUTOR_PROGRESS=none "$simttutor" run --timeout 7 spin
[ "$status" = 124 ] && ! printed err 'has run for'
report $? "SIMTTUTOR_PROGRESS=none: nothing is said while it runs"

# A quick launch with a race, then one that never ends; the signal comes from another thread of the program.
cat > interrupted.cu << 'E'
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <pthread.h>
#include <unistd.h>
__global__ void quick(int *a) { __shared__ int s[64]; s[threadIdx.x] = 1; a[threadIdx.x] = s[63 - threadIdx.x]; }
__global__ void slow(float *x, long n) { float v = 0; for (long i = 0; i < n; i++) v = v * 0.999f + 1; x[threadIdx.x] = v; }
static int number;
static void *raise_it(void *) {
  usleep(1500000); /* the second launch runs by then */
  if (number == 22) raise(2), raise(2); else if (number) kill(getpid(), number); else { puts("launched"); fflush(stdout); }
  return 0;
}
int main(int argc, char **argv) {
  signal(SIGINT, SIG_DFL); /* a shell in the background has others ignore it */
  int *a; float *x; cudaMalloc(&a, 256); cudaMalloc(&x, 256);
  number = atoi(argv[1]);
  pthread_t thread;
  pthread_create(&thread, 0, raise_it, 0);
  puts("before"); /* not flushed */
  quick<<<1, 64>>>(a); cudaDeviceSynchronize();
  slow<<<4, 64>>>(x, 1l << 50); cudaDeviceSynchronize();
  puts("after");
}
E
build interrupted
capture "$simttutor" run interrupted 2
[ "$status" = 130 ] && [ "$(cat out)" = before ]
report $? "SIGINT: what the program has printed, and no more"
printed err 'had not ended when SIGINT (Ctrl-C) ended the program: of 4 blocks 0 have ended' && grep -q 'interrupted.cu:7: note: block.*, warps 0-1, were here' err
report $? "SIGINT: where the warps were"
printed err 'simttutor: 2 launches, 1 problem, until SIGINT' && grep -q 'quick<<<1, 64>>> *interrupted.cu:21' err && ! printed err 'never freed'
report $? "SIGINT: the report of all that was, without leaks"
capture "$simttutor" run interrupted 22
[ "$status" = 130 ] && ! printed err 'until SIGINT' && ! printed err 'had not ended when'
report $? "SIGINT twice: at once, without a report"
capture "$simttutor" run interrupted 15
[ "$status" = 143 ] && printed err 'had not ended when SIGTERM ended the program' && printed err '2 launches, 1 problem'
report $? "SIGTERM: the same"
capture env LD_LIBRARY_PATH="$library" ./interrupted 2
[ "$status" = 130 ] && ! printed err 'ended the program'
report $? "a program by itself, without a report, ends as any other"
capture env LD_LIBRARY_PATH="$library" SIMTTUTOR_REPORT=report.txt ./interrupted 2
[ "$status" = 130 ] && grep -q '2 launches, no problems, until SIGINT' report.txt && grep -q '  interrupted.cu:22: slow<<<4, 64>>>: it had not ended' report.txt
report $? "one with a report writes that"
capture env LD_LIBRARY_PATH="$library" SIMTTUTOR_TIMEOUT=1 ./interrupted 0
[ "$status" = 124 ] && printed err 'the limit of 1 s'
report $? "SIMTTUTOR_TIMEOUT"
capture env LD_LIBRARY_PATH="$library" SIMTTUTOR_TIMEOUT=1x SIMTTUTOR_PROGRESS=much SIMTTUTOR_REPORT=- ./interrupted 2
[ "$status" = 130 ] && printed err 'SIMTTUTOR_TIMEOUT=1x is no time' && printed err 'SIMTTUTOR_PROGRESS=much is none of'
report $? "what these variables do not know is named"

"$simttutor" run interrupted 0 > out 2> err &
pid=$!
eventually 60 grep -q launched out
kill -TERM $pid
wait $pid
[ $? = 143 ] && printed err 'SIGTERM ended the program' && printed err '2 launches, 1 problem'
report $? "SIGTERM for simttutor run: the program has time for its report"

cat > own.cu << 'E'
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>
#include <sys/wait.h>
__global__ void quick(int *a) { a[threadIdx.x] = 1; }
static void mine(int) { static const char text[] = "mine\n"; if (write(1, text, 5) == 5) _exit(7); }
int main(int argc, char **argv) {
  signal(SIGINT, SIG_DFL);
  int *a; cudaMalloc(&a, 256);
  quick<<<1, 64>>>(a); cudaDeviceSynchronize();
  if (atoi(argv[1]) == 1) { signal(SIGINT, mine); raise(SIGINT); }
  if (atoi(argv[1]) == 2) { signal(SIGINT, SIG_IGN); raise(SIGINT); puts("ignored"); }
  if (atoi(argv[1]) == 3) {
    int status; pid_t child = fork();
    if (!child) { raise(SIGINT); _exit(9); }
    waitpid(child, &status, 0);
    printf("%d\n", WIFSIGNALED(status) ? WTERMSIG(status) : -1);
  }
  if (atoi(argv[1]) == 4) for (;;) ;
  cudaFree(a);
}
E
build own
capture "$simttutor" run own 1
[ "$status" = 7 ] && [ "$(cat out)" = mine ] && ! printed err SIGINT
report $? "a program's own handler stays"
capture "$simttutor" run own 2
[ "$status" = 0 ] && [ "$(cat out)" = ignored ]
report $? "a signal that the program ignores is ignored"
capture "$simttutor" run own 3
[ "$status" = 0 ] && [ "$(cat out)" = 2 ]
report $? "a child of the program ends by the signal"
capture "$simttutor" run --timeout 1 own 4
[ "$status" = 124 ] && printed err 'the program was ended by the limit of 1 s; no kernel ran' && printed err '1 launch, no problems'
report $? "a host that never ends, after its launches"
echo 'int main() { for (;;) ; }' > host.cu
build host
capture "$simttutor" run --timeout 0.5 host
[ "$status" = 124 ]
report $? "a host that never launches"

# Two threads with a stream each, and launches that have no end; a third one waits for an event.
cat > streams.cu << 'E'
#include <csignal>
#include <pthread.h>
#include <unistd.h>
__device__ volatile int never;
__global__ void first() { while (!never) ; }
__global__ void second() { while (!never) ; }
static void *work(void *of) {
  cudaStream_t s; cudaStreamCreate(&s);
  if (of) first<<<1, 32, 0, s>>>(); else second<<<2, 64, 0, s>>>();
  cudaStreamSynchronize(s);
  _exit(5); /* never reached */
}
int main() {
  signal(SIGINT, SIG_DFL);
  pthread_t a, b;
  pthread_create(&a, 0, work, 0); pthread_create(&b, 0, work, &a);
  usleep(1500000);
  kill(getpid(), SIGINT);
  pthread_join(a, 0); pthread_join(b, 0);
}
E
build streams
capture "$simttutor" run streams
[ "$status" = 130 ] && printed err 'first<<<1, 32>>>: it had not ended' && printed err 'second<<<2, 64>>>: it had not ended' && printed err '2 launches, no problems'
report $? "several threads and streams: all that ran is in the report"

cat > long.ptx << 'E'
.version 7.0
.target sm_75
.address_size 64
.visible .entry ever()
{
	.reg .u32 %r;
	mov.u32 %r, 0;
AGAIN:	add.u32 %r, %r, 1;
	bra AGAIN;
}
E
capture "$simttutor" run long.ptx --grid 8 --block 32 --steps 1000000000000 --timeout 1
[ "$status" = 124 ] && printed err 'the launch was interrupted' && printed err 'were here'
report $? "a single launch has such a limit, too"
answers 2 "expected a time as 30, 1.5m or 2h" -- run --timeout soon long.ptx --grid 1 --block 32
answers 2 "expected a time as 30, 1.5m or 2h" -- run --timeout 0 spin
finish
