// Blocks that all have the same to do.
#include "simt.h"

extern "C" __global__ void grow(float *values, float factor, unsigned rounds)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float a = values[i]; //@ read
	#pragma unroll 1
	for (unsigned round = 0; round < rounds; round++)
		a = a * factor + 1;
	values[i] = a;
}
