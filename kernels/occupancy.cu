// Kernels that take more or less of an SM: of its warps, of its shared memory.
#include "simt.h"

// Replaces each element by its entry of a table, of which every block keeps a copy in shared memory.
extern "C" __global__ void look_up(const unsigned *in, const float *table, float *out, unsigned entries)
{
	extern __shared__ float copy[];

	#pragma unroll 1
	for (unsigned k = threadIdx.x; k < entries; k += blockDim.x)
		copy[k] = table[k]; //@ copy
	__syncthreads();

	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = copy[in[i] % entries]; //@ look_up
}

// Multiplies and adds, again and again: one value for each thread ...
extern "C" __global__ void grow_one(float *values, float factor, unsigned rounds)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float a = values[i]; //@ grow_one
	#pragma unroll 1
	for (unsigned round = 0; round < rounds; round++)
		a = a * factor + 1;
	values[i] = a;
}

// ... and two, for which half as many threads go round the loop.
extern "C" __global__ void grow_two(float *values, float factor, unsigned rounds)
{
	unsigned threads = gridDim.x * blockDim.x;
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float a = values[i]; //@ grow_two
	float b = values[i + threads];
	#pragma unroll 1
	for (unsigned round = 0; round < rounds; round++) {
		a = a * factor + 1;
		b = b * factor + 1;
	}
	values[i] = a;
	values[i + threads] = b;
}
