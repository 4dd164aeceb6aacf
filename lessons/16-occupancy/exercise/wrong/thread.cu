// A register for each thread, but one thread adds up all of them.
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
	if (threadIdx.x == 0) {
		for (unsigned i = 1; i < THREADS; i++)
			sum += sums[i];
		out[blockIdx.x] = sum;
	}
}
