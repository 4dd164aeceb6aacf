// Threads of a block hand values to one another through shared memory, with and without the barriers it takes.
#include "clang.h"

#define MOST 128

// Each thread leaves a word and takes its mirror's.
extern "C" __global__ void reverse_none(const float *in, float *out)
{
	__shared__ float tile[MOST];

	unsigned t = threadIdx.x, mirror = blockDim.x - 1 - t, first = blockIdx.x * blockDim.x;
	tile[t] = in[first + t];
	out[first + t] = tile[mirror]; //@ take_none
}

extern "C" __global__ void reverse_warp(const float *in, float *out)
{
	__shared__ float tile[MOST];

	unsigned t = threadIdx.x, mirror = blockDim.x - 1 - t, first = blockIdx.x * blockDim.x;
	tile[t] = in[first + t];
	__syncwarp();
	out[first + t] = tile[mirror]; //@ take_warp
}

extern "C" __global__ void reverse_block(const float *in, float *out)
{
	__shared__ float tile[MOST];

	unsigned t = threadIdx.x, mirror = blockDim.x - 1 - t, first = blockIdx.x * blockDim.x;
	tile[t] = in[first + t];
	__syncthreads();
	out[first + t] = tile[mirror]; //@ take_block
}

// Round after round, each thread adds its mirror's value to its own.
extern "C" __global__ void rounds_one(const int *in, int *out, unsigned rounds)
{
	__shared__ int tile[MOST];

	unsigned t = threadIdx.x, mirror = blockDim.x - 1 - t, i = blockIdx.x * blockDim.x + t;
	int v = in[i];
	#pragma unroll 1
	for (unsigned round = 0; round < rounds; round++) {
		tile[t] = v;
		__syncthreads();
		v += tile[mirror]; //@ take_one
	}
	out[i] = v;
}

extern "C" __global__ void rounds_two(const int *in, int *out, unsigned rounds)
{
	__shared__ int tile[MOST];

	unsigned t = threadIdx.x, mirror = blockDim.x - 1 - t, i = blockIdx.x * blockDim.x + t;
	int v = in[i];
	#pragma unroll 1
	for (unsigned round = 0; round < rounds; round++) {
		tile[t] = v;
		__syncthreads();
		v += tile[mirror]; //@ take_two
		__syncthreads();
	}
	out[i] = v;
}

// Two tiles, used in turn.
extern "C" __global__ void rounds_tiles(const int *in, int *out, unsigned rounds)
{
	__shared__ int tile[2][MOST];

	unsigned t = threadIdx.x, mirror = blockDim.x - 1 - t, i = blockIdx.x * blockDim.x + t;
	int v = in[i];
	#pragma unroll 1
	for (unsigned round = 0; round < rounds; round++) {
		tile[round % 2][t] = v;
		__syncthreads();
		v += tile[round % 2][mirror]; //@ take_tiles
	}
	out[i] = v;
}

// The first `count` threads add their mirror's value, the others keep their own.
extern "C" __global__ void fold_inside(const int *in, int *out, unsigned count)
{
	__shared__ int tile[MOST];

	unsigned t = threadIdx.x;
	int v = in[t];
	if (t < count) {
		tile[t] = v; //@ leave_inside
		__syncthreads();
		v += tile[count - 1 - t];
	}
	out[t] = v;
}

extern "C" __global__ void fold_outside(const int *in, int *out, unsigned count)
{
	__shared__ int tile[MOST];

	unsigned t = threadIdx.x;
	int v = in[t];
	if (t < count)
		tile[t] = v; //@ leave_outside
	__syncthreads();
	if (t < count)
		v += tile[count - 1 - t];
	out[t] = v;
}
