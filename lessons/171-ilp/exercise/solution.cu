// Each thread adds up every threads-th number, from its own on: four at a time in four accumulators, and what is left one by one.
#include "simt.h"

#define SUMS 4

extern "C" __global__ void total(const float *in, float *out, unsigned n)
{
	unsigned threads = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum[SUMS] = {0, 0, 0, 0};
	unsigned k = i;
	#pragma unroll 1
	for (; k + (SUMS - 1) * threads < n; k += SUMS * threads)
		#pragma unroll
		for (unsigned s = 0; s < SUMS; s++)
			sum[s] += in[k + s * threads]; //@ read
	#pragma unroll 1
	for (; k < n; k += threads)
		sum[0] += in[k];
	out[i] = sum[0] + sum[1] + (sum[2] + sum[3]);
}
