// The last value of a thread comes by way of shared memory from the lane beside it, and nobody waits for the copy.
#include "simt.h"

#define VALUES 4
#define STEPS 16
#define THREADS 128

extern "C" __global__ void grow(float *values, float factor, unsigned rounds)
{
	__shared__ float copy[THREADS];
	unsigned t = threadIdx.x;
	float a[VALUES];
	#pragma unroll
	for (unsigned k = 0; k < VALUES; k++)
		a[k] = values[t + k * THREADS]; //@ read
	copy[t] = a[VALUES - 1];
	a[VALUES - 1] = copy[t ^ 1];
	#pragma unroll 1
	for (unsigned round = 0; round < rounds; round++) {
		#pragma unroll
		for (unsigned step = 0; step < STEPS; step++)
			#pragma unroll
			for (unsigned k = 0; k < VALUES; k++)
				a[k] = a[k] * factor + 1;
	}
	#pragma unroll
	for (unsigned k = 0; k + 1 < VALUES; k++)
		values[t + k * THREADS] = a[k];
	values[(t ^ 1) + (VALUES - 1) * THREADS] = a[VALUES - 1];
}
