// Two buffers in turn: while one is used the other is filled, with one barrier a step.
#include "simt.h"

#define N 64

// launch: --grid 1 --block 64 --arg u32[256]:iota --arg u32[64] --arg s32:4
// expect: clean
// result: 1: 636 632
__global__ void double_buffer_clean(const unsigned *in, unsigned *out, int steps)
{
	__shared__ unsigned buffer[2][N];
	int t = threadIdx.x;
	unsigned sum = 0;
	buffer[0][t] = in[t];
	__syncthreads();
	for (int k = 0; k < steps; k++) {
		if (k + 1 < steps)
			buffer[(k + 1) % 2][t] = in[(k + 1) * N + t];
		sum += buffer[k % 2][N - 1 - t];
		__syncthreads();
	}
	out[t] = sum;
}

// The next values go into the buffer that is in use.
// launch: --grid 1 --block 64 --arg u32[256]:iota --arg u32[64] --arg s32:4
// expect: race shared fill use
__global__ void double_buffer_same(const unsigned *in, unsigned *out, int steps)
{
	__shared__ unsigned buffer[2][N];
	int t = threadIdx.x;
	unsigned sum = 0;
	buffer[0][t] = in[t];
	buffer[1][t] = 0;
	__syncthreads();
	for (int k = 0; k < steps; k++) {
		if (k + 1 < steps)
			buffer[k % 2][t] = in[(k + 1) * N + t]; // [fill]
		sum += buffer[k % 2][N - 1 - t]; // [use]
		__syncthreads();
	}
	out[t] = sum;
}

// The barrier of the step is missing: a warp can be a whole step ahead.
// launch: --grid 1 --block 64 --arg u32[256]:iota --arg u32[64] --arg s32:4
// expect: race shared fill use
__global__ void double_buffer_no_barrier(const unsigned *in, unsigned *out, int steps)
{
	__shared__ unsigned buffer[2][N];
	int t = threadIdx.x;
	unsigned sum = 0;
	buffer[0][t] = in[t];
	buffer[1][t] = 0;
	__syncthreads();
	for (int k = 0; k < steps; k++) {
		if (k + 1 < steps)
			buffer[(k + 1) % 2][t] = in[(k + 1) * N + t]; // [fill]
		sum += buffer[k % 2][N - 1 - t]; // [use]
	}
	out[t] = sum;
}
