// Each thread keeps its share in an array of its own, which is local memory, far away.
#include "simt.h"

#define PIECE 8192
#define THREADS 256

extern "C" __global__ void sum_pieces(const float *in, float *out, unsigned n)
{
	__shared__ float sums[THREADS];
	unsigned first = blockIdx.x * PIECE;
	float mine[PIECE / THREADS];
	#pragma unroll 1
	for (unsigned i = 0; i < PIECE / THREADS; i++)
		mine[i] = first + i * THREADS + threadIdx.x < n ? in[first + i * THREADS + threadIdx.x] : 0; //@ copy
	float sum = 0;
	#pragma unroll 1
	for (unsigned i = 0; i < PIECE / THREADS; i++)
		sum += mine[i];
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
