// Gives each thread a piece of its own.
#include "simt.h"

#define PASSES 4

extern "C" __global__ void passes(const unsigned *in, unsigned *out, unsigned words)
{
	const unsigned *own = in + blockIdx.x * words;
	unsigned sum = 0;
	unsigned each = words / blockDim.x;
	#pragma unroll 1
	for (unsigned i = threadIdx.x * each; i < (threadIdx.x + 1) * each; i++)
		for (unsigned pass = 1; pass <= PASSES; pass++)
			sum += pass * own[i]; //@ read
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
