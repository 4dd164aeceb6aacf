// Sums of 32 words, going round within a block, from shared memory.
#include "simt.h"

#define THREADS 256

extern "C" __global__ void around(const unsigned *in, unsigned *out)
{
	__shared__ unsigned words[THREADS];

	unsigned t = threadIdx.x, first = blockIdx.x * THREADS, sum = 0;
	words[t] = in[first + t]; //@ read
	__syncthreads();
	for (unsigned k = 0; k < 32; k++)
		sum += words[(t + k) % THREADS];
	out[first + t] = sum;
}
