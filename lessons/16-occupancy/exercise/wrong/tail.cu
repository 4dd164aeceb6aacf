// A register for each thread, but the last piece is taken to be whole.
#include "simt.h"

#define PIECE 8192
#define THREADS 256

extern "C" __global__ void sum_pieces(const float *in, float *out, unsigned n)
{
	__shared__ float sums[THREADS];

	unsigned first = blockIdx.x * PIECE;
	float sum = 0;
	#pragma unroll 1
	for (unsigned i = threadIdx.x; i < PIECE; i += THREADS)
		sum += in[first + i]; //@ copy
	sums[threadIdx.x] = sum;
	__syncthreads();

	#pragma unroll 1
	for (unsigned half = THREADS / 2; half > 0; half /= 2) {
		if (threadIdx.x < half)
			sums[threadIdx.x] += sums[threadIdx.x + half];
		__syncthreads();
	}
	if (threadIdx.x == 0)
		out[blockIdx.x] = sums[0];
}
