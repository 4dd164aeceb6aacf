// How far each number is from all others: all loaded from global memory.
#include "clang.h"

#define TILE 256

extern "C" __global__ void spread(const int *in, int *out, unsigned n)
{
	unsigned i = blockIdx.x * TILE + threadIdx.x;
	if (i >= n)
		return;
	int own = in[i], sum = 0;
	for (unsigned k = 0; k < n; k++)
		sum += own < in[k] ? in[k] - own : own - in[k]; //@ read
	out[i] = sum;
}
