// Private bins, but nobody waits until all have counted.
#include "clang.h"

#define BINS 256

extern "C" __global__ void histogram(const unsigned *in, int *bins, unsigned n)
{
	__shared__ int mine[BINS];

	unsigned t = threadIdx.x;
	for (unsigned b = t; b < BINS; b += blockDim.x)
		mine[b] = 0;
	__syncthreads();
	for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
		unsigned bin = in[i] % BINS;
		atomicAdd(&mine[bin], 1); //@ count
	}
	for (unsigned b = t; b < BINS; b += blockDim.x)
		atomicAdd(&bins[b], mine[b]);
}
