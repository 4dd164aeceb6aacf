// Of each of the n elements, row 0 of the result has what approaches 2 and row 1 what approaches 4. The first half of a
// block does row 0, the second half row 1 of the same elements: a warp is in one of them.
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
	out[row * n + i] = value; //@ store
}
