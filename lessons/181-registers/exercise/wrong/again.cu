// Adds up everything again in each round.
#include "simt.h"

#define LAST 16

extern "C" __global__ void ring(const unsigned *in, unsigned *out, unsigned rounds)
{
	unsigned threads = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
	#pragma unroll 1
	for (unsigned round = 0; round < rounds; round++) {
		unsigned v = 0;
		for (unsigned k = round % LAST; k <= round; k += LAST)
			v += in[i + k * threads]; //@ read
		out[i + round * threads] = v;
	}
}
