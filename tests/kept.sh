# Launches of whole programs in files: run --record keeps them, run and debug open them elsewhere, and debug --launch stops a program there.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
if nm "$top_builddir/src/runtime/libcudart.so.13" | grep -q '__asan_init\|__tsan_init'; then
	skip_all "a library with sanitizers needs a program with them"
fi
case $("${CLANG:-clang}" --version 2> /dev/null) in
*"clang version 1"[4-9]*) NVCC=: && export NVCC ;;
*) skip_all "needs clang" ;;
esac
grep -q '^#define HAVE_LIBDW' "$top_builddir/config.h" || skip_all "built without libdw"
SIMTTUTOR_PROGRAMS=yes
export SIMTTUTOR_PROGRAMS
programs=$(cd "$top_srcdir/tests/programs" && pwd)
mkdir "$work/project" "$work/elsewhere" && cd "$work/project" || exit 99
cat > chain.cu << 'E'
#include <cstdio>
#include <cuda_runtime.h>
__constant__ int table[4] = {1, 2, 3, 4};
__device__ int counter;
struct node {
	float v;
	node *next;
};
__global__ void scale(float *p, int n, float f)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		p[i] = p[i] * f + table[i % 4];
	if (i == 0)
		counter++;
}
__global__ void walk(const node *list, float *sum)
{
	float s = counter;
	for (; list; list = list->next)
		s += list->v;
	*sum = s;
}
int main()
{
	float *p, *s, h;
	node *list, *host = new node[10];
	cudaMalloc(&p, 1000 * sizeof *p);
	cudaMalloc(&s, sizeof *s);
	cudaMalloc(&list, 10 * sizeof *list);
	for (int i = 0; i < 10; i++)
		host[i] = {float(i), i < 9 ? list + i + 1 : nullptr};
	cudaMemcpy(list, host, 10 * sizeof *list, cudaMemcpyHostToDevice);
	cudaMemset(p, 0, 1000 * sizeof *p);
	printf("begun\n");
	scale<<<8, 128>>>(p, 1000, 2);
	scale<<<8, 128>>>(p, 1000, 3);
	walk<<<1, 1>>>(list, s);
	cudaMemcpy(&h, s, sizeof h, cudaMemcpyDeviceToHost);
	printf("%g\n", h);
	cudaFree(p);
	cudaFree(s);
	cudaFree(list);
	delete[] host;
	return 5;
}
E
second=$(grep -n 'p, 1000, 3' chain.cu | cut -d: -f1)
third=$(grep -n 'walk<<<' chain.cu | cut -d: -f1)
sum=$(grep -n 's += list' chain.cu | cut -d: -f1)

# --- keeping, and opening elsewhere -----------------------------------------------------------------------------------

capture "$simttutor" run chain.cu --record new/kept
[ "$status" = 5 ] && printed out 47 && [ "$(cd new/kept && echo *)" = "0001-scale.launch 0002-scale.launch 0003-walk.launch" ]
report $? "run --record keeps every launch, and the program is as ever"
mv new/kept "$work/elsewhere" && mv chain.cu "$work/chain.cu" && cd "$work/elsewhere/kept" || exit 99
for file in *.launch; do
	capture "$simttutor" run "$file"
	ends 0 && printed out 'of its program, at chain.cu:' && printed out 'memory after it is bit for bit what was kept'
	report $? "$file runs elsewhere as it did, without its program and its source"
done
printed out 's += list->v;'
report $? "its source is in the file"
capture "$simttutor" run 0003-walk.launch --format json
ends 0 && [ "$(at kept.launch)" = 3 ] && printed out "\"place\": \"chain.cu:$third\"" && [ "$(at kept.differing_bytes)" = 0 ]
report $? "as JSON"
capture "$simttutor" run 0001-scale.launch --grid 2 --block 32
[ "$status" = 2 ] && said err 'has its own configuration'
report $? "what it has already cannot be given, too"
printf 'break %s\nc\nprint %%tid.x\n' "$sum" > commands
capture "$simttutor" debug 0003-walk.launch --commands commands
printed out "line $sum  " && printed out 'Breakpoint 1'
report $? "the debugger opens it"
capture "$simttutor" explore 0003-walk.launch --line "$sum"
ends 0 && has "^Line $sum, which is watched: " && has '^  s += list->v;$' && has ', measured: not launched\.'
report $? "the explorer opens it, with its source"
capture "$simttutor" explore 0003-walk.launch --format text --size 80x24
ends 0 && printed out "launch 3 of its program, at chain.cu:$third"
report $? "and says which it is"
capture "$simttutor" explore 0001-scale.launch --compare 0002-scale.launch
ends 0 && has '^compare, ' && has 'launch 1 of its program, at .* launch 2 of its program'
report $? "two launches beside each other"
capture "$simttutor" explore 0001-scale.launch --grid 2 --block 32
[ "$status" = 2 ] && said err 'has its own configuration'
report $? "the explorer takes no other configuration either"

cp 0001-scale.launch damaged.launch
printf '\377' | dd of=damaged.launch bs=1 seek=900 conv=notrunc 2> /dev/null
capture "$simttutor" run damaged.launch
[ "$status" = 3 ] && printed err 'the file is damaged: its checksum'
report $? "a damaged file is refused"
head -c 2000 0001-scale.launch > short.launch
capture "$simttutor" run short.launch
[ "$status" = 3 ] && printed err 'the file is damaged: its length'
report $? "one that is cut short is refused"
capture "$simttutor" explore short.launch
[ "$status" = 3 ] && printed err 'the file is damaged: its length'
report $? "by the explorer, too"
echo text > text.launch
capture "$simttutor" debug text.launch --commands commands
[ "$status" = 3 ] && printed err 'no launch that --record has kept'
report $? "one that is something else is refused"

# --- choosing, and stopping there -------------------------------------------------------------------------------------

cd "$work/project" && mv "$work/chain.cu" . || exit 99
capture "$simttutor" run chain.cu --record some --launches "line=$second,kernel=walk"
[ "$status" = 5 ] && [ "$(cd some && echo *)" = "0002-scale.launch 0003-walk.launch" ]
report $? "launches are chosen by their line in the program and by their kernel"
echo step > once
for which in 3 kernel=walk "line=$third"; do
	capture "$simttutor" debug chain.cu --launch "$which" --commands once
	ends 0 && printed out begun && ! printed out 47 && printed out 'step 1  block 0 warp 0  line '
	report $? "debug stops the program at the launch: --launch ${which%%[=]*}"
done
capture "$simttutor" debug chain.cu --launch 9 --commands once
[ "$status" = 1 ] && printed err 'ended, with status 5, and has made no such launch: 9'
report $? "a launch that the program does not make"
capture "$simttutor" debug chain.cu --launch 3-4 --commands once
[ "$status" = 2 ] && printed err 'kernel=NAME or line=N'
report $? "one launch, and not several"
capture env SIMTTUTOR_CONFINE=no "$simttutor" debug chain.cu --launch kernel=scale --commands once
ends 0 && printed out 'step 1  block 0 warp 0'
report $? "also where nothing is confined"
capture "$simttutor" --gpu none explore chain.cu --launch kernel=walk --line "$sum"
ends 0 && has '^walk, in chain.cu\.$' && has "^Line $sum, which is watched: "
report $? "the explorer stops it there, too"
capture "$simttutor" --gpu none explore chain.cu --launch 9
[ "$status" = 1 ] && printed err 'has made no such launch: 9'
report $? "and knows of no other"
capture "$simttutor" --gpu none explore chain.cu --sweep n=1,2
[ "$status" = 2 ] && printed err '--sweep is for a launch'
report $? "nothing of a program is turned"

# --- on a GPU, too ----------------------------------------------------------------------------------------------------

cat > plain.cu << 'E'
#include <cstdio>
#include <cuda_runtime.h>
__global__ void fill(unsigned n, int by, int *p) { p[threadIdx.x] = threadIdx.x * by + n; }
__global__ void copy(const int *from, int *to) { to[threadIdx.x] = from[2 * threadIdx.x]; }
int main()
{
	int *p, *q, h[64];
	cudaMalloc(&p, 1024);
	cudaMalloc(&q, 256);
	fill<<<1, 128>>>(3, 5, p);
	copy<<<1, 64>>>(p, q);
	copy<<<1, 32>>>(p + 2, q);
	cudaMemcpy(h, q, sizeof h, cudaMemcpyDeviceToHost);
	printf("%d\n", h[3]);
	cudaFree(p);
	cudaFree(q);
}
E
capture "$simttutor" run plain.cu --live --launches 1-2 --gpu "command:'$fake' count"
[ "$status" = 0 ] && [ "$(cat "$work/out")" = 43 ] && [ "$(grep -c 'every buffer is bit for bit that of Fake GPU' "$work/err")" = 2 ] &&
	said err 'global load requests 2 = 2 requests' && printed err 'launch 2 of its program, at plain.cu:11'
report $? "--live: launches on the GPU, too, bytes compared and counters beside predictions; output stays the program's"
capture "$simttutor" run plain.cu --live --launches 2 --gpu "command:'$fake' flip"
[ "$status" = 1 ] && printed err 'argument 1 differs in 1 of 64 elements, first in element 0'
report $? "a byte that differs on the GPU is found"
capture "$simttutor" run plain.cu --live --launches 3 --gpu "command:'$fake' no-addresses"
[ "$status" = 1 ] && said err 'cannot be launched on a GPU from here: a parameter points into the middle of a buffer, and this GPU'
report $? "a launch whose memory the worker cannot be given is named with the reason"
capture "$simttutor" run chain.cu --live --launches 3 --gpu "command:'$fake' count"
said err 'cannot be launched on a GPU from here: variables of its module were written before' && printed out 47
report $? "so is one whose variables are not new"
cp "$programs/pointers.cu" .
capture "$simttutor" run pointers.cu --live --gpu "command:'$fake' count"
[ "$status" = 0 ] && [ "$(grep -c 'every buffer is bit for bit that of Fake GPU' "$work/err")" = 5 ] &&
	[ "$(grep -c 'at the addresses that they have here' "$work/err")" = 5 ] && said err 'global load requests 154 = 154 requests'
report $? "--live: memory with addresses in it is where the machine has it, and compared there"
at_line=$(grep -n 'cudaMalloc(&d_list' pointers.cu | cut -d: -f1)
capture "$simttutor" run pointers.cu --live --launches 1 --gpu "command:'$fake' flip"
[ "$status" = 1 ] && printed err "memory after it differs in 1 byte of 1 buffer, first at 0x" &&
	printed err ", byte 0 of 160 allocated at pointers.cu:$at_line: the machine has 0x00, Fake GPU 0x01"
report $? "a byte of it that differs is found"
capture "$simttutor" run plain.cu --record keep --launches 1
capture "$simttutor" run keep/0001-fill.launch --live --gpu "command:'$fake' count"
ends 0 && printed out 'every buffer is bit for bit that of Fake GPU' && printed out 'launch 1 of its program, at plain.cu:10'
report $? "a file of a launch runs on a GPU elsewhere"

# --- what the host does meanwhile -------------------------------------------------------------------------------------

# What the host writes meanwhile is not in the file, and the difference says so.
cat > mapped.cu << 'E'
#include <cuda_runtime.h>
__global__ void wait(volatile int *flag, int *out)
{
	flag[1] = 1;
	while (!flag[0])
		;
	*out = flag[0];
}
int main()
{
	volatile int *flag;
	int *out;
	cudaHostAlloc((void **)&flag, 2 * sizeof *flag, cudaHostAllocMapped);
	cudaMalloc(&out, sizeof *out);
	flag[0] = flag[1] = 0;
	wait<<<1, 1>>>(flag, out);
	while (!flag[1])
		;
	flag[0] = 3;
	cudaDeviceSynchronize();
	cudaFree(out);
	cudaFreeHost((void *)flag);
}
E
capture "$simttutor" run mapped.cu --record mapped
capture "$simttutor" run mapped/0001-wait.launch --steps 10000
[ "$status" = 1 ] && said out 'not compared, as it did not come to its end' && said out 'the host could write some of its memory while it ran'
report $? "what the host wrote while a launch ran is not in its file, which is said"
finish
