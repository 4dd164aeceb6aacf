// Reads before it writes, and conflicts as before.
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
	for (unsigned half = THREADS / 2, apart = 1; half > 0; half /= 2, apart *= 2) {
		unsigned word[COLORS];
		for (unsigned c = 0; c < COLORS; c++)
			word[c] = t < half ? part[c][2 * apart * t] + part[c][2 * apart * t + apart] : 0;
		__syncthreads();
		for (unsigned c = 0; c < COLORS; c++)
			if (t < half)
				part[c][2 * apart * t] = word[c]; //@ add
		__syncthreads();
	}
	if (t == 0)
		for (unsigned c = 0; c < COLORS; c++)
			out[c * gridDim.x + blockIdx.x] = part[c][0];
}
