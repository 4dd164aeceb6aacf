// Unrolled as it stands: before each load comes the test whether there is a number left, and each sum needs the one before.
#include "simt.h"

extern "C" __global__ void total(const float *in, float *out, unsigned n)
{
	unsigned threads = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	#pragma unroll 4
	for (unsigned k = i; k < n; k += threads)
		sum += in[k]; //@ read
	out[i] = sum;
}
