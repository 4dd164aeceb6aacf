// The sum of a block's values as a tree in shared memory.
#include "simt.h"

#define N 128

// launch: --grid 1 --block 128 --arg u32[128]:iota --arg u32[1]
// expect: clean
// result: 1: 8128
__global__ void tree_clean(const unsigned *in, unsigned *out)
{
	__shared__ unsigned s[N];
	int t = threadIdx.x;
	s[t] = in[t];
	for (int stride = N / 2; stride > 0; stride /= 2) {
		__syncthreads();
		if (t < stride)
			s[t] += s[t + stride];
	}
	if (t == 0)
		*out = s[0];
}

// One barrier before the loop: from the second step on, a thread adds what another may not have written yet.
// launch: --grid 1 --block 128 --arg u32[128]:iota --arg u32[1]
// expect: race shared add add
__global__ void tree_barrier_outside(const unsigned *in, unsigned *out)
{
	__shared__ unsigned s[N];
	int t = threadIdx.x;
	s[t] = in[t];
	__syncthreads();
#pragma unroll 1
	for (int stride = N / 2; stride > 0; stride /= 2)
		if (t < stride)
			s[t] += s[t + stride]; // [add]
	if (t == 0)
		*out = s[0];
}

// The barrier stands after the loop only.
// launch: --grid 1 --block 128 --arg u32[128]:iota --arg u32[1]
// expect: race shared load add
// expect: race shared add add
__global__ void tree_barrier_after(const unsigned *in, unsigned *out)
{
	__shared__ unsigned s[N];
	int t = threadIdx.x;
	s[t] = in[t]; // [load]
#pragma unroll 1
	for (int stride = N / 2; stride > 0; stride /= 2)
		if (t < stride)
			s[t] += s[t + stride]; // [add]
	__syncthreads();
	if (t == 0)
		*out = s[0];
}

// The barrier is inside the branch: half of the warps do not come to it, and from 16 on, half of the lanes.
// launch: --grid 1 --block 128 --arg u32[128]:iota --arg u32[1]
// expect: barrier-divergent
// also: race shared load add
// also: race shared add add
__global__ void tree_barrier_in_branch(const unsigned *in, unsigned *out)
{
	__shared__ unsigned s[N];
	int t = threadIdx.x;
	s[t] = in[t]; // [load]
#pragma unroll 1
	for (int stride = N / 2; stride > 0; stride /= 2)
		if (t < stride) {
			__syncthreads();
			s[t] += s[t + stride]; // [add]
		}
	if (t == 0)
		*out = s[0];
}

// The last five steps are left to one warp, ordered by __syncwarp: value read, all wait, value written, all wait.
// launch: --grid 1 --block 128 --arg u32[128]:iota --arg u32[1]
// expect: clean
// result: 1: 8128
__global__ void tree_last_warp_clean(const unsigned *in, unsigned *out)
{
	__shared__ unsigned s[N];
	int t = threadIdx.x;
	s[t] = in[t];
	__syncthreads();
	if (t < 64)
		s[t] += s[t + 64];
	__syncthreads();
	if (t < 32) {
		unsigned v = s[t] + s[t + 32];
		for (int stride = 16; stride > 0; stride /= 2) {
			__syncwarp();
			s[t] = v;
			__syncwarp();
			v += s[(t + stride) % 32];
		}
		if (t == 0)
			*out = v;
	}
}
