# simttutor cc, and simttutor run of whole programs: command lines, objects, arguments, agreement, confinement.
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
mkdir "$work/project" "$work/project/headers" && cd "$work/project" || exit 99

cat > "it's \$(a) kernel.cu" << 'E'
#include "beside.h"
#include <folder.h>
#include "host.h"
__global__ void scale(int *p) { p[threadIdx.x] *= FACTOR; }
int scaled(int value)
{
	int *p, result = 0;
	cudaMalloc(&p, sizeof *p);
	cudaMemcpy(p, &value, sizeof value, cudaMemcpyHostToDevice);
	scale<<<BLOCKS, 1>>>(p);
	cudaMemcpy(&result, p, sizeof result, cudaMemcpyDeviceToHost);
	return result;
}
E
echo '#define BLOCKS 1' > beside.h
echo 'static const int unused = 3;' > headers/folder.h
echo 'int scaled(int value);' > host.h
cat > main.cpp << 'E'
#include <cstdio>
#include <cstdlib>
#include <cuda_fp16.h>
#include "host.h"
extern "C" int thrice(int);
int main(int argc, char **argv)
{
	int devices = (int)(float)half(0.5f);
	cudaGetDeviceCount(&devices);
	printf("%d %d %d\n", scaled(atoi(argv[1])), thrice(2), devices);
	return argc;
}
E
echo 'int thrice(int v) { return 3 * v; }' > thrice.c
capture "$simttutor" cc -O1 -c "it's \$(a) kernel.cu" -Iheaders -DFACTOR=7 -o kernel.o
ends 0 && [ -s kernel.o ]
report $? "an object of a file with a name that a shell would take apart"
capture "$simttutor" cc kernel.o main.cpp thrice.c -lm -o program
ends 0 && { capture ./program 6; [ "$status" = 2 ]; } && [ "$(cat "$work/out")" = "42 6 1" ]
report $? "objects, C++ and C are linked, and the program runs by itself"
echo > empty.c && "$simttutor" cc -c empty.c -o many.o
objects= folders=
for i in $(seq 40); do
	cp many.o "many$i.o" && mkdir "folder$i" && objects="$objects many$i.o" folders="$folders -Ifolder$i"
done
# shellcheck disable=SC2086
capture "$simttutor" cc main.cpp kernel.o thrice.c $objects $folders -o many
ends 0 && { capture ./many 6; [ "$(cat "$work/out")" = "42 6 1" ]; }
report $? "forty objects and forty folders"
# shellcheck disable=SC2086
capture "$simttutor" cc main.cpp $folders $folders $folders $folders $folders $folders -o too-many
ends 2 && printed err "there are too many like this" && [ ! -e too-many ]
report $? "more words than it takes are an error"
rm -r many*.o folder[0-9]*
capture "$simttutor" run program 5 more
[ "$status" = 3 ] && [ "$(cat "$work/out")" = "35 6 1" ] && printed err '1 launch, no problems, 1 leak' && printed err 'scale<<<1, 1>>>'
report $? "run gives a program its arguments, and its exit status, and reports on it"
capture "$simttutor" run --report none program 5
[ "$status" = 2 ] && printf '%s\n' "simttutor: it's \$(a) kernel.cu:8: 4 bytes of device memory, allocated here, were never freed" | cmp -s - "$work/err"
report $? "without a report is said what is wrong alone"
capture "$simttutor" run --report "$work/report" --report-json "$work/json" program 5
[ "$status" = 2 ] && grep -q 'What was wrong:' "$work/report" && grep -q '"kernel":"scale"' "$work/json"
report $? "reports are written where the program cannot"
grep -q '"kind":"launch".*"kernel":"scale".*"stream":0' "$work/json" && grep -q '"kind":"allocation"' "$work/json"
report $? "they have what the program asked for, in order"
capture "$simttutor" run --report none --view streams program 5
[ "$status" = 2 ] && [ "$(head -n 1 "$work/out")" = "35 6 1" ] && printed out '2 copies, 1 kernel, 1 stream' && printed out "default   "
report $? "the streams of a program are drawn after what it prints"
capture "$simttutor" run --view banks program 5
[ "$status" = 2 ] && printed err "expected streams, host or map"
report $? "a view of no program"
capture "$simttutor" run --view streams --report-json "$work/json" program 5
[ "$status" = 2 ] && printed err 'exclude each other'
report $? "the report that pictures are made of is not written twice"
capture "$simttutor" run --report "$work/none/report" program 5
[ "$status" = 127 ] && [ ! -s "$work/out" ] && printed err 'report: cannot be written'
report $? "a report that cannot be written is found before the program starts"
capture "$simttutor" run --check race,rice program 5
[ "$status" = 2 ] && printed err 'expected bounds'
report $? "a list of checks that is none"
capture "$simttutor" run --strict --error-exitcode 77 program 5
[ "$status" = 77 ]
report $? "a status for programs with faults, of which a leak is one where one is strict"
capture "$simttutor" cc -c "it's \$(a) kernel.cu" -Iheaders
[ "$status" = 1 ] && printed err "it's \$(a) kernel.cu:4:" && printed err FACTOR && ! printed err simttutor-unit
report $? "a compiler's messages name the reader's file"
cat > launching.cu << 'E'
__global__ void child() {}
__global__ void parent() { child<<<1, 1>>>(); }
int main() { parent<<<1, 1>>>(); }
E
capture "$simttutor" run launching.cu
[ "$status" = 1 ] && said err 'kernels that launch kernels (dynamic parallelism) are not emulated: the host has to launch them'
report $? "a kernel that launches kernels is explained"
capture "$simttutor" cc main.cpp -Qx
[ "$status" = 2 ] && printed err "unknown or ambiguous option '-Qx'"
report $? "an option that it does not know"
capture "$simttutor" cc main.cpp -Xcompiler '-O$(id)'
[ "$status" = 2 ] && printed err "letters, digits"
report $? "no word with a shell's characters reaches a compiler"
printf '#include <cusparse.h>\nint main() {}\n' > library.cu
capture "$simttutor" cc library.cu
[ "$status" = 1 ] && printed err "cusparse.h" && printed err 'cuSPARSE (cusparse.h) is a library of NVIDIA'
report $? "a library that is NVIDIA's is named as one"
printf '#include <unistd.h>\nint main() { cudaFree(0); write(1, "on\\n", 3); for (;;) pause(); }\n' > waiting.cu
"$simttutor" cc -o waiting waiting.cu
"$simttutor" run waiting > "$work/out" 2> "$work/err" &
for _ in $(seq 300); do
	[ ! -s "$work/out" ] || break
	sleep 0.1
done
kill -TERM $!
wait $!
[ $? = 143 ] && printed err 'signal 15' && ! printed err 'cannot be run'
report $? "a signal that ends it is named"
cat > part.cu << 'E'
__device__ int counted = 3;
__device__ int thrice(int v) { return 3 * v; }
E
cat > whole.cu << 'E'
#include <cstdio>
extern __device__ int counted;
__device__ int thrice(int v);
__global__ void use(int *p) { *p = thrice(*p) + counted; }
int main()
{
	int *p;
	cudaMallocManaged(&p, sizeof *p);
	*p = 5;
	use<<<1, 1>>>(p);
	int error = cudaDeviceSynchronize();
	printf("%d, error %d\n", *p, error);
	cudaFree(p);
}
E
capture "$simttutor" cc -dc part.cu whole.cu && ar rc libpart.a part.o && "$simttutor" cc whole.o libpart.a -o linked
[ -x linked ] && capture ./linked && [ "$(cat "$work/out")" = "18, error 0" ]
report $? "device code of an object and an archive is linked"
"$simttutor" cc -dlink whole.o part.o -o device.o && capture "$simttutor" cc whole.o part.o device.o -o linked &&
	capture ./linked && [ "$(cat "$work/out")" = "18, error 0" ]
report $? "and by -dlink"
capture "$simttutor" cc -rdc=true whole.cu -o linked && capture ./linked
printed err "thrice" && printed err "no body"
report $? "what no file defines is named"
sed 's/^__device__ int thrice/static &/' part.cu > other.cu
capture "$simttutor" cc -rdc=true whole.cu part.cu other.cu -o linked
printed err 'counted' || { capture ./linked; printed err 'counted is defined twice'; }
report $? "what two files define is named"
capture "$simttutor" cc main.cpp -rdc=maybe
[ "$status" = 2 ] && printed err "true or false"
report $? "device code is to be linked or not"
capture "$simttutor" cc missing.cu
[ "$status" = 3 ] && printed err "missing.cu: cannot be read"
report $? "a source that is not there"
capture "$simttutor" cc
[ "$status" = 2 ] && printed err "which file"
report $? "no file at all"

cat > echo.cu << 'E'
#include <cstdio>
#include <cstdlib>
#include <unistd.h>
#include <sys/socket.h>
__global__ void add(int *p) { atomicAdd(p, threadIdx.x); }
static const char *opens(const char *path, const char *mode) { return fopen(path, mode) ? "opened" : "refused"; }
int main(int argc, char **argv)
{
	char line[100] = "";
	int *p;
	cudaMallocManaged(&p, sizeof *p);
	add<<<1, 32>>>(p);
	cudaDeviceSynchronize();
	if (!fgets(line, sizeof line, stdin))
		return 9;
	printf("%d %s %s", *p, getenv("GREETING"), line);
	printf("made here: %s\n", opens("made", "w"));
	printf("beside the folder: %s %s\n", opens("../secret", "r"), opens("../new", "w"));
	printf("named: %s\n", argc > 1 ? opens(argv[1], "r") : "none");
	printf("a socket: %s\n", socket(AF_INET, SOCK_STREAM, 0) < 0 ? "refused" : "made");
	fflush(stdout);
	if (argc > 2)
		abort();
}
E
echo secret > ../secret
echo data > ../data
run_echo() { echo "a line" | GREETING=hello "$simttutor" run echo.cu "$@"; }
capture run_echo ../data
[ "$status" = 0 ] && [ "$(sed -n 1p "$work/out")" = "496 hello a line" ] && [ -e made ]
report $? "run compiles a source that has a main, and passes standard input and the environment on"
if ! confines; then
	skip "a program is confined" "this system has no Landlock or no seccomp"
else
	[ "$(tail -n 4 "$work/out")" = "made here: opened
beside the folder: refused refused
named: opened
a socket: refused" ]
	report $? "a program is confined"
fi
capture run_echo -- -x --abort
[ "$status" = 134 ] && printed err "ended by signal 6" && printed out "named: refused"
report $? "how a signal ended it; words after -- are the program's"
capture env SIMTTUTOR_PROGRAMS= SIMTTUTOR_CONFINE=no XDG_STATE_HOME="$work/state" "$simttutor" run echo.cu < /dev/null
[ "$status" = 3 ] && printed err "only after you agreed to that once" && printed err "give its launch with --grid and --block"
report $? "without agreement no program runs"
capture "$simttutor" run echo.cu --steps 7
[ "$status" = 2 ] && printed err "--steps is for a launch"
report $? "options of launches are refused"
capture "$simttutor" run nothing.cu --cc 90
[ "$status" = 3 ] && printed err "nothing.cu: cannot be read"
report $? "a source that is not there is not run"
cat > nomain.cu << 'E'
__global__ void add(int *p) { atomicAdd(p, threadIdx.x); }
E
capture "$simttutor" run nomain.cu
[ "$status" = 1 ] && printed err "it has no main()"
report $? "a source without main says what to give"
capture "$simttutor" run nomain.cu --grid 1 --block 32 --arg 'u32[1]' --print 0
printed out 496
report $? "with --grid and --block a kernel is launched"
cp "$(command -v sed)" plain
capture "$simttutor" run ./plain
[ "$status" = 1 ] && printed err "does not use libcudart"
report $? "a program that does not use the runtime"

# Headers of other folders: the example of a book includes "../common/book.h", and that what is beside it.
mkdir -p book/common book/ch5 book/.hidden "$work/other/deep"
printf '#include "more.h"\n' > book/common/book.h
printf '#define GREETING "hello"\n' > book/common/more.h
printf 'secret\n' > book/common/notes.txt
printf '#define GREETING "hidden"\n' | tee book/.hidden/h.h > book/ch5/beside.cuh
printf '#include "../common/book.h"\n#include <cstdio>\n__global__ void k() { printf(GREETING "\\n"); }\nint main() { k<<<1, 1>>>(); return cudaDeviceSynchronize(); }\n' > book/ch5/main.cu
capture "$simttutor" run book/ch5/main.cu
[ "$status" = 0 ] && [ "$(cat "$work/out")" = hello ]
report $? "a program includes headers of another folder, once programs may run"
capture "$simttutor" cc book/ch5/main.cu -o book/main
ends 0 && [ "$(book/main)" = hello ]
report $? "so it does with cc"
no_agreement() { SIMTTUTOR_PROGRAMS='' XDG_STATE_HOME=$work/asked sh -c 'unset SIMTTUTOR_PROGRAMS; exec "$@"' - "$@"; }
if ! confines; then
	skip "headers of other folders before that" "this system has no Landlock or no seccomp"
else
	capture no_agreement "$simttutor" cc book/ch5/main.cu -o book/main < /dev/null
	[ "$status" = 1 ] && printed err 'headers are included from book/ch5/../common' && printed err '-I book/ch5/../common allows it'
	report $? "before that a note says what allows it"
	capture no_agreement "$simttutor" run book/ch5/main.cu < /dev/null
	[ "$status" = 3 ] && printed err '--source book/ch5/../common allows it'
	report $? "with run, too"
	capture no_agreement "$simttutor" cc book/ch5/main.cu -Ibook/common -o book/main
	ends 0
	report $? "a folder that is named needs no agreement"
	sed 's|../common/book.h|../common/notes.txt|' book/ch5/main.cu > book/ch5/notes.cu
	sed 's|../common/book.h|../.hidden/h.h|' book/ch5/main.cu > book/ch5/hidden.cu
	sed "s|../common/book.h|$work/../../../etc/hostname|" book/ch5/main.cu > book/ch5/far.cu
	printf '#include "../common/link.h"\nint main() {}\n' > book/ch5/link.cu
	ln -s notes.txt book/common/link.h
	for name in notes hidden far link; do
		capture "$simttutor" cc "book/ch5/$name.cu" -o book/main
		[ "$status" = 1 ] && ! printed err 'secret'
		report $? "no other file is read by such a name: $name"
	done
	if command -v script > /dev/null; then
		asks() { # ANSWER COMMAND: on a terminal
			answer=$1 && shift
			printf '%s\n' "$answer" | XDG_STATE_HOME=$work/asked sh -c 'unset SIMTTUTOR_PROGRAMS; exec script -qec "$1" /dev/null' - "$*"
		}
		capture asks n "'$simttutor' run book/ch5/main.cu"
		[ "$status" = 3 ] && [ "$(grep -c 'includes headers from book/ch5/../common' "$work/out")" = 1 ] && [ "$(grep -c '\[y/N\]' "$work/out")" = 1 ]
		report $? "the one question lists the folders"
		capture asks y "'$simttutor' cc book/ch5/main.cu -o book/main"
		[ "$status" = 0 ] && printed out '[y/N]'
		report $? "cc asks it, too"
		capture asks n "'$simttutor' run book/ch5/main.cu"
		[ "$status" = 0 ] && ! printed out '[y/N]' && printed out hello
		report $? "and it is not asked again"
	else
		skip "the one question lists the folders" "needs script"
	fi
fi
printf '#include <cstdio>\r\n__global__ void k(int *a) {\r\n  a[threadIdx.x * 8] = 1;\r\n}\r\n' > windows.cu
capture "$simttutor" explore windows.cu --kernel k --grid 1 --block 32 --arg 'u32[256]' --linear
! grep -q '\\r' "$work/out" && printed out 'a[threadIdx.x * 8] = 1;'
report $? "the line ends of Windows are not shown"
cp nomain.cu own.cu
ln -s own.cu link
for output in own.cu link; do
	capture "$simttutor" cc own.cu -c -o "$output"
	[ "$status" = 1 ] && printed err "$output: there is a file already" && cmp -s own.cu nomain.cu
	report $? "a source is not replaced by what is made of it: $output"
done
capture "$simttutor" cc nomain.cu -c -o made.o && capture "$simttutor" cc nomain.cu -c -o made.o
ends 0
report $? "an object is"
# README.md shows what is printed, but for what differs between compilers: the time and the requests.
squeezed() { tr -d ' \t\n' | sed 's/[0-9.]*us100%[0-9]*100%/us/'; }
sed -n '/^cd tests\/programs/,/^```$/p' "$top_srcdir/README.md" | sed '1d; $d' | squeezed > "$work/shown"
capture_all sh -c 'cd "$0" && exec "$1" run homework.cu -- 4' "$top_srcdir/tests/programs" "$simttutor"
squeezed < "$work/out" > "$work/printed" && [ "$(wc -c < "$work/shown")" -gt 500 ] && cmp -s "$work/shown" "$work/printed"
report $? "README.md shows what its program prints"
echo 'extern "C" int nvrtcVersion(int *, int *); int main() { return nvrtcVersion(nullptr, nullptr) == 0; }' > asks.cpp
capture "$simttutor" cc asks.cpp -lnvrtc -lcuda -o asks
ends 0 && capture ./asks && ends 0
report $? "-lnvrtc is NVRTC as the runtime has it, whether NVIDIA's is here or not"
echo '__global__ void k(int *p) { *p = __shfl_down(*p, 1); } int main() { }' > older.cu
capture "$simttutor" cc older.cu -o older
[ "$status" != 0 ] && printed err '__shfl_down_sync(0xffffffff, value, 16)'
report $? "for a name that CUDA has taken away is said what there is today"
echo '__global__ void k() { cudaDeviceSynchronize(); } int main() { }' > waits.cu
capture "$simttutor" cc waits.cu -o waits
[ "$status" != 0 ] && { printed err 'since CUDA 12 kernels do not wait' || [ "$NVCC" = : ]; }
report $? "a kernel that waits for kernels that it launched is told why it cannot"
echo '#include <helper_functions.h>' > samples.cu
capture "$simttutor" cc samples.cu -o samples
[ "$status" != 0 ] && printed err 'of NVIDIA'"'"'s samples (cuda-samples, in Common), not of the toolkit'
report $? "a header that is of NVIDIA's samples is said to be"
cat > context.cu << 'E'
#include <cuda.h>
int main()
{
	CUcontext older, newer;
	cuInit(0);
	return cuCtxCreate(&older, 0, 0) || cuCtxCreate(&newer, nullptr, 0, 0) || cuCtxDestroy(newer) || cuCtxDestroy(older);
}
E
capture "$simttutor" cc context.cu -lcuda -o context
ends 0 && capture ./context && ends 0
report $? "a context is made in the form of CUDA 12 and of CUDA 13"
finish
