// Keeps the sum in global memory.
#include "simt.h"

#define THREADS 256

extern "C" __global__ void around(const unsigned *in, unsigned *out)
{
	__shared__ unsigned words[THREADS];

	unsigned t = threadIdx.x, first = blockIdx.x * THREADS;
	words[t] = in[first + t]; //@ read
	__syncthreads();
	out[first + t] = 0;
	for (unsigned k = 0; k < 32; k++)
		*(volatile unsigned *)&out[first + t] += words[(t + k) % THREADS];
}
