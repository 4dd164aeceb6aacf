// The loads are turned round, by way of shared memory; the stores are not.
#include "simt.h"

#define PIECE 8
#define THREADS 128

extern "C" __global__ void scale(const float *in, float *out, float factor, unsigned n)
{
	__shared__ float pieces[THREADS * PIECE];
	unsigned first = blockIdx.x * THREADS * PIECE;
	#pragma unroll 1
	for (unsigned j = threadIdx.x; j < THREADS * PIECE; j += THREADS)
		if (first + j < n)
			pieces[j] = in[first + j]; //@ read
	__syncthreads();
	#pragma unroll 1
	for (unsigned k = 0; k < PIECE; k++) {
		unsigned j = threadIdx.x * PIECE + k;
		if (first + j < n)
			out[first + j] = factor * pieces[j];
	}
}
