#include "simt.h"

extern "C" __global__ void marks(unsigned *out, unsigned n)
{
	if (threadIdx.x < n) //@ guard
		out[threadIdx.x] = n; //@ write
	out[n] = 0; //@ twice
	out[n] = 1; //@ twice
}
