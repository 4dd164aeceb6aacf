// All private bins lie in one bank, 32 words apart.
#include "clang.h"

#define BINS 256

extern "C" __global__ void histogram(const unsigned *in, int *bins, unsigned n)
{
	__shared__ int mine[32 * BINS];

	unsigned t = threadIdx.x;
	for (unsigned b = t; b < BINS; b += blockDim.x)
		mine[32 * b] = 0;
	__syncthreads();
	for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
		unsigned bin = in[i] % BINS;
		atomicAdd(&mine[bin * 32], 1); //@ count
	}
	__syncthreads();
	for (unsigned b = t; b < BINS; b += blockDim.x)
		atomicAdd(&bins[b], mine[32 * b]);
}
