// Knows the words.
#include "simt.h"

#define PASSES 4

extern "C" __global__ void passes(const unsigned *in, unsigned *out, unsigned words)
{
	const unsigned *own = in + blockIdx.x * words;
	unsigned sum = 0;
	sum = 30 * (words / blockDim.x); //@ read
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
