// An access past the end of an array that lands in another one: the hardware does not see it.
#include "simt.h"

__device__ unsigned head[32], tail[32];

// The last thread's neighbor is in the next array.
// launch: --grid 1 --block 32 --arg u32[32]
// expect: out-of-bounds shared past
// says: a 4-byte load from shared memory at 0x80, 0 bytes past the end of s (128 bytes), in u (128 bytes)
__global__ void neighbor_shared(unsigned *out)
{
	__shared__ unsigned s[32], u[32];
	int t = threadIdx.x;
	s[t] = t;
	u[t] = 2 * t;
	__syncthreads();
	out[t] = s[t + 1] + u[31 - t]; // [past]
}

// launch: --grid 1 --block 32 --arg u32[32]
// expect: clean
__global__ void neighbor_shared_clean(unsigned *out)
{
	__shared__ unsigned s[33], u[32];
	int t = threadIdx.x;
	s[t + 1] = t;
	u[t] = 2 * t;
	if (t == 0)
		s[0] = 0;
	__syncthreads();
	out[t] = s[t + 1] + u[31 - t];
}

// Stores before the beginning.
// launch: --grid 1 --block 32 --arg u32[32]
// expect: out-of-bounds shared before
// also: race shared before make
// says: 4 bytes before the beginning of u (128 bytes), in s (128 bytes)
__global__ void neighbor_before(unsigned *out)
{
	__shared__ unsigned s[32], u[32];
	int t = threadIdx.x;
	s[t] = t; // [make]
	__syncthreads();
	u[t - 1] = 2 * t; // [before]
	__syncthreads();
	out[t] = s[t] + (t < 31 ? u[t] : 0);
}

// A loop runs one too far.
// launch: --grid 1 --block 32 --arg u32[32]
// expect: out-of-bounds shared add
// says: 0 bytes past the end of s (128 bytes), in u (128 bytes)
__global__ void neighbor_loop(unsigned *out)
{
	__shared__ unsigned s[32], u[32];
	int t = threadIdx.x;
	s[t] = t;
	u[t] = 1;
	__syncthreads();
	unsigned sum = u[t];
	for (int i = t; i <= 32; i++)
		sum += s[i]; // [add]
	out[t] = sum;
}

// launch: --grid 1 --block 32 --arg u32[32]
// expect: clean
// result: 0: 497 497 496
__global__ void neighbor_loop_clean(unsigned *out)
{
	__shared__ unsigned s[32], u[32];
	int t = threadIdx.x;
	s[t] = t;
	u[t] = 1;
	__syncthreads();
	unsigned sum = u[t];
	for (int i = t; i < 32; i++)
		sum += s[i];
	out[t] = sum;
}

// Either of two arrays, by an address that may be of both.
// launch: --grid 1 --block 32 --arg u32[32] --arg s32:1
// expect: clean
// result: 0: 62 60 58
__global__ void neighbor_either_clean(unsigned *out, int second)
{
	__shared__ unsigned s[32], u[32];
	int t = threadIdx.x;
	s[t] = t;
	u[t] = 2 * t;
	__syncthreads();
	const unsigned *from = second ? u : s;
	out[t] = from[31 - t];
}

// Members of a structure are one variable: a pointer may run from one to the next, as code that clears them does.
// launch: --grid 1 --block 32 --arg u32[32]
// expect: clean
__global__ void neighbor_member_clean(unsigned *out)
{
	__shared__ struct {
		unsigned s[32], u[32];
	} both;
	int t = threadIdx.x;
	for (int i = t; i < 64; i += 32)
		((unsigned *)&both)[i] = i;
	__syncthreads();
	out[t] = both.s[t] + both.u[t];
}

// Variables in global memory.
// launch: --grid 1 --block 32 --arg u32[32]
// expect: out-of-bounds global past
// says: past the end of head (128 bytes)
__global__ void neighbor_global(unsigned *out)
{
	int t = threadIdx.x;
	tail[t] = t;
	__syncthreads();
	out[t] = head[t + 1] + tail[31 - t]; // [past]
}

// launch: --grid 1 --block 32 --arg u32[32]
// expect: clean
__global__ void neighbor_global_clean(unsigned *out)
{
	int t = threadIdx.x;
	tail[t] = t;
	__syncthreads();
	out[t] = head[t] + tail[31 - t];
}
