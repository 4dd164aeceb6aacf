// One block does it all.
#include "simt.h"

extern "C" __global__ void add(const float *a, const float *b, float *sum, unsigned n)
{
	if (blockIdx.x > 0)
		return;
	for (unsigned i = threadIdx.x; i < n; i += blockDim.x)
		sum[i] = a[i] + b[i]; //@ add
}
