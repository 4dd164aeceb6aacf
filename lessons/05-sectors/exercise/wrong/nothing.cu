// Few sectors, since most of the vector is left out.
#include "simt.h"

extern "C" __global__ void scale(const float *in, float *out, float factor, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = factor * in[i]; //@ read
}
