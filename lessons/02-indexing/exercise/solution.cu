// Adds two arrays of n elements, with any number of threads: each takes every element that is a whole grid further on.
#include "simt.h"

extern "C" __global__ void add(const float *a, const float *b, float *sum, unsigned n)
{
	unsigned threads = gridDim.x * blockDim.x;
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads)
		sum[i] = a[i] + b[i]; //@ add
}
