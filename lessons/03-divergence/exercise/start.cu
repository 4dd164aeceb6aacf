// Of each of the n elements, row 0 of the result has what approaches 2 and row 1 what approaches 4. Two threads share an
// element: the results are right, but the two are neighbors in a warp.
#include "simt.h"
// simt.h: what the kernel needs where CUDA's headers are missing. A mark as @ store says which line the pictures show: keep it.
extern "C" __global__ void two_rows(const float *in, float *out, unsigned n, unsigned rounds)
{
	unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned row = thread % 2;
	unsigned i = thread / 2;
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
