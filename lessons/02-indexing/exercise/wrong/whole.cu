// Goes round by the grid, but only as long as the whole grid fits.
#include "simt.h"

extern "C" __global__ void add(const float *a, const float *b, float *sum, unsigned n)
{
	unsigned threads = gridDim.x * blockDim.x;
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	for (unsigned round = 0; round < n / threads; round++, i += threads)
		sum[i] = a[i] + b[i]; //@ add
}
