// Four accumulators, but one loop after the other: each still has one load in flight.
#include "simt.h"

#define SUMS 4

extern "C" __global__ void total(const float *in, float *out, unsigned n)
{
	unsigned threads = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum[SUMS] = {0, 0, 0, 0};
	#pragma unroll
	for (unsigned s = 0; s < SUMS; s++)
		#pragma unroll 1
		for (unsigned k = i + s * threads; k < n; k += SUMS * threads)
			sum[s] += in[k]; //@ read
	out[i] = sum[0] + sum[1] + (sum[2] + sum[3]);
}
