// Each warp adds its sum to one word that all blocks share: many more atomics at one address.
#include "clang.h"

#define ALL 0xFFFFFFFF
#define THREADS 256
#define WARPS (THREADS / 32)

// All threads of the grid wait here until all of its blocks have arrived, `round` times by now.
__device__ __forceinline__ void wait_for_grid(unsigned *arrived, unsigned round)
{
	__syncthreads();
	if (threadIdx.x == 0) {
		__threadfence();
		atomicAdd(arrived, 1u);
	}
	if (threadIdx.x < 32) {
		unsigned seen;
		do {
			seen = threadIdx.x == 0 ? atomicAdd(arrived, 0u) : 0;
			seen = __shfl_sync(ALL, seen, 0);
		} while (seen < round * gridDim.x);
		__threadfence();
	}
	__syncthreads();
}

// The sum of each tile of `width` lanes, in all of its lanes.
__device__ __forceinline__ unsigned tile_sum(unsigned v, unsigned width)
{
	#pragma unroll 1
	for (unsigned d = width / 2; d > 0; d /= 2)
		v += __shfl_xor_sync(ALL, v, d, width);
	return v;
}

extern "C" __global__ void others(const unsigned *in, unsigned *part, unsigned *out, unsigned *arrived, unsigned n)
{
	unsigned t = threadIdx.x, i = blockIdx.x * THREADS + t;
	unsigned v = i < n ? in[i] : 0; //@ read
	unsigned sum = tile_sum(v, 32);
	if (t % 32 == 0)
		atomicAdd(&part[0], sum);
	wait_for_grid(arrived, 1);

	unsigned total = part[0];
	if (i < n)
		out[i] = total - v;
}
