// An atomic for each warp.
#include "clang.h"

#define THREADS 256

static __device__ __forceinline__ unsigned warp_sum(unsigned word)
{
	for (unsigned half = 16; half > 0; half /= 2)
		word += __shfl_down_sync(0xFFFFFFFF, word, half);
	return word;
}

extern "C" __global__ void agree(const unsigned *a, const unsigned *b, unsigned *count, unsigned n)
{
	unsigned threads = gridDim.x * THREADS, hits = 0;
	for (unsigned i = blockIdx.x * THREADS + threadIdx.x; i < n; i += threads)
		hits += a[i] % 4 == b[i] % 4; //@ read
	hits = warp_sum(hits);
	if (threadIdx.x % 32 == 0)
		atomicAdd(count, hits);
}
