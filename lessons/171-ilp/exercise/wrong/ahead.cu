// The next number is loaded before this one is added. That hides the addition alone: no two loads are in flight together.
#include "simt.h"

extern "C" __global__ void total(const float *in, float *out, unsigned n)
{
	unsigned threads = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	if (i < n) {
		float next = in[i]; //@ read
		#pragma unroll 1
		for (unsigned k = i + threads; k < n; k += threads) {
			float now = next;
			next = in[k];
			sum += now;
		}
		sum += next;
	}
	out[i] = sum;
}
