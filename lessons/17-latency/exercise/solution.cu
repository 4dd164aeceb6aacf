// Multiplies and adds to four values in each thread, in rounds of 16 steps: a step of each value in turn, so that none waits
// for another.
#include "simt.h"

#define VALUES 4
#define STEPS 16

extern "C" __global__ void grow(float *values, float factor, unsigned rounds)
{
	unsigned threads = gridDim.x * blockDim.x;
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float a[VALUES];
	#pragma unroll
	for (unsigned k = 0; k < VALUES; k++)
		a[k] = values[i + k * threads]; //@ read
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
		values[i + k * threads] = a[k];
}
