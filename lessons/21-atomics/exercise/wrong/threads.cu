// Bins of each thread, in local memory.
#include "clang.h"

#define BINS 256

extern "C" __global__ void histogram(const unsigned *in, int *bins, unsigned n)
{
	int mine[BINS];

	unsigned t = threadIdx.x;
	for (unsigned b = 0; b < BINS; b++)
		mine[b] = 0;
	for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
		unsigned bin = in[i] % BINS;
		mine[bin]++; //@ count
	}
	for (unsigned b = 0; b < BINS; b++)
		if (mine[b])
			atomicAdd(&bins[b], mine[b]);
}
