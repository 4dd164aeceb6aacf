// Four neighbours for each thread, by way of shared memory, but nobody waits for the copy.
#include "simt.h"

#define VALUES 4
#define THREADS 128

extern "C" __global__ void grow(float *values, float factor, unsigned rounds)
{
	__shared__ float copy[VALUES * THREADS];
	#pragma unroll
	for (unsigned k = 0; k < VALUES; k++)
		copy[threadIdx.x + k * THREADS] = values[threadIdx.x + k * THREADS]; //@ read
	float a[VALUES];
	#pragma unroll
	for (unsigned k = 0; k < VALUES; k++)
		a[k] = copy[VALUES * threadIdx.x + k];
	#pragma unroll 1
	for (unsigned round = 0; round < rounds; round++) {
		#pragma unroll
		for (unsigned k = 0; k < VALUES; k++)
			a[k] = a[k] * factor + 1;
	}
	#pragma unroll
	for (unsigned k = 0; k < VALUES; k++)
		copy[VALUES * threadIdx.x + k] = a[k];
	#pragma unroll
	for (unsigned k = 0; k < VALUES; k++)
		values[threadIdx.x + k * THREADS] = copy[threadIdx.x + k * THREADS];
}
