// Two at a time: half of the waiting, and that is not enough.
#include "simt.h"

extern "C" __global__ void total(const float *in, float *out, unsigned n)
{
	unsigned threads = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
	float a = 0, b = 0;
	unsigned k = i;
	#pragma unroll 1
	for (; k + threads < n; k += 2 * threads) {
		a += in[k]; //@ read
		b += in[k + threads];
	}
	if (k < n)
		a += in[k];
	out[i] = a + b;
}
