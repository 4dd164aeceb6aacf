// Eight loads in flight, added to one accumulator: it is the loads that take long.
#include "simt.h"

#define LOADS 8

extern "C" __global__ void total(const float *in, float *out, unsigned n)
{
	unsigned threads = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	unsigned k = i;
	#pragma unroll 1
	for (; k + (LOADS - 1) * threads < n; k += LOADS * threads) {
		float v[LOADS];
		#pragma unroll
		for (unsigned l = 0; l < LOADS; l++)
			v[l] = in[k + l * threads]; //@ read
		#pragma unroll
		for (unsigned l = 0; l < LOADS; l++)
			sum += v[l];
	}
	#pragma unroll 1
	for (; k < n; k += threads)
		sum += in[k];
	out[i] = sum;
}
