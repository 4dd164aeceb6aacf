// How often does each value modulo 256 occur? Every value is counted in global memory.
#include "clang.h"
// clang.h: what the kernel needs where CUDA's headers are missing. A mark as @ count says which line the pictures show: keep it.
#define BINS 256

extern "C" __global__ void histogram(const unsigned *in, int *bins, unsigned n)
{
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		unsigned bin = in[i] % BINS;
		atomicAdd(&bins[bin], 1); //@ count
	}
}
