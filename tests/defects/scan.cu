// Prefix sums of a block, each step adding what stands `stride` places before.
#include "simt.h"

#define N 64

// All read, then all write.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: clean
// result: 1: 0 1 3 6 10
__global__ void scan_two_barriers_clean(const unsigned *in, unsigned *out)
{
	__shared__ unsigned s[N];
	int t = threadIdx.x;
	s[t] = in[t];
	__syncthreads();
	for (int stride = 1; stride < N; stride *= 2) {
		unsigned before = t >= stride ? s[t - stride] : 0;
		__syncthreads();
		s[t] += before;
		__syncthreads();
	}
	out[t] = s[t];
}

// The barrier between reading and writing is missing.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: race shared read write
__global__ void scan_one_barrier(const unsigned *in, unsigned *out)
{
	__shared__ unsigned s[N];
	int t = threadIdx.x;
	s[t] = in[t];
	__syncthreads();
#pragma unroll 1
	for (int stride = 1; stride < N; stride *= 2) {
		unsigned before = t >= stride ? s[t - stride] : 0; // [read]
		s[t] += before; // [write]
		__syncthreads();
	}
	out[t] = s[t];
}

// From one array into the other: one barrier a step is enough.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: clean
// result: 1: 0 1 3 6 10
__global__ void scan_two_arrays_clean(const unsigned *in, unsigned *out)
{
	__shared__ unsigned s[2][N];
	int t = threadIdx.x, from = 0;
	s[0][t] = in[t];
	__syncthreads();
	for (int stride = 1; stride < N; stride *= 2, from = 1 - from) {
		s[1 - from][t] = s[from][t] + (t >= stride ? s[from][t - stride] : 0);
		__syncthreads();
	}
	out[t] = s[from][t];
}
