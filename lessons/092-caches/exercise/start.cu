// Each block adds up its own words in four passes, with the number of the pass as their weight.
#include "simt.h"

#define PASSES 4

extern "C" __global__ void passes(const unsigned *in, unsigned *out, unsigned words)
{
	const unsigned *own = in + blockIdx.x * words;
	unsigned sum = 0;
	#pragma unroll 1
	for (unsigned pass = 1; pass <= PASSES; pass++)
		#pragma unroll 1
		for (unsigned i = threadIdx.x; i < words; i += blockDim.x)
			sum += pass * own[i]; //@ read
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
