// Aligned, but the floats before the first are scaled as well.
#include "simt.h"

extern "C" __global__ void scale_part(float *data, float factor, unsigned first, unsigned n)
{
	unsigned i = first / 8 * 8 + blockIdx.x * blockDim.x + threadIdx.x;
	if (i < first + n)
		data[i] *= factor; //@ read
}
