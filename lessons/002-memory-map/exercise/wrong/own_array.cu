// Each thread loads all words to an array of its own.
#include "simt.h"

#define THREADS 256

extern "C" __global__ void around(const unsigned *in, unsigned *out)
{
	unsigned t = threadIdx.x, first = blockIdx.x * THREADS, sum = 0, words[32];
	for (unsigned k = 0; k < 32; k++)
		words[(t + k) % 32] = in[first + (t + k) % THREADS]; //@ read
	for (unsigned k = 0; k < 32; k++)
		sum += words[(t + k) % 32];
	out[first + t] = sum;
}
