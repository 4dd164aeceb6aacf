// Each thread takes elements side by side: the sums are right, but the lanes of a warp are far apart.
#include "simt.h"

extern "C" __global__ void add(const float *a, const float *b, float *sum, unsigned n)
{
	unsigned threads = gridDim.x * blockDim.x;
	unsigned each = (n + threads - 1) / threads;
	unsigned first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
	for (unsigned i = first; i < first + each && i < n; i++)
		sum[i] = a[i] + b[i]; //@ add
}
