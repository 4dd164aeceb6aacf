// Aligned, but the floats before the first are written too, with the value that they have.
#include "simt.h"

extern "C" __global__ void scale_part(float *data, float factor, unsigned first, unsigned n)
{
	unsigned i = first / 8 * 8 + blockIdx.x * blockDim.x + threadIdx.x;
	if (i < first + n)
		data[i] *= i < first ? 1 : factor; //@ read
}
