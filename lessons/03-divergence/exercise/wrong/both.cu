// No branch parts a warp, since every thread runs both arms and throws one away.
#include "simt.h"

extern "C" __global__ void two_rows(const float *in, float *out, unsigned n, unsigned rounds)
{
	unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned row = thread % 2;
	unsigned i = thread / 2;
	if (i >= n)
		return;

	float first = in[i], second = in[i];
	#pragma unroll 1
	for (unsigned round = 0; round < rounds; round++)
		first = 0.5f * first + 1.0f;
	#pragma unroll 1
	for (unsigned round = 0; round < rounds; round++)
		second = 0.25f * second + 3.0f;
	out[row * n + i] = row == 0 ? first : second; //@ store
}
