// Chains of steps, each of which needs the result of the one before.
#include "simt.h"

// A thread multiplies and adds: one chain.
extern "C" __global__ void one_chain(float *out, float factor, unsigned rounds)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float a = i;
	#pragma unroll 1
	for (unsigned round = 0; round < rounds; round++) {
		#pragma unroll
		for (unsigned step = 0; step < 16; step++)
			a = a * factor + 1; //@ one_chain
	}
	out[i] = a;
}

// The same for four values, whose steps do not need one another.
extern "C" __global__ void four_chain(float *out, float factor, unsigned rounds)
{
	unsigned threads = gridDim.x * blockDim.x;
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float a = i, b = i + threads, c = i + 2 * threads, d = i + 3 * threads;
	#pragma unroll 1
	for (unsigned round = 0; round < rounds; round++) {
		#pragma unroll
		for (unsigned step = 0; step < 16; step++) {
			a = a * factor + 1; //@ four_chain
			b = b * factor + 1;
			c = c * factor + 1;
			d = d * factor + 1;
		}
	}
	out[i] = a;
	out[i + threads] = b;
	out[i + 2 * threads] = c;
	out[i + 3 * threads] = d;
}

// A warp follows a list: where the next entry lies is known when the one before has been loaded. Each warp begins 1024 entries
// further on, so that no two load the same.
extern "C" __global__ void follow(const unsigned *list, unsigned *out, unsigned steps, unsigned hop)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned at = i / 32 * 1024 + i % 32;
	#pragma unroll 1
	for (unsigned step = 0; step < steps; step++)
		at = list[at] + hop; //@ follow
	out[i] = at;
}
