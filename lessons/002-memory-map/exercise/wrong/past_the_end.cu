// Does not go round.
#include "simt.h"

#define THREADS 256

extern "C" __global__ void around(const unsigned *in, unsigned *out)
{
	__shared__ unsigned words[THREADS];

	unsigned t = threadIdx.x, first = blockIdx.x * THREADS, sum = 0;
	words[t] = in[first + t]; //@ read
	__syncthreads();
	for (unsigned k = 0; k < 32; k++)
		sum += words[t + k];
	out[first + t] = sum;
}
