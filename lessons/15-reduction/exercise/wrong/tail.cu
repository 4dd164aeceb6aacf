// Reads past the last word of a color.
#include "clang.h"

#define COLORS 3
#define THREADS 256

extern "C" __global__ void block_sums(const unsigned *in, unsigned *out, unsigned words)
{
	__shared__ unsigned part[COLORS][THREADS];
	unsigned t = threadIdx.x, first = blockIdx.x * THREADS + t;

	for (unsigned c = 0; c < COLORS; c++)
		part[c][t] = in[c * words + first];
	__syncthreads();
	for (unsigned half = THREADS / 2; half > 0; half /= 2) {
		if (t < half)
			#pragma unroll 1
			for (unsigned c = 0; c < COLORS; c++)
				part[c][t] += part[c][t + half]; //@ add
		__syncthreads();
	}
	if (t == 0)
		for (unsigned c = 0; c < COLORS; c++)
			out[c * gridDim.x + blockIdx.x] = part[c][0];
}
