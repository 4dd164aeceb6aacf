// No warp is mixed, since one warp makes both rows and all others have gone home.
#include "simt.h"

extern "C" __global__ void two_rows(const float *in, float *out, unsigned n, unsigned rounds)
{
	if (blockIdx.x > 0 || threadIdx.x >= 32)
		return;

	for (unsigned i = threadIdx.x; i < n; i += 32) {
		float first = in[i], second = in[i];
		#pragma unroll 1
		for (unsigned round = 0; round < rounds; round++)
			first = 0.5f * first + 1.0f;
		out[i] = first; //@ store
		#pragma unroll 1
		for (unsigned round = 0; round < rounds; round++)
			second = 0.25f * second + 3.0f;
		out[n + i] = second;
	}
}
