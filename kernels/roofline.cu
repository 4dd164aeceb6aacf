// Work on words from memory: more and more of it for each.
#include "simt.h"

// Each thread loads a word, and makes `steps` multiply-adds with it.
extern "C" __global__ void work(const float *in, float *out, unsigned n, unsigned steps)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float x = in[i]; //@ work
	#pragma unroll 8
	for (unsigned step = 0; step < steps; step++)
		x = x * 0.5f + 1.0f;
	out[i] = x;
}

// The same with a word of shared memory in each step, one of two in turn.
extern "C" __global__ void from_shared(const float *in, float *out, unsigned n, unsigned steps)
{
	__shared__ float words[512];

	unsigned t = threadIdx.x, i = blockIdx.x * 256 + t;
	volatile float *own = words + t;
	float x = in[i];
	own[0] = 1.0f;
	own[256] = 1.0f;
	#pragma unroll 8
	for (unsigned step = 0; step < steps; step++)
		x = x * 0.5f + own[step % 2 * 256]; //@ from_shared
	out[i] = x;
}

// Three kernels whose places under the roofs are asked for. All take the same arguments.
extern "C" __global__ void add_one(const float *in, float *out, unsigned n, unsigned steps)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = in[i] + 1.0f; //@ add_one
}

extern "C" __global__ void polynomial(const float *in, float *out, unsigned n, unsigned steps)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float x = in[i], sum = 0; //@ polynomial
	#pragma unroll
	for (unsigned k = 0; k < 128; k++)
		sum = sum * x + 1.0f;
	out[i] = sum;
}

// One warp of each block adds up, one load after the other, what belongs to all of its threads.
extern "C" __global__ void one_by_one(const float *in, float *out, unsigned n, unsigned steps)
{
	unsigned first = blockIdx.x * blockDim.x, lane = threadIdx.x;
	if (lane >= 32)
		return;
	float sum = 0;
	#pragma unroll 1
	for (unsigned k = 0; k < blockDim.x; k += 32)
		sum = sum + in[first + k + lane + (unsigned)(sum * 0.0f)]; //@ one_by_one
	out[first + lane] = sum;
}
