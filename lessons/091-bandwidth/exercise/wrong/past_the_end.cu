// Does not look where the arrays end.
#include "simt.h"

extern "C" __global__ void scale_add(float scale, const float *a, const float *b, float *scaled, float *out, unsigned n)
{
	unsigned threads = gridDim.x * blockDim.x;
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < (n + threads - 1) / threads * threads; i += threads)
		out[i] = scale * a[i] + b[i]; //@ read
}
