// In order, but one block goes through the whole vector.
#include "simt.h"

extern "C" __global__ void scale(const float *in, float *out, float factor, unsigned n)
{
	if (blockIdx.x > 0)
		return;
	#pragma unroll 1
	for (unsigned i = threadIdx.x; i < n; i += blockDim.x)
		out[i] = factor * in[i]; //@ read
}
