// out = scale * a + b, with what is between the two loops in memory.
#include "simt.h"

extern "C" __global__ void scale_add(float scale, const float *a, const float *b, float *scaled, float *out, unsigned n)
{
	unsigned threads = gridDim.x * blockDim.x, each = (n + threads - 1) / threads;
	unsigned first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
	for (unsigned i = first; i < first + each && i < n; i++)
		scaled[i] = scale * a[i]; //@ read
	for (unsigned i = first; i < first + each && i < n; i++)
		out[i] = scaled[i] + b[i];
}
