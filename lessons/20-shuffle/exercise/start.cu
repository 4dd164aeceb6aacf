// The sum of each 256 values. Every round goes through shared memory, and every round waits for the whole block.
#include "clang.h"
// clang.h: what the kernel needs where CUDA's headers are missing. A mark as @ add says which line the pictures show: keep it.
#define THREADS 256

extern "C" __global__ void block_sum(const int *in, int *out, unsigned n)
{
	__shared__ int tile[THREADS];

	unsigned t = threadIdx.x, i = blockIdx.x * THREADS + t;
	tile[t] = i < n ? in[i] : 0;
	#pragma unroll 1
	for (unsigned d = THREADS / 2; d > 0; d /= 2) {
		__syncthreads();
		if (t < d)
			tile[t] += tile[t + d]; //@ add
	}
	if (t == 0)
		out[blockIdx.x] = tile[0];
}
