// Lanes leave a warp's common path and come back to it: when, and what they may not rely on.
#include "clang.h"

// Lanes from `count` on return at once.
extern "C" __global__ void leave(const unsigned *in, unsigned *out, unsigned count)
{
	unsigned i = threadIdx.x;
	if (i >= count)
		return;
	unsigned sum = 0;
	#pragma unroll 1
	for (unsigned k = 0; k < 4; k++)
		sum += in[k]; //@ leave
	out[i] = sum + i;
}

// Each lane makes its own number of rounds.
extern "C" __global__ void rounds_own(const unsigned *in, unsigned *out, unsigned most)
{
	unsigned i = threadIdx.x, sum = 0;
	#pragma unroll 1
	for (unsigned k = 0; k < i % most + 1; k++)
		sum += in[k]; //@ rounds_own
	out[i] = sum;
}

// 1 to 32 rounds: by the lane, so that every warp has all numbers, and by the warp, so that all lanes of a warp have one.
extern "C" __global__ void rounds_by_lane(const unsigned *in, unsigned *out)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
	#pragma unroll 1
	for (unsigned k = 0; k <= i % 32; k++)
		sum += in[k]; //@ rounds_by_lane
	out[i] = sum;
}

extern "C" __global__ void rounds_by_warp(const unsigned *in, unsigned *out)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
	#pragma unroll 1
	for (unsigned k = 0; k <= i / 32; k++)
		sum += in[k]; //@ rounds_by_warp
	out[i] = sum;
}

// An if in an if.
extern "C" __global__ void nested(const unsigned *in, unsigned *out, unsigned outer, unsigned inner)
{
	unsigned i = threadIdx.x, v = 0;
	if (i < outer) {
		v = in[i];
		if (i < inner)
			out[32 + i] = v; //@ inner
		out[64 + i] = v + 1; //@ between
	}
	out[i] = v; //@ after
}

// Pairs of lanes exchange a word through shared memory.
extern "C" __global__ void swap_without(const unsigned *in, unsigned *out)
{
	__shared__ unsigned word[32];
	unsigned lane = threadIdx.x;
	word[lane] = in[lane];
	out[lane] = word[lane ^ 1]; //@ swap_without
}

extern "C" __global__ void swap_with(const unsigned *in, unsigned *out)
{
	__shared__ unsigned word[32];
	unsigned lane = threadIdx.x;
	word[lane] = in[lane];
	__syncwarp();
	out[lane] = word[lane ^ 1]; //@ swap_with
}

// Only the first `count` lanes exchange; the mask names all, or those.
extern "C" __global__ void part_all(const unsigned *in, unsigned *out, unsigned count)
{
	__shared__ unsigned word[32];
	unsigned lane = threadIdx.x, v = 0;
	if (lane < count) {
		word[lane] = in[lane]; //@ part_all
		__syncwarp();
		v = word[lane ^ 1];
	}
	out[lane] = v;
}

extern "C" __global__ void part_branch(const unsigned *in, unsigned *out, unsigned count)
{
	__shared__ unsigned word[32];
	unsigned lane = threadIdx.x, v = 0;
	unsigned mask = __ballot_sync(0xFFFFFFFF, lane < count);
	if (lane < count) {
		word[lane] = in[lane]; //@ part_branch
		__syncwarp(mask);
		v = word[lane ^ 1];
	}
	out[lane] = v;
}
