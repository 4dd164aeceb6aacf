// As if there were always 2048 values and 2 blocks.
#include "clang.h"

#define BINS 256

extern "C" __global__ void histogram(const unsigned *in, int *bins, unsigned n)
{
	__shared__ int mine[BINS];

	unsigned t = threadIdx.x;
	for (unsigned b = t; b < BINS; b += blockDim.x)
		mine[b] = 0;
	__syncthreads();
	for (unsigned round = 0; round < 8; round++) {
		unsigned bin = in[round * 256 + blockIdx.x * 128 + t] % BINS;
		atomicAdd(&mine[bin], 1); //@ count
	}
	__syncthreads();
	for (unsigned b = t; b < BINS; b += blockDim.x)
		atomicAdd(&bins[b], mine[b]);
}
