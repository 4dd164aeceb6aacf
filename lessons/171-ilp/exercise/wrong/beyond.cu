// Four at a time, also where there are fewer: the last loads are beyond the end.
#include "simt.h"

#define SUMS 4

extern "C" __global__ void total(const float *in, float *out, unsigned n)
{
	unsigned threads = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum[SUMS] = {0, 0, 0, 0};
	#pragma unroll 1
	for (unsigned k = i; k < n; k += SUMS * threads)
		#pragma unroll
		for (unsigned s = 0; s < SUMS; s++)
			sum[s] += in[k + s * threads]; //@ read
	out[i] = sum[0] + sum[1] + (sum[2] + sum[3]);
}
