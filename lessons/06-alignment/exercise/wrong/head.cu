// Aligned, but the floats before the first whole sector are forgotten.
#include "simt.h"

extern "C" __global__ void scale_part(float *data, float factor, unsigned first, unsigned n)
{
	unsigned i = (first + 7) / 8 * 8 + blockIdx.x * blockDim.x + threadIdx.x;
	if (i < first + n)
		data[i] *= factor; //@ read
}
