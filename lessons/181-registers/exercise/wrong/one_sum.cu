// Keeps one sum instead of sixteen.
#include "simt.h"

#define LAST 16

extern "C" __global__ void ring(const unsigned *in, unsigned *out, unsigned rounds)
{
	unsigned threads = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned last[LAST];
	#pragma unroll
	for (unsigned k = 0; k < LAST; k++)
		last[k] = 0;
	#pragma unroll 1
	for (unsigned round = 0; round < rounds; round++) {
		last[0] += in[i + round * threads]; //@ read
		out[i + round * threads] = last[0];
	}
}
