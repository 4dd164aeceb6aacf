// Private bins, but the first block does all the work.
#include "clang.h"

#define BINS 256

extern "C" __global__ void histogram(const unsigned *in, int *bins, unsigned n)
{
	__shared__ int mine[BINS];

	unsigned t = threadIdx.x;
	for (unsigned b = t; b < BINS; b += blockDim.x)
		mine[b] = 0;
	__syncthreads();
	for (unsigned i = t; blockIdx.x == 0 && i < n; i += blockDim.x) {
		unsigned bin = in[i] % BINS;
		atomicAdd(&mine[bin], 1); //@ count
	}
	__syncthreads();
	for (unsigned b = t; blockIdx.x == 0 && b < BINS; b += blockDim.x)
		atomicAdd(&bins[b], mine[b]);
}
