// Makes every second pass backwards, which helps a little, and gives threads the words of others.
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
			sum += pass * own[pass % 2 ? i : words - 1 - i]; //@ read
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
