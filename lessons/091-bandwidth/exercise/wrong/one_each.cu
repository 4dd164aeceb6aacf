// An element for each thread, however many there are.
#include "simt.h"

extern "C" __global__ void scale_add(float scale, const float *a, const float *b, float *scaled, float *out, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = scale * a[i] + b[i]; //@ read
}
