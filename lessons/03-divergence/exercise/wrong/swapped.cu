// A warp has one row, and stores it as the other one.
#include "simt.h"

extern "C" __global__ void two_rows(const float *in, float *out, unsigned n, unsigned rounds)
{
	unsigned half = blockDim.x / 2;
	unsigned row = threadIdx.x / half;
	unsigned i = blockIdx.x * half + threadIdx.x % half;
	if (i >= n)
		return;

	float value = in[i];
	if (row == 0) {
		#pragma unroll 1
		for (unsigned round = 0; round < rounds; round++)
			value = 0.5f * value + 1.0f;
	} else {
		#pragma unroll 1
		for (unsigned round = 0; round < rounds; round++)
			value = 0.25f * value + 3.0f;
	}
	out[(1 - row) * n + i] = value; //@ store
}
