// Addresses that are not there, or not aligned.
#include "simt.h"

// 128 threads, 100 elements.
// launch: --grid 2 --block 64 --arg u32[100]:iota --arg u32[100] --arg s32:100
// expect: out-of-bounds global copy
__global__ void copy_unguarded(const unsigned *in, unsigned *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = in[i]; // [copy]
}

// launch: --grid 2 --block 64 --arg u32[100]:iota --arg u32[100] --arg s32:100
// expect: clean
// result: 1: 0 1 2
__global__ void copy_clean(const unsigned *in, unsigned *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = in[i];
}

// launch: --grid 2 --block 64 --arg u32[100]:iota --arg u32[100] --arg s32:100
// expect: out-of-bounds global copy
__global__ void copy_one_too_many(const unsigned *in, unsigned *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i <= n)
		out[i] = in[i]; // [copy]
}

// The neighbor before the first.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: out-of-bounds global look
__global__ void difference_unguarded(const int *in, int *out)
{
	int i = threadIdx.x;
	int before = in[i - 1]; // [look]
	out[i] = in[i] - before;
}

// launch: --grid 1 --block 64 --arg s32[64]:iota --arg s32[64]
// expect: clean
// result: 1: 0 1 1 1
__global__ void difference_clean(const int *in, int *out)
{
	int i = threadIdx.x;
	int before = i > 0 ? in[i - 1] : 0;
	out[i] = in[i] - before;
}

// The last thread looks one past the shared array.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: out-of-bounds shared look
__global__ void shared_past_end(const unsigned *in, unsigned *out)
{
	__shared__ unsigned s[64];
	int t = threadIdx.x;
	s[t] = in[t];
	__syncthreads();
	out[t] = s[t + 1] - s[t]; // [look]
}

// Room for one more.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: clean
// result: 1: 1 1 1
__global__ void shared_past_end_clean(const unsigned *in, unsigned *out)
{
	__shared__ unsigned s[65];
	int t = threadIdx.x;
	s[t] = in[t];
	if (t == 0)
		s[64] = 64;
	__syncthreads();
	out[t] = s[t + 1] - s[t];
}

// More dynamic shared memory is used than was launched with.
// launch: --grid 1 --block 64 --shared 128 --arg u32[64]:iota --arg u32[64]
// expect: out-of-bounds shared store
// expect: out-of-bounds shared use
__global__ void dynamic_too_small(const unsigned *in, unsigned *out)
{
	extern __shared__ unsigned room[];
	int t = threadIdx.x;
	room[t] = in[t]; // [store]
	__syncthreads();
	out[t] = room[63 - t]; // [use]
}

// launch: --grid 1 --block 64 --shared 256 --arg u32[64]:iota --arg u32[64]
// expect: clean
// result: 1: 63 62
__global__ void dynamic_clean(const unsigned *in, unsigned *out)
{
	extern __shared__ unsigned room[];
	int t = threadIdx.x;
	room[t] = in[t];
	__syncthreads();
	out[t] = room[63 - t];
}

// launch: --grid 1 --block 32 --arg s32:9 --arg s32[32]
// expect: out-of-bounds local fill
__global__ void local_past_end(int n, int *out)
{
	int own[8];
	for (int k = 0; k < n; k++)
		own[k] = k + threadIdx.x; // [fill]
	out[threadIdx.x] = own[threadIdx.x % 8];
}

// launch: --grid 1 --block 32 --arg s32:8 --arg s32[32]
// expect: clean
// result: 1: 0 2 4 6 8 10 12 14 8
__global__ void local_clean(int n, int *out)
{
	int own[8];
	for (int k = 0; k < n; k++)
		own[k] = k + threadIdx.x;
	out[threadIdx.x] = own[threadIdx.x % 8];
}

// Words at odd addresses.
// launch: --grid 1 --block 32 --arg u8[160]:iota --arg u32[32]
// expect: misaligned global load
__global__ void words_at_odd(const unsigned char *in, unsigned *out)
{
	out[threadIdx.x] = *(const unsigned *)(in + 4 * threadIdx.x + 1); // [load]
}

// Four words at a time from where only words are aligned.
// launch: --grid 1 --block 32 --arg u32[160]:iota --arg u32[32]
// expect: misaligned global load
__global__ void vectors_shifted(const unsigned *in, unsigned *out)
{
	uint4 v = *(const uint4 *)(in + 4 * threadIdx.x + 1); // [load]
	out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

// launch: --grid 1 --block 32 --arg u32[160]:iota --arg u32[32]
// expect: clean
// result: 1: 6 22
__global__ void vectors_clean(const unsigned *in, unsigned *out)
{
	uint4 v = *(const uint4 *)(in + 4 * threadIdx.x);
	out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

// Pairs of words in shared memory from odd words.
// launch: --grid 1 --block 32 --arg u64[32]
// expect: misaligned shared pair
__global__ void shared_pairs_shifted(unsigned long long *out)
{
	__shared__ __align__(16) unsigned s[66];
	int t = threadIdx.x;
	s[t] = t;
	s[t + 32] = t;
	if (t < 2)
		s[64 + t] = 0;
	__syncwarp();
	out[t] = *(unsigned long long *)&s[2 * t + 1]; // [pair]
}
