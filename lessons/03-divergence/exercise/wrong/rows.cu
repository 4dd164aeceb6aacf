// The first n threads take row 0, the next n row 1. Where n is a multiple of 32 no warp has both; else one has.
#include "simt.h"

extern "C" __global__ void two_rows(const float *in, float *out, unsigned n, unsigned rounds)
{
	unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned row = thread >= n;
	unsigned i = thread - row * n;
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
	out[row * n + i] = value; //@ store
}
