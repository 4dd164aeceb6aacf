// A register for each thread, which adds up neighbors: its warp then reads from 32 places at a time.
#include "simt.h"

#define PIECE 8192
#define THREADS 256

extern "C" __global__ void sum_pieces(const float *in, float *out, unsigned n)
{
	__shared__ float sums[THREADS];

	unsigned first = blockIdx.x * PIECE;
	float sum = 0;
	#pragma unroll 1
	for (unsigned i = threadIdx.x * (PIECE / THREADS); i < (threadIdx.x + 1) * (PIECE / THREADS); i++)
		sum += first + i < n ? in[first + i] : 0; //@ copy
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
