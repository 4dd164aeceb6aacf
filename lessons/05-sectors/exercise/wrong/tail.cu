// The order is right, but nobody asks where the vector ends.
#include "simt.h"

#define PIECE 8

extern "C" __global__ void scale(const float *in, float *out, float factor, unsigned n)
{
	unsigned threads = gridDim.x * blockDim.x;
	unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
	#pragma unroll 1
	for (unsigned k = 0; k < PIECE; k++)
		out[k * threads + thread] = factor * in[k * threads + thread]; //@ read
}
