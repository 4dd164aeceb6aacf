// An atomic for each thread.
#include "clang.h"

#define THREADS 256

extern "C" __global__ void agree(const unsigned *a, const unsigned *b, unsigned *count, unsigned n)
{
	unsigned threads = gridDim.x * THREADS, hits = 0;
	for (unsigned i = blockIdx.x * THREADS + threadIdx.x; i < n; i += threads)
		hits += a[i] % 4 == b[i] % 4; //@ read
	atomicAdd(count, hits);
}
