// Copies.
#include "simt.h"

#define WORDS 512

extern "C" __global__ void running(const unsigned *in, unsigned *out)
{
	unsigned t = threadIdx.x, i = blockIdx.x * WORDS + t;
	out[i] = in[i]; //@ read
	out[i + WORDS / 2] = in[i + WORDS / 2];
}
