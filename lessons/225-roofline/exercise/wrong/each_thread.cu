// Each thread loads the tile for itself.
#include "clang.h"

#define TILE 256

extern "C" __global__ void spread(const int *in, int *out, unsigned n)
{
	unsigned i = blockIdx.x * TILE + threadIdx.x;
	if (i >= n)
		return;
	int own = in[i], sum = 0;
	for (unsigned k = 0; k < n; k++) {
		int other = in[k]; //@ read
		sum += own < other ? other - own : own - other;
	}
	out[i] = sum;
}
