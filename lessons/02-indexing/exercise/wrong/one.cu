// One thread does it all.
#include "simt.h"

extern "C" __global__ void add(const float *a, const float *b, float *sum, unsigned n)
{
	if (blockIdx.x == 0 && threadIdx.x == 0)
		for (unsigned i = 0; i < n; i++)
			sum[i] = a[i] + b[i]; //@ add
}
