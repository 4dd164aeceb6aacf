// Loads and stores are turned round, but the strided order lives on in shared memory, as bank conflicts.
#include "simt.h"

#define PIECE 8
#define THREADS 128

extern "C" __global__ void scale(const float *in, float *out, float factor, unsigned n)
{
	__shared__ float pieces[THREADS * PIECE];
	unsigned first = blockIdx.x * THREADS * PIECE;
	#pragma unroll 1
	for (unsigned j = threadIdx.x; j < THREADS * PIECE; j += THREADS)
		pieces[j] = first + j < n ? in[first + j] : 0; //@ read
	__syncthreads();
	#pragma unroll 1
	for (unsigned k = 0; k < PIECE; k++)
		pieces[threadIdx.x * PIECE + k] *= factor;
	__syncthreads();
	#pragma unroll 1
	for (unsigned j = threadIdx.x; j < THREADS * PIECE; j += THREADS)
		if (first + j < n)
			out[first + j] = pieces[j];
}
