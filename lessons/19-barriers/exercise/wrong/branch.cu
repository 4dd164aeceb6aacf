// The barriers stand in the branch, where not all threads come.
#include "clang.h"

#define THREADS 128

extern "C" __global__ void block_scan(const int *in, int *out, unsigned n)
{
	__shared__ int tile[THREADS];

	unsigned t = threadIdx.x, i = blockIdx.x * THREADS + t;
	tile[t] = i < n ? in[i] : 0;
	#pragma unroll 1
	for (unsigned distance = 1; distance < THREADS; distance *= 2) {
		if (t >= distance) {
			__syncthreads();
			int left = tile[t - distance]; //@ add
			__syncthreads();
			tile[t] += left;
		}
	}
	if (i < n)
		out[i] = tile[t];
}
