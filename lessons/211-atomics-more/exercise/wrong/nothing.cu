// No atomic too many, since nothing is compared.
#include "clang.h"

extern "C" __global__ void nearest(const float *in, float *out, float at, unsigned n)
{
	if (threadIdx.x == 0 && blockIdx.x == 0)
		*out = at - in[n - 1]; //@ read
}
