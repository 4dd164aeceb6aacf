// The lanes meet in shared memory instead.
#include "clang.h"

extern "C" __global__ void nearest(const float *in, float *out, float at, unsigned n)
{
	__shared__ int block;

	if (threadIdx.x == 0)
		block = 0x7F000000;
	__syncthreads();
	float least = 1e9f;
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		least = fminf(least, fabsf(in[i] - at)); //@ read
	atomicMin(&block, __float_as_int(least));
	__syncthreads();
	if (threadIdx.x == 0)
		atomicMin((int *)out, block);
}
