// Aligned, but one warp does all of it.
#include "simt.h"

extern "C" __global__ void scale_part(float *data, float factor, unsigned first, unsigned n)
{
	if (blockIdx.x > 0 || threadIdx.x >= 32)
		return;
	#pragma unroll 1
	for (unsigned i = first / 8 * 8 + threadIdx.x; i < first + n; i += 32)
		if (i >= first)
			data[i] *= factor; //@ read
}
