// All blocks take the words of the first.
#include "simt.h"

#define THREADS 256

extern "C" __global__ void around(const unsigned *in, unsigned *out)
{
	__shared__ unsigned words[THREADS];

	unsigned t = threadIdx.x, sum = 0;
	words[t] = in[t]; //@ read
	__syncthreads();
	for (unsigned k = 0; k < 32; k++)
		sum += words[(t + k) % THREADS];
	out[blockIdx.x * THREADS + t] = sum;
}
