// Scales the n floats of a buffer that begin at `first`, in place. All warps begin where a sector does; the threads before
// `first` do nothing.
#include "simt.h"

#define SECTOR 8 // floats

extern "C" __global__ void scale_part(float *data, float factor, unsigned first, unsigned n)
{
	unsigned aligned = first / SECTOR * SECTOR;
	unsigned i = aligned + blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= first && i < first + n)
		data[i] *= factor; //@ read
}
