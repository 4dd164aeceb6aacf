// One barrier a round: a thread adds to its word while another still reads it.
#include "clang.h"

#define THREADS 128

extern "C" __global__ void block_scan(const int *in, int *out, unsigned n)
{
	__shared__ int tile[THREADS];

	unsigned t = threadIdx.x, i = blockIdx.x * THREADS + t;
	tile[t] = i < n ? in[i] : 0;
	#pragma unroll 1
	for (unsigned distance = 1; distance < THREADS; distance *= 2) {
		__syncthreads();
		if (t >= distance)
			tile[t] += tile[t - distance]; //@ add
	}
	if (i < n)
		out[i] = tile[t];
}
