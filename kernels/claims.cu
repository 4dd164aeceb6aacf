// What is said of GPUs, as kernels that answer it.
#include "clang.h"

#define THREADS 256

// 32 doubles side by side in shared memory.
extern "C" __global__ void doubles(const double *in, double *out)
{
	__shared__ double words[THREADS];

	unsigned t = threadIdx.x, i = blockIdx.x * THREADS + t;
	words[t] = in[i];
	__syncthreads();
	out[i] = words[t ^ 1]; //@ doubles
}

// Chains of 64 operations on integers, each of which needs the result of the one before.
extern "C" __global__ void multiply(unsigned *values, unsigned by)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = values[i]; //@ multiply
	#pragma unroll 1
	for (unsigned k = 0; k < 64; k++)
		x = (x * by) ^ k;
	values[i] = x;
}

extern "C" __global__ void divide(unsigned *values, unsigned by)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = values[i]; //@ divide
	#pragma unroll 1
	for (unsigned k = 0; k < 64; k++)
		x = x / by + 1;
	values[i] = x;
}

extern "C" __global__ void divide_by_7(unsigned *values, unsigned by)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = values[i]; //@ divide_by_7
	#pragma unroll 1
	for (unsigned k = 0; k < 64; k++)
		x = x / 7 + 1;
	values[i] = x;
}

// A block of eight warps that does nothing but meet at a barrier.
extern "C" __global__ void barriers(unsigned *out, unsigned rounds)
{
	#pragma unroll 1
	for (unsigned round = 0; round < rounds; round++)
		__syncthreads(); //@ barriers
	out[blockIdx.x * blockDim.x + threadIdx.x] = rounds;
}

// The same arithmetic with numbers of 4 and of 8 bytes.
extern "C" __global__ void with_float(float *out, unsigned rounds)
{
	float a = threadIdx.x, b = a + 1;
	#pragma unroll 8
	for (unsigned round = 0; round < rounds; round++) {
		a = a * 0.5f + 1.0f;
		b = b * 0.5f + 1.0f;
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = a + b; //@ with_float
}

extern "C" __global__ void with_double(float *out, unsigned rounds)
{
	double a = threadIdx.x, b = a + 1;
	#pragma unroll 8
	for (unsigned round = 0; round < rounds; round++) {
		a = a * 0.5 + 1.0;
		b = b * 0.5 + 1.0;
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = (float)(a + b); //@ with_double
}

// All threads of a block add a float to one word: of shared memory, and of global memory.
extern "C" __global__ void add_shared(float *out)
{
	__shared__ float sum;

	if (threadIdx.x == 0)
		sum = 0;
	__syncthreads();
	atomicAdd(&sum, 1.0f); //@ add_shared
	__syncthreads();
	if (threadIdx.x == 0)
		out[blockIdx.x] = sum;
}

extern "C" __global__ void add_global(float *out)
{
	atomicAdd(&out[blockIdx.x], 1.0f); //@ add_global
}

// Only the first lanes of each warp have something to do.
extern "C" __global__ void some_lanes(float *out, unsigned lanes, unsigned rounds)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (threadIdx.x % 32 >= lanes)
		return;
	float x = i;
	#pragma unroll 8
	for (unsigned round = 0; round < rounds; round++)
		x = x * 0.5f + 1.0f; //@ some_lanes
	out[i] = x;
}
