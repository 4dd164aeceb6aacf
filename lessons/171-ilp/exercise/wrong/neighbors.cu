// Four neighbors at a time: independent, but the lanes of a warp are then four words apart, and a thread has other numbers.
#include "simt.h"

#define SUMS 4

extern "C" __global__ void total(const float *in, float *out, unsigned n)
{
	unsigned threads = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum[SUMS] = {0, 0, 0, 0};
	unsigned k = SUMS * i;
	#pragma unroll 1
	for (; k + SUMS - 1 < n; k += SUMS * threads)
		#pragma unroll
		for (unsigned s = 0; s < SUMS; s++)
			sum[s] += in[k + s]; //@ read
	#pragma unroll 1
	for (; k < n; k++)
		sum[0] += in[k];
	out[i] = sum[0] + sum[1] + (sum[2] + sum[3]);
}
