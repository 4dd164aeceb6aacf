// No sector too many, since the first warp alone works.
#include "simt.h"

extern "C" __global__ void scale_part(float *data, float factor, unsigned first, unsigned n)
{
	unsigned i = first / 8 * 8 + threadIdx.x;
	if (blockIdx.x == 0 && i >= first && i < first + n)
		data[i] *= factor; //@ read
}
