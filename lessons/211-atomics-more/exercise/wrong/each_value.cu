// The warp combines, but for each value it has an atomic.
#include "clang.h"

#define ALL 0xFFFFFFFF

extern "C" __global__ void nearest(const float *in, float *out, float at, unsigned n)
{
	float least = 1e9f;
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n + 31 - (n + 31) % 32; i += gridDim.x * blockDim.x) {
		least = i < n ? fabsf(in[i] - at) : 1e9f; //@ read
		for (int distance = 16; distance > 0; distance /= 2)
			least = fminf(least, __shfl_xor_sync(ALL, least, distance));
		if (threadIdx.x % 32 == 0)
			atomicMin((int *)out, __float_as_int(least));
	}
}
