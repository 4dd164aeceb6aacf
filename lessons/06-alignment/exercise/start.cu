// Scales the n floats of a buffer that begin at `first`, in place. The result is right, but most warps begin in the middle of
// a sector.
#include "simt.h"
// simt.h: what the kernel needs where CUDA's headers are missing. A mark as @ read says which line the pictures show: keep it.
extern "C" __global__ void scale_part(float *data, float factor, unsigned first, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		data[first + i] *= factor; //@ read
}
