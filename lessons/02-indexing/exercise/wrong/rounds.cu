// Goes round by the grid, as many times as 4096 elements take.
#include "simt.h"

extern "C" __global__ void add(const float *a, const float *b, float *sum, unsigned n)
{
	unsigned threads = gridDim.x * blockDim.x;
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	for (unsigned round = 0; round < 4096 / threads; round++, i += threads)
		if (i < n)
			sum[i] = a[i] + b[i]; //@ add
}
