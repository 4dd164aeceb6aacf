# clang alone, with CUDA's headers of ours: kernels by themselves, the lines of reports, and the headers of Thrust and CUB where they are
# installed. Whole programs: tests/programs.sh. Prints TAP.
. "${top_srcdir:=.}/tests/tap.sh" || exit 99
if nm "$top_builddir/src/runtime/libcudart.so.13" | grep -q '__asan_init\|__tsan_init'; then
	skip_all "a library with sanitizers needs a program with them"
fi
case $("${CLANG:-clang}" --version 2> /dev/null) in
*"clang version 1"[4-9]*) ;;
*) skip_all "needs clang" ;;
esac
nvcc=$(command -v "${NVCC:-nvcc}" 2> /dev/null || echo /none/bin/nvcc)
toolkit=${nvcc%/bin/*}/include
NVCC=: SIMTTUTOR_PROGRAMS=yes
export NVCC SIMTTUTOR_PROGRAMS
mkdir "$work/project" && cd "$work/project" || exit 99

# --- a kernel by itself ------------------------------------------------------------------------------------------------
cat > main.cu << 'E'
#include <iostream>
__global__ void twice(int *a) { a[threadIdx.x] *= 2; }
int main()
{
	int *a;
	cudaMalloc(&a, 128);
	cudaMemset(a, 0, 128);
	dim3 block(32, 1);
	twice<<<1, block>>>(a);
	std::cout << cudaGetErrorString(cudaDeviceSynchronize()) << std::endl;
	cudaFree(a);
}
E
capture "$simttutor" run main.cu
[ "$status" = 0 ] && [ "$(cat "$work/out")" = "no error" ]
report $? "a program with a kernel and <iostream>"

elements() { tr -d ' \n' < "$work/out" | grep -o '"0":\[[^]]*' | cut -d '[' -f 2; }
capture "$simttutor" run main.cu --kernel twice --grid 1 --block 32 --arg 's32[32]:iota' --print 0 --format json
ends 0 && [ "$(elements | cut -d , -f 1-5)" = 0,2,4,6,8 ]
report $? "a kernel of the same file runs by itself"

cat > parts.cu << 'E'
#include <cmath>
#include <cuda_fp16.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void sums(float *a)
{
	auto warp = cg::tiled_partition<32>(cg::this_thread_block());
	a[threadIdx.x] = cg::reduce(warp, exp2f(__half2float(__float2half(a[threadIdx.x]))), cg::plus<float>());
}
E
capture "$simttutor" run parts.cu --grid 1 --block 32 --arg 'f32[32]:=1' --print 0 --format json
ends 0 && [ "$(elements | cut -d , -f 1)" = 64 ]
report $? "a kernel by itself may include CUDA's headers and call mathematical functions"

printf '__global__ void k(int *p)\n{\n\tp[0] = oops;\n}\n' > wrong.cu
capture "$simttutor" run wrong.cu --grid 1 --block 32 --arg 's32[32]'
ends 1 && printed err "wrong.cu:3:9: error: use of undeclared identifier 'oops'" && [ "$(grep -c "'oops'" "$work/err")" = 1 ]
report $? "a mistake is shown once, at its place"

printf '#include <cutlass/cutlass.h>\n__global__ void k(int *p) { *p = 1; }\n' > theirs.cu
capture "$simttutor" run theirs.cu --grid 1 --block 32 --arg 's32[32]'
ends 1 && said err "a library of NVIDIA's, which clang alone does not have"
report $? "a header of a library that is not here is explained for a kernel"

printf '#include <thrust/none_such.h>\nint main() { }\n' > thrust.cu
capture "$simttutor" run thrust.cu
ends 1 && said err 'libthrust-dev' && said err '--source FOLDER'
report $? "a header of Thrust that is not here: where to get it, and how to name its folder"

# --- lines ---------------------------------------------------------------------------------------------------------------
# The compiler moves the load of part[t] before the loop, and leaves it without a line.
cat > moved.cu << 'E'
#include <cstdio>
__global__ void sum(const float *a, float *out, int n)
{
	__shared__ float part[64];
	int t = threadIdx.x, each = (n + 63) / 64;
	for (int i = t * each; i < min((t + 1) * each, n); i++)
		part[t] += a[i];
	__syncthreads();
	for (int s = 32; s; s /= 2) {
		if (t < s)
			part[t] += part[t + s];
		__syncthreads();
	}
	if (!t)
		*out = part[0];
}
int main()
{
	float h[256], *a, *o;
	for (float &x : h)
		x = 1;
	cudaMalloc(&a, sizeof h);
	cudaMalloc(&o, 4);
	cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
	sum<<<1, 64>>>(a, o, 256);
	cudaMemcpy(h, o, 4, cudaMemcpyDeviceToHost);
	printf("%g\n", h[0]);
	cudaFree(a);
	cudaFree(o);
}
E
capture "$simttutor" run moved.cu
[ "$status" = 0 ] && grep -q 'moved.cu:[67]: uninitialized read' "$work/err" && ! printed err 'PTX line'
report $? "a load that the compiler moved is reported at a line of the source"
capture "$simttutor" run moved.cu --kernel sum --grid 1 --block 64 --arg 'f32[256]' --arg 'f32[1]' --arg s32:256
[ "$status" = 1 ] && has 'uninitialized shared memory.*line [67][^0-9]' && ! printed out 'PTX line'
report $? "and so it is of a kernel by itself"

# --- cooperative groups ----------------------------------------------------------------------------------------------------
# Tiles of several warps: they meet, hand on values, add and scan.
cat > large.cu << 'E'
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
namespace cg = cooperative_groups;
template <unsigned Size> __global__ void tiles(int *wrong)
{
	auto block = cg::this_thread_block();
	auto tile = cg::tiled_partition<Size>(block);
	__shared__ int part[256];
	int t = (int)block.thread_rank(), r = (int)tile.thread_rank(), first = t - r, bad = 0;
	for (int round = 0; round < 3; round++) {
		part[t] = t + round;
		tile.sync();
		bad += part[first + (r + 40) % (int)Size] != first + (r + 40) % (int)Size + round;
		tile.sync();
	}
	bad += tile.shfl(t, 35) != first + 35;
	bad += tile.any(r == 63) != 1 || tile.any(r == (int)Size) != 0 || tile.all(r < (int)Size) != 1 || tile.all(r < 40) != 0;
	int n = (int)Size, sum = n * first + n * (n - 1) / 2;
	bad += cg::reduce(tile, t, cg::plus<int>()) != sum;
	bad += cg::reduce(tile, t, cg::greater<int>()) != first + n - 1;
	bad += cg::inclusive_scan(tile, 2) != 2 * (r + 1);
	bad += cg::exclusive_scan(tile, 3) != 3 * r;
	auto warp = cg::tiled_partition<32>(tile);
	bad += (int)warp.meta_group_rank() != r / 32 || warp.meta_group_size() != Size / 32;
	if (bad)
		atomicAdd(wrong, bad);
	if (Size == 64 && t == 96)
		wrong[1] = (int)tile.meta_group_size(), wrong[2] = (int)tile.meta_group_rank(), wrong[3] = r, wrong[4] = (int)tile.size();
}
int main()
{
	int h[5], *wrong;
	cudaMalloc(&wrong, sizeof h);
	cudaMemset(wrong, 0, sizeof h);
	tiles<64><<<2, 256>>>(wrong);
	tiles<128><<<2, 256>>>(wrong);
	tiles<256><<<1, 256>>>(wrong);
	cudaMemcpy(h, wrong, sizeof h, cudaMemcpyDeviceToHost);
	printf("%d wrong\n%d tiles of 64, rank %d of %d, %d of %d\n", h[0], h[1], h[2], h[1], h[3], h[4]);
	cudaFree(wrong);
}
E
capture "$simttutor" run large.cu
[ "$status" = 0 ] && [ "$(cat "$work/out")" = "0 wrong
4 tiles of 64, rank 1 of 4, 32 of 64" ] && printed err 'no problems'
report $? "tiles of more than 32 threads"

# --- Thrust and CUB ------------------------------------------------------------------------------------------------------
cat > sorted.cu << 'E'
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cstdio>
struct axpy {
	int a;
	__host__ __device__ int operator()(int x, int y) const
	{
		return a * x + y;
	}
};
__global__ void blocks(const int *in, int *out)
{
	using reduce = cub::BlockReduce<int, 64>;
	using scan = cub::BlockScan<int, 64>;
	__shared__ typename reduce::TempStorage r;
	__shared__ typename scan::TempStorage s;
	int v = in[threadIdx.x], sum = reduce(r).Sum(v), before;
	scan(s).ExclusiveSum(v, before);
	out[threadIdx.x] = threadIdx.x ? before : sum;
}
int main()
{
	const int n = 1 << 14;
	thrust::host_vector<int> h(n);
	for (int i = 0; i < n; i++)
		h[i] = (int)(i * 7919u % n);
	thrust::device_vector<int> v = h, w(64);
	thrust::sort(v.begin(), v.end());
	h = v;
	int wrong = 0;
	for (int i = 0; i < n; i++)
		wrong += h[i] != i;
	blocks<<<1, 64>>>(thrust::raw_pointer_cast(v.data()), thrust::raw_pointer_cast(w.data()));
	printf("%d %d %d %d\n", wrong, thrust::reduce(v.begin(), v.begin() + 100), (int)w[0], (int)w[63]);
	thrust::transform(v.begin(), v.end(), v.begin(), v.begin(), axpy{2});
	thrust::inclusive_scan(v.begin(), v.begin() + 10, v.begin());
	printf("%d %d\n", (int)v[9], (int)v[10]);
}
E
printf '0 4950 2016 1953\n135 30\n' > sorted.txt
# A C++ compiler sees types, and the functions of the host.
cat > states.cpp << 'E'
#include <cuda_runtime.h>
#include <device_launch_parameters.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <curand_kernel.h>
#include <cuda_fp16.h>
#include <cstdio>
int main()
{
	curandState *states;
	curandStatePhilox4_32_10_t philox;
	if (cudaMalloc(&states, 10 * sizeof *states) != cudaSuccess || cudaFree(states) != cudaSuccess)
		return 1;
	printf("%zu %zu\n", sizeof *states, sizeof philox);
}
E
capture "$simttutor" cc states.cpp -o states
ends 0 && capture ./states && ends 0 && printed out '48 64'
report $? "headers that sources of C++ name, too"
cat > plain.c << 'E'
#include <cuda_runtime.h>
#include <stdio.h>
void start(dim3 grid, float4 *values, cudaStream_t stream);
int main(void)
{
	struct cudaDeviceProp properties;
	float4 value = make_float4(1, 2, 3, 4), *there;
	cudaStream_t stream;
	dim3 grid = {2, 1, 1};
	if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess || properties.warpSize != 32)
		return 1;
	cudaStreamCreate(&stream);
	cudaMalloc((void **)&there, sizeof value);
	cudaMemcpyAsync(there, &value, sizeof value, cudaMemcpyHostToDevice, stream);
	start(grid, there, stream);
	cudaMemcpyAsync(&value, there, sizeof value, cudaMemcpyDeviceToHost, stream);
	cudaStreamSynchronize(stream);
	cudaStreamDestroy(stream);
	cudaFree(there);
	printf("%g %g\n", value.x, value.w);
	return 0;
}
E
cat > starts.cu << 'E'
__global__ void add(float4 *v)
{
	atomicAdd(&v->x, 1.0f);
}
extern "C" void start(dim3 grid, float4 *values, cudaStream_t stream)
{
	add<<<grid, 32, 0, stream>>>(values);
}
E
capture "$simttutor" cc -c plain.c -o plain.o
ends 0 && capture "$simttutor" cc starts.cu plain.o -o starts && ends 0 && capture ./starts && ends 0 && printed out '65 4'
report $? "a source of C calls the runtime"
cat > waits.cu << 'E'
template <class T> __host__ __device__ cudaError_t wait_for(T on_host)
{
	return on_host ? cudaSuccess : __cudaDeviceSynchronizeDeprecationAvoidance();
}
int main() { return wait_for(1); }
E
capture "$simttutor" run waits.cu
ends 0
report $? "the name by which CUB of 2022 waits in a kernel"
sorts() { # NAME FOLDER WORDS...
	name=$1 folder=$2
	shift 2
	if [ ! -f "$folder/thrust/device_vector.h" ]; then
		skip "$name" "it is not here"
		return
	fi
	capture "$simttutor" run "$@" sorted.cu
	[ "$status" = 0 ] && cmp -s "$work/out" sorted.txt && printed err 'no problems'
	report $? "$name"
}
sorts "Thrust and CUB of a package, by clang" /usr/include
sorts "Thrust and CUB of the folder in SIMTTUTOR_TEST_CCCL, by clang" "${SIMTTUTOR_TEST_CCCL:-/none}" --source "${SIMTTUTOR_TEST_CCCL:-/none}"
if long; then
	SIMTTUTOR_COMPILER_SECONDS=300
	export SIMTTUTOR_COMPILER_SECONDS
	sorts "Thrust and CUB of CUDA's toolkit, by clang" "$toolkit/cccl" --source "$toolkit/cccl"
	if [ -x "$nvcc" ]; then
		"$nvcc" -arch=compute_75 -cudart shared -o sorted sorted.cu > "$work/err" 2>&1 &&
			capture env LD_LIBRARY_PATH="$top_builddir/src/runtime" ./sorted && cmp -s "$work/out" sorted.txt
		report $? "Thrust by nvcc for an older GPU than the one that runs it"
	else
		skip "Thrust by nvcc for an older GPU than the one that runs it" "needs nvcc"
	fi
fi
finish
