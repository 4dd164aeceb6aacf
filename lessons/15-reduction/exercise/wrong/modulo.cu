// No conflicts, but few lanes of each warp add.
#include "clang.h"

#define COLORS 3
#define THREADS 256

extern "C" __global__ void block_sums(const unsigned *in, unsigned *out, unsigned words)
{
	__shared__ unsigned part[COLORS][THREADS];
	unsigned t = threadIdx.x, first = blockIdx.x * THREADS + t;

	for (unsigned c = 0; c < COLORS; c++)
		part[c][t] = first < words ? in[c * words + first] : 0;
	__syncthreads();
	for (unsigned step = 1; step < THREADS; step *= 2) {
		if (t % (2 * step) == 0)
			#pragma unroll 1
			for (unsigned c = 0; c < COLORS; c++)
				part[c][t] += part[c][t + step]; //@ add
		__syncthreads();
	}
	if (t == 0)
		for (unsigned c = 0; c < COLORS; c++)
			out[c * gridDim.x + blockIdx.x] = part[c][0];
}
