// Every lane of a warp reads one word of shared memory. Neighboring lanes read words `stride` apart.
#include "simt.h"

// At the largest stride, 33, lane 31 reads the last word.
#define WORDS (31 * 33 + 1)

extern "C" __global__ void shared_stride(const float *in, float *out, unsigned stride, unsigned rounds)
{
	// Volatile: each read below is made, and made from shared memory.
	__shared__ volatile float tile[WORDS];

	// The block copies the words in, each thread its share.
	#pragma unroll 1
	for (unsigned i = threadIdx.x; i < WORDS; i += blockDim.x)
		tile[i] = in[i];
	__syncthreads();

	unsigned lane = threadIdx.x % 32;
	float sum = 0;
	#pragma unroll 1
	for (unsigned round = 0; round < rounds; round++)
		sum += tile[lane * stride]; //@ read

	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
