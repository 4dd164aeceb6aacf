// The head is peeled, but the threads that do it take their part of the rest as well, and the head is part of it.
#include "simt.h"

extern "C" __global__ void scale_part(float *data, float factor, unsigned first, unsigned n)
{
	unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned head = (8 - first % 8) % 8;
	if (thread < head && thread < n)
		data[first + thread] *= factor;
	unsigned i = first / 8 * 8 + thread;
	if (i >= first && i < first + n)
		data[i] *= factor; //@ read
}
