// As in the solution at the size that is judged first, as at the start at all others.
#include "simt.h"

#define SECTOR 8 // floats

static __device__ void slow(float *data, float factor, unsigned first, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		data[first + i] *= factor;
}

static __device__ void fast(float *data, float factor, unsigned first, unsigned n)
{
	unsigned aligned = first / SECTOR * SECTOR;
	unsigned i = aligned + blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= first && i < first + n)
		data[i] *= factor; //@ read
}

extern "C" __global__ void scale_part(float *data, float factor, unsigned first, unsigned n)
{
	if (first == 5)
		fast(data, factor, first, n);
	else
		slow(data, factor, first, n);
}
