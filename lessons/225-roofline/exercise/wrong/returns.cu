// Threads without a number leave before the barrier.
#include "clang.h"

#define TILE 256

extern "C" __global__ void spread(const int *in, int *out, unsigned n)
{
	__shared__ int tile[TILE];

	unsigned t = threadIdx.x, i = blockIdx.x * TILE + t;
	if (i >= n)
		return;
	int own = in[i], sum = 0;
	for (unsigned first = 0; first < n; first += TILE) {
		if (first + t < n)
			tile[t] = in[first + t]; //@ read
		__syncthreads();
		for (unsigned k = 0; k < TILE && first + k < n; k++)
			sum += own < tile[k] ? tile[k] - own : own - tile[k];
		__syncthreads();
	}
	if (i < n)
		out[i] = sum;
}
