// A branch in a branch, a loop that lanes leave one after the other, and lanes that end early.
#include "simt.h"

extern "C" __global__ void divergent(const unsigned *in, unsigned *out, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	unsigned v = in[i];
	if (v % 2 == 0) {
		if (v % 4 == 0)
			v = v * 3 + in[0];
		else
			v = v / 7 + in[1];
		out[i + n] = v;
	} else {
		v = v * v + in[2];
		out[i + n] = v + 1;
	}
	#pragma unroll 1
	for (unsigned k = 0; k < (i & 3); k++)
		v = v * 5 + in[k];
	out[i] = v;
}
