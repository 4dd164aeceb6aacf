// The lanes of a warp read shared memory in groups: all lanes of a group want the same word.
#include "simt.h"

#define WORDS 1024

// Groups want words 32 apart, each another word of bank 0.
extern "C" __global__ void shared_groups(const float *in, float *out, unsigned group)
{
	__shared__ float tile[WORDS];

	// The block copies the words in, each thread its share.
	#pragma unroll 1
	for (unsigned i = threadIdx.x; i < WORDS; i += blockDim.x)
		tile[i] = in[i];
	__syncthreads();

	unsigned lane = threadIdx.x % 32;
	out[blockIdx.x * blockDim.x + threadIdx.x] = tile[lane / group * 32]; //@ groups
}
