// Sums of 32 words, going round within a block: all from global memory.
#include "simt.h"

#define THREADS 256

extern "C" __global__ void around(const unsigned *in, unsigned *out)
{
	unsigned t = threadIdx.x, first = blockIdx.x * THREADS, sum = 0;
	for (unsigned k = 0; k < 32; k++)
		sum += in[first + (t + k) % THREADS]; //@ read
	out[first + t] = sum;
}
