// The stride is the block's, not the grid's: each block does the elements of all that follow.
#include "simt.h"

extern "C" __global__ void add(const float *a, const float *b, float *sum, unsigned n)
{
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x)
		sum[i] = a[i] + b[i]; //@ add
}
