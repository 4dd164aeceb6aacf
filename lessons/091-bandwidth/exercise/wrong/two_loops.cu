// Coalesced, but still through memory.
#include "simt.h"

extern "C" __global__ void scale_add(float scale, const float *a, const float *b, float *scaled, float *out, unsigned n)
{
	unsigned threads = gridDim.x * blockDim.x, thread = blockIdx.x * blockDim.x + threadIdx.x;
	for (unsigned i = thread; i < n; i += threads)
		scaled[i] = scale * a[i]; //@ read
	for (unsigned i = thread; i < n; i += threads)
		out[i] = scaled[i] + b[i];
}
