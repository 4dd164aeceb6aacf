// Aligned, but at the end whole sectors are scaled, with what is behind the last float.
#include "simt.h"

extern "C" __global__ void scale_part(float *data, float factor, unsigned first, unsigned n)
{
	unsigned i = first / 8 * 8 + blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= first && i < (first + n + 7) / 8 * 8)
		data[i] *= factor; //@ read
}
