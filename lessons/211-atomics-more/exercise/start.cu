// How far is the nearest of n values from `at`? Each lane compares and swaps for each of its values.
#include "clang.h"

extern "C" __global__ void nearest(const float *in, float *out, float at, unsigned n)
{
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float mine = fabsf(in[i] - at); //@ read
		int found = __float_as_int(*out);
		while (mine < __int_as_float(found)) {
			int seen = found;
			found = atomicCAS((int *)out, seen, __float_as_int(mine));
			if (found == seen)
				break;
		}
	}
}
