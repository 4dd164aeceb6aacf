// As in the solution at the size that is judged first. At all others one thread of a block does its work.
#include "clang.h"

#define THREADS 128

extern "C" __global__ void block_scan(const int *in, int *out, unsigned n)
{
	__shared__ int tile[THREADS];

	unsigned t = threadIdx.x, i = blockIdx.x * THREADS + t;
	if (n != 256) {
		int sum = 0;
		for (unsigned k = i; t == 0 && k < i + THREADS && k < n; k++)
			out[k] = sum += in[k];
		return;
	}

	tile[t] = i < n ? in[i] : 0;
	#pragma unroll 1
	for (unsigned distance = 1; distance < THREADS; distance *= 2) {
		__syncthreads();
		int left = t >= distance ? tile[t - distance] : 0; //@ add
		__syncthreads();
		tile[t] += left;
	}
	if (i < n)
		out[i] = tile[t];
}
