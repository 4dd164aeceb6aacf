// Private bins, but each thread reads values of its own, one after the other.
#include "clang.h"

#define BINS 256

extern "C" __global__ void histogram(const unsigned *in, int *bins, unsigned n)
{
	__shared__ int mine[BINS];

	unsigned t = threadIdx.x;
	for (unsigned b = t; b < BINS; b += blockDim.x)
		mine[b] = 0;
	__syncthreads();
	unsigned threads = gridDim.x * blockDim.x, each = (n + threads - 1) / threads;
	unsigned i = (blockIdx.x * blockDim.x + t) * each, end = min(i + each, n);
	for (; i < end; i++) {
		unsigned bin = in[i] % BINS;
		atomicAdd(&mine[bin], 1); //@ count
	}
	__syncthreads();
	for (unsigned b = t; b < BINS; b += blockDim.x)
		atomicAdd(&bins[b], mine[b]);
}
