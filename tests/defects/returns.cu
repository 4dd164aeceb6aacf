// Threads that leave early, and barriers that not all come to.
#include "simt.h"

// Whole warps have nothing to do and leave; a barrier waits for those that are still there.
// launch: --grid 1 --block 128 --arg u32[64]:iota --arg u32[64]
// expect: clean
// result: 1: 63 62 61
__global__ void return_whole_warps_clean(const unsigned *in, unsigned *out)
{
	__shared__ unsigned s[64];
	int t = threadIdx.x;
	if (t >= 64)
		return;
	s[t] = in[t];
	__syncthreads();
	out[t] = s[63 - t];
}

// The work is guarded, the barrier is not.
// launch: --grid 2 --block 64 --arg u32[100]:iota --arg u32[100] --arg s32:100
// expect: clean
// result: 1: 63 62 61
__global__ void guard_clean(const unsigned *in, unsigned *out, int n)
{
	__shared__ unsigned s[64];
	int t = threadIdx.x, i = blockIdx.x * 64 + t, last = n - blockIdx.x * 64 - 1;
	if (last > 63)
		last = 63;
	if (i < n)
		s[t] = in[i];
	__syncthreads();
	if (i < n)
		out[i] = s[last - t];
}

// Some lanes of a warp leave, the others wait at the barrier. From compute capability 7.0 on a barrier waits for the threads that
// have not left, so that this ends well; the programming guide still asks that a __syncthreads() be met by all or none. A
// checker may call it divergent.
// launch: --grid 1 --block 64 --arg u32[50]:iota --arg u32[50] --arg s32:50
// expect: clean
// also: barrier-divergent
__global__ void return_some_lanes(const unsigned *in, unsigned *out, int n)
{
	__shared__ unsigned s[64];
	int t = threadIdx.x;
	if (t >= n)
		return;
	s[t] = in[t];
	__syncthreads();
	out[t] = s[n - 1 - t];
}

// The lanes that left do not load; the others read what they should have.
// launch: --grid 1 --block 64 --arg u32[32]:iota --arg u32[32] --arg s32:32
// expect: uninitialized shared read
__global__ void return_before_load(const unsigned *in, unsigned *out, int n)
{
	__shared__ unsigned s[64];
	int t = threadIdx.x;
	if (t >= n)
		return;
	s[t] = in[t];
	__syncthreads();
	out[t] = s[63 - t]; // [read]
}

// Odd lanes wait, even ones do not.
// launch: --grid 1 --block 64 --arg u32[64]
// expect: barrier-divergent
__global__ void barrier_odd_lanes(unsigned *out)
{
	if (threadIdx.x % 2) {
		out[threadIdx.x] = 1;
		__syncthreads();
	}
	out[threadIdx.x] += 1;
}

// A barrier in a loop that the warps leave after different numbers of rounds: they synchronize at the wrong ones.
// launch: --grid 1 --block 64 --arg u32[64]
// expect: race shared write read
// also: barrier-missing
// also: barrier-divergent
__global__ void barrier_uneven_loop(unsigned *out)
{
	__shared__ unsigned s[64];
	int t = threadIdx.x, rounds = t < 32 ? 2 : 1;
	unsigned sum = 0;
	s[t] = 0;
	__syncthreads();
#pragma unroll 1
	for (int k = 0; k < rounds; k++) {
		s[t] = t + k; // [write]
		__syncthreads();
		sum += s[63 - t]; // [read]
	}
	out[t] = sum;
}

// Both sides of a branch by whole warps, each with a barrier of its own: by PTX they synchronize, as bar.sync 0 is one barrier
// wherever it stands, but CUDA leaves undefined what __syncthreads() does here.
// launch: --grid 1 --block 64 --arg u32[64]
// expect: barrier-mismatched
__global__ void barrier_two_places(unsigned *out)
{
	__shared__ unsigned s[64];
	int t = threadIdx.x;
	if (t < 32) {
		s[t] = t;
		__syncthreads();
		out[t] = s[63 - t];
	} else {
		s[t] = t + 1;
		__syncthreads();
		out[t] = s[63 - t];
	}
}

// An endless loop.
// launch: --grid 1 --block 32 --arg u32[1] --steps 20000
// expect: limit
__global__ void endless(volatile unsigned *go)
{
	while (*go == 0)
		;
}
