// A register for each thread, but nobody waits for the sums of the others.
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
		sum += first + i < n ? in[first + i] : 0; //@ copy
	sums[threadIdx.x] = sum;
	__syncthreads();

	#pragma unroll 1
	for (unsigned half = THREADS / 2; half > 0; half /= 2) {
		if (threadIdx.x < half)
			sums[threadIdx.x] += sums[threadIdx.x + half];
	}
	if (threadIdx.x == 0)
		out[blockIdx.x] = sums[0];
}
