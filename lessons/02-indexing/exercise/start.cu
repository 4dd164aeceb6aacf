// Adds two arrays of n elements. It is right when there are exactly n threads.
#include "simt.h"

extern "C" __global__ void add(const float *a, const float *b, float *sum, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	sum[i] = a[i] + b[i]; //@ add
}
