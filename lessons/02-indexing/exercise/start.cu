// Adds two arrays of n elements. It is right when there are exactly n threads.
#include "simt.h"
// simt.h: what the kernel needs where CUDA's headers are missing. A mark as @ add says which line the pictures show: keep it.
extern "C" __global__ void add(const float *a, const float *b, float *sum, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	sum[i] = a[i] + b[i]; //@ add
}
