// One sector for a request, since one lane of each warp does all the work.
#include "simt.h"

#define PIECE 8

extern "C" __global__ void scale(const float *in, float *out, float factor, unsigned n)
{
	unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
	if (thread % 32 != 0)
		return;
	#pragma unroll 1
	for (unsigned i = thread * PIECE; i < (thread + 32) * PIECE && i < n; i++)
		out[i] = factor * in[i]; //@ read
}
