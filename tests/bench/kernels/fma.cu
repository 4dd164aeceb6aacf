// Eight independent chains of fused multiply-adds, nothing but registers, as a benchmark of the machine.
#include "simt.h"

extern "C" __global__ void fma_chains(int rounds, float x, float y, float *out)
{
	float v[8];
	int i = blockIdx.x * blockDim.x + threadIdx.x;

#pragma unroll
	for (int k = 0; k < 8; k++)
		v[k] = (float)(i + k);
#pragma unroll 1
	for (int r = 0; r < rounds; r++) {
#pragma unroll
		for (int k = 0; k < 8; k++)
			v[k] = v[k] * x + y;
	}
	out[i] = ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7]));
}
