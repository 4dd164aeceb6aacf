// Uses the first tile alone.
#include "clang.h"

#define TILE 256

extern "C" __global__ void spread(const int *in, int *out, unsigned n)
{
	__shared__ int tile[TILE];

	unsigned t = threadIdx.x, i = blockIdx.x * TILE + t;
	int own = i < n ? in[i] : 0, sum = 0;
	for (unsigned first = 0; first < 1; first += TILE) {
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
