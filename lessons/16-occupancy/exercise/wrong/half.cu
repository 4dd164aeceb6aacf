// Half of the piece at a time would fit, but half of it is forgotten.
#include "simt.h"

#define PIECE 8192
#define HALF (PIECE / 2)
#define THREADS 256

extern "C" __global__ void sum_pieces(const float *in, float *out, unsigned n)
{
	__shared__ float piece[HALF];

	unsigned first = blockIdx.x * PIECE;
	#pragma unroll 1
	for (unsigned i = threadIdx.x; i < HALF; i += THREADS)
		piece[i] = first + i < n ? in[first + i] : 0; //@ copy
	__syncthreads();

	float sum = 0;
	#pragma unroll 1
	for (unsigned i = threadIdx.x; i < HALF; i += THREADS)
		sum += piece[i];
	piece[threadIdx.x] = sum;
	__syncthreads();

	#pragma unroll 1
	for (unsigned half = THREADS / 2; half > 0; half /= 2) {
		if (threadIdx.x < half)
			piece[threadIdx.x] += piece[threadIdx.x + half];
		__syncthreads();
	}
	if (threadIdx.x == 0)
		out[blockIdx.x] = piece[0];
}
