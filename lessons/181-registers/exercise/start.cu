// Sixteen running sums in turn: each value is added to the one of sixteen rounds before.
#include "simt.h"

#define LAST 16

extern "C" __global__ void ring(const unsigned *in, unsigned *out, unsigned rounds)
{
	unsigned threads = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned last[LAST];
	for (unsigned k = 0; k < LAST; k++)
		last[k] = 0;
	#pragma unroll 1
	for (unsigned round = 0; round < rounds; round++) {
		unsigned v = in[i + round * threads]; //@ read
		v += last[round % LAST];
		last[round % LAST] = v;
		out[i + round * threads] = v;
	}
}
