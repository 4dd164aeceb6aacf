// The words are loaded again after the barrier, as a second launch would have to.
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
	__shared__ unsigned sums[WARPS];

	unsigned t = threadIdx.x, i = blockIdx.x * THREADS + t;
	unsigned v = i < n ? in[i] : 0; //@ read
	unsigned sum = tile_sum(v, 32);
	if (t % 32 == 0)
		sums[t / 32] = sum;
	__syncthreads();
	sum = tile_sum(sums[t % WARPS], WARPS);
	if (t == 0)
		part[blockIdx.x] = sum;
	wait_for_grid(arrived, 1);

	unsigned total = 0;
	#pragma unroll 1
	for (unsigned k = t % 32; k < gridDim.x; k += 32)
		total += part[k];
	total = tile_sum(total, 32);
	if (i < n)
		out[i] = total - in[i];
}
