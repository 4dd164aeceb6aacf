// One lane of each warp loads, compares and stores, without an atomic.
#include "clang.h"

#define ALL 0xFFFFFFFF

extern "C" __global__ void nearest(const float *in, float *out, float at, unsigned n)
{
	float least = 1e9f;
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		least = fminf(least, fabsf(in[i] - at)); //@ read
	for (int distance = 16; distance > 0; distance /= 2)
		least = fminf(least, __shfl_xor_sync(ALL, least, distance));
	if (threadIdx.x % 32 == 0 && least < *out)
		*out = least;
}
