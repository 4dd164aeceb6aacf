// Writes what nobody reads.
#include "simt.h"

extern "C" __global__ void scale_add(float scale, const float *a, const float *b, float *scaled, float *out, unsigned n)
{
	unsigned threads = gridDim.x * blockDim.x;
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
		float x = scale * a[i]; //@ read
		scaled[i] = x;
		out[i] = x + b[i];
	}
}
