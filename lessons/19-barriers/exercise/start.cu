// Running sums: within its block, each value is replaced by the sum of all values up to it. Round after round, each
// thread adds what stands 1, 2, 4, ... places to its left. The threads do not wait for one another.
#include "clang.h"
// clang.h: what the kernel needs where CUDA's headers are missing. A mark as @ add says which line the pictures show: keep it.
#define THREADS 128

extern "C" __global__ void block_scan(const int *in, int *out, unsigned n)
{
	__shared__ int tile[THREADS];

	unsigned t = threadIdx.x, i = blockIdx.x * THREADS + t;
	tile[t] = i < n ? in[i] : 0;
	#pragma unroll 1
	for (unsigned distance = 1; distance < THREADS; distance *= 2) {
		if (t >= distance)
			tile[t] += tile[t - distance]; //@ add
	}
	if (i < n)
		out[i] = tile[t];
}
