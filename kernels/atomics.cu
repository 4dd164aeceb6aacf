// Many threads change the same words: with and without atomics, and ways to make them meet less often.
#include "clang.h"

#define ALL 0xFFFFFFFF
#define BINS 32

// Every block counts itself.
extern "C" __global__ void arrive_plain(int *count)
{
	if (threadIdx.x == 0)
		*count = *count + 1; //@ arrive_plain
}

extern "C" __global__ void arrive_atomic(int *count)
{
	if (threadIdx.x == 0)
		atomicAdd(count, 1); //@ arrive_atomic
}

// The threads count in `counters` words, in turn.
extern "C" __global__ void take_turns(int *count, unsigned counters)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	atomicAdd(&count[i % counters], 1); //@ turn
}

// How many values are multiples of `divisor`?
extern "C" __global__ void multiples_lane(const unsigned *in, int *count, unsigned divisor)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (in[i] % divisor == 0)
		atomicAdd(count, 1); //@ add_lane
}

extern "C" __global__ void multiples_warp(const unsigned *in, int *count, unsigned divisor)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned hits = __ballot_sync(ALL, in[i] % divisor == 0);
	if (threadIdx.x % 32 == 0)
		atomicAdd(count, __popc(hits)); //@ add_warp
}

// One counter for all threads. With `step` 0 both have the same addresses, but the compiler knows it of the first only.
extern "C" __global__ void count_fixed(int *count, unsigned step)
{
	atomicAdd(count, 1); //@ add_fixed
}

extern "C" __global__ void count_computed(int *count, unsigned step)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	atomicAdd(&count[i * step], 1); //@ add_computed
}

// How often does each value modulo `used` occur? One histogram for all threads.
extern "C" __global__ void histogram_common(const unsigned *in, int *bins, unsigned n, unsigned used)
{
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		unsigned bin = in[i] % used;
		atomicAdd(&bins[bin], 1); //@ bin_common
	}
}

// A histogram for each block, added to the common one at the end.
extern "C" __global__ void histogram_private(const unsigned *in, int *bins, unsigned n, unsigned used)
{
	__shared__ int mine[BINS];

	unsigned t = threadIdx.x;
	#pragma unroll 1
	for (unsigned bin = t; bin < BINS; bin += blockDim.x)
		mine[bin] = 0;
	__syncthreads();
	for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
		unsigned bin = in[i] % used;
		atomicAdd(&mine[bin], 1); //@ bin_private
	}
	__syncthreads();
	#pragma unroll 1
	for (unsigned bin = t; bin < BINS; bin += blockDim.x)
		atomicAdd(&bins[bin], mine[bin]); //@ flush
}
