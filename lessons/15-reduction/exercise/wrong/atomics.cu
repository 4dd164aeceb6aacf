// Every thread adds to one word of shared memory: they queue up for it.
#include "clang.h"

#define COLORS 3
#define THREADS 256

extern "C" __global__ void block_sums(const unsigned *in, unsigned *out, unsigned words)
{
	__shared__ unsigned part[COLORS][32];
	unsigned t = threadIdx.x, first = blockIdx.x * THREADS + t;
	if (t < 32)
		for (unsigned c = 0; c < COLORS; c++)
			part[c][t] = 0;
	__syncthreads();
	for (unsigned c = 0; c < COLORS; c++)
		if (first < words)
			atomicAdd(&part[c][0], in[c * words + first]); //@ add
	__syncthreads();
	if (t == 0)
		for (unsigned c = 0; c < COLORS; c++)
			out[c * gridDim.x + blockIdx.x] = part[c][0];
}
