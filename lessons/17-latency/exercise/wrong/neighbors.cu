// Side by side, but a thread takes four neighbors: its warp then reads from places four words apart.
#include "simt.h"

#define VALUES 4
#define STEPS 16

extern "C" __global__ void grow(float *values, float factor, unsigned rounds)
{
	unsigned i = VALUES * (blockIdx.x * blockDim.x + threadIdx.x);
	float a[VALUES];
	#pragma unroll
	for (unsigned k = 0; k < VALUES; k++)
		a[k] = values[i + k]; //@ read
	#pragma unroll 1
	for (unsigned round = 0; round < rounds; round++) {
		#pragma unroll
		for (unsigned step = 0; step < STEPS; step++)
			#pragma unroll
			for (unsigned k = 0; k < VALUES; k++)
				a[k] = a[k] * factor + 1;
	}
	#pragma unroll
	for (unsigned k = 0; k < VALUES; k++)
		values[i + k] = a[k];
}
