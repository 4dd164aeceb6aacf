// Adds up pieces of 8192 numbers, one piece for each block. The block copies its piece to shared memory, and then every
// thread adds up its share of it. The sums are right, but 32 KiB a block leave few blocks on an SM.
#include "simt.h"
// simt.h: what the kernel needs where CUDA's headers are missing. A mark as @ copy says which line the pictures show: keep it.
#define PIECE 8192
#define THREADS 256

extern "C" __global__ void sum_pieces(const float *in, float *out, unsigned n)
{
	__shared__ float piece[PIECE];

	unsigned first = blockIdx.x * PIECE;
	#pragma unroll 1
	for (unsigned i = threadIdx.x; i < PIECE; i += THREADS)
		piece[i] = first + i < n ? in[first + i] : 0; //@ copy
	__syncthreads();

	float sum = 0;
	#pragma unroll 1
	for (unsigned i = threadIdx.x; i < PIECE; i += THREADS)
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
