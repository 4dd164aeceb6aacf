// Counts the pairs whose last two bits are the same: each thread first, then a tree.
#include "clang.h"

#define THREADS 256
#define WARPS (THREADS / 32)

static __device__ __forceinline__ unsigned warp_sum(unsigned word)
{
	for (unsigned half = 16; half > 0; half /= 2)
		word += __shfl_down_sync(0xFFFFFFFF, word, half);
	return word;
}

// The sum of a block's words, for thread 0.
static __device__ __forceinline__ unsigned block_sum(unsigned word)
{
	__shared__ unsigned part[32];

	unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	word = warp_sum(word);
	if (lane == 0)
		part[warp] = word;
	__syncthreads();
	if (warp == 0)
		word = warp_sum(lane < WARPS ? part[lane] : 0);
	return word;
}

extern "C" __global__ void agree(const unsigned *a, const unsigned *b, unsigned *count, unsigned n)
{
	unsigned threads = gridDim.x * THREADS, hits = 0;
	for (unsigned i = blockIdx.x * THREADS + threadIdx.x; i < n; i += threads)
		hits += a[i] % 4 == b[i] % 4; //@ read
	hits = block_sum(hits);
	if (threadIdx.x == 0)
		atomicAdd(count, hits);
}
