// As with the shared memory, and nobody waits for the others.
#include "simt.h"

#define PIECE 8
#define THREADS 128

extern "C" __global__ void scale(const float *in, float *out, float factor, unsigned n)
{
	__shared__ float pieces[THREADS * PIECE];
	unsigned first = blockIdx.x * THREADS * PIECE;
	#pragma unroll 1
	for (unsigned j = threadIdx.x; j < THREADS * PIECE; j += THREADS)
		pieces[j] = first + j < n ? factor * in[first + j] : 0; //@ read
	#pragma unroll 1
	for (unsigned j = threadIdx.x; j < THREADS * PIECE; j += THREADS) {
		unsigned other = j ^ 32;
		if (first + other < n)
			out[first + other] = pieces[other];
	}
}
