// Lets each thread add up all words before its own.
#include "simt.h"

#define WORDS 512

extern "C" __global__ void running(const unsigned *in, unsigned *out)
{
	unsigned t = threadIdx.x;
	for (unsigned at = t; at < WORDS; at += WORDS / 2) {
		unsigned sum = 0;
		for (unsigned k = 0; k <= at; k++)
			sum += in[blockIdx.x * WORDS + k]; //@ read
		out[blockIdx.x * WORDS + at] = sum;
	}
}
