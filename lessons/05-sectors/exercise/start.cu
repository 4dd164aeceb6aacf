// Scales a vector. Every thread takes PIECE neighboring floats and goes through them one by one. The result is right, but
// neighboring lanes are PIECE floats apart.
#include "simt.h"
// simt.h: what the kernel needs where CUDA's headers are missing. A mark as @ read says which line the pictures show: keep it.
#define PIECE 8

extern "C" __global__ void scale(const float *in, float *out, float factor, unsigned n)
{
	unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
	#pragma unroll 1
	for (unsigned k = 0; k < PIECE; k++) {
		unsigned i = thread * PIECE + k;
		if (i < n)
			out[i] = factor * in[i]; //@ read
	}
}
