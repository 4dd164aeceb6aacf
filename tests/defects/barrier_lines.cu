// Warps that come to a barrier from different __syncthreads() of the source. CUDA allows it in conditional code only if the condition
// is the same for the whole block; otherwise the behavior is undefined, even where the machine's barrier counts warps and goes on.
#include "simt.h"

// launch: --grid 1 --block 64 --arg u32[64] --arg u32[64]
// expect: barrier-mismatched
__global__ void branches_of_warps(const unsigned *in, unsigned *out)
{
	__shared__ unsigned s[64];
	int t = threadIdx.x;
	if (t < 32) {
		s[t] = in[t];
		__syncthreads();
		out[t] = s[t + 32];
	} else {
		s[t] = in[t] * 2 + 1;
		__syncthreads();
		out[t] = s[t - 32] + 3;
	}
}

// The barrier stands after the branches.
// launch: --grid 1 --block 64 --arg u32[64] --arg u32[64]
// expect: clean
__global__ void branches_of_warps_clean(const unsigned *in, unsigned *out)
{
	__shared__ unsigned s[64];
	int t = threadIdx.x;
	if (t < 32)
		s[t] = in[t];
	else
		s[t] = in[t] * 2 + 1;
	__syncthreads();
	out[t] = s[t ^ 32];
}

// One warp's loop has as many barriers as the other has lines.
// launch: --grid 1 --block 64 --arg s32:2 --arg u32[64]
// expect: barrier-mismatched
__global__ void loop_against_lines(int rounds, unsigned *out)
{
	__shared__ volatile unsigned s[64];
	int t = threadIdx.x;
	if (t < 32) {
#pragma unroll 1
		for (int k = 0; k < rounds; k++) {
			s[t] = k;
			__syncthreads();
		}
	} else {
		s[t] = t;
		__syncthreads();
		s[t] = t + 1;
		__syncthreads();
	}
	out[t] = s[t ^ 32];
}

// A warp leaves the loop a round sooner; the barrier after the loop meets the one in it.
// launch: --grid 1 --block 64 --arg s32:2 --arg u32[64]
// expect: barrier-mismatched
// also: barrier-missing
__global__ void loop_left_sooner(int rounds, unsigned *out)
{
	__shared__ volatile unsigned s[64];
	int t = threadIdx.x;
#pragma unroll 1
	for (int k = 0; k < rounds + t / 32; k++) {
		s[t] = k;
		__syncthreads();
	}
	out[t] = s[t];
	__syncthreads();
	out[t] += s[t ^ 32];
	if (t < 32)
		__syncthreads();
}

// The compiler unrolls the loop: several barriers of the machine, one of the source, the same for all.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: clean
// result: 1: 2016
__global__ void unrolled_clean(const unsigned *in, unsigned *out)
{
	__shared__ unsigned s[64];
	int t = threadIdx.x;
	s[t] = in[t];
#pragma unroll
	for (int stride = 32; stride; stride /= 2) {
		__syncthreads();
		if (t < stride)
			s[t] += s[t + stride];
	}
	if (t == 0)
		out[0] = s[0];
}

__device__ __forceinline__ void exchange(volatile unsigned *s, int t, unsigned v, unsigned *out)
{
	s[t] = v;
	__syncthreads();
	out[t] = s[t ^ 32];
}

// One __syncthreads() of the source, in a function that both branches call. Open to debate: the condition of the calls is not the same
// for the block, so that a strict reader calls it undefined; but there is one barrier in the source and all come to it.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: clean
// also: barrier-mismatched
// result: 1: 33 34
__global__ void function_called_twice(const unsigned *in, unsigned *out)
{
	__shared__ volatile unsigned s[64];
	int t = threadIdx.x;
	if (t < 32)
		exchange(s, t, in[t] * 2, out);
	else
		exchange(s, t, in[t] + 1, out);
}

// A counting barrier and a plain one: different lines, and PTX forbids to mix bar.red and bar.sync of one barrier besides.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: barrier-mismatched
__global__ void counting_against_plain(const unsigned *in, unsigned *out)
{
	int t = threadIdx.x;
	unsigned n = 0;
	if (t < 32) {
		n = __syncthreads_count(in[t] > 5);
	} else {
		out[t] = in[t];
		__syncthreads();
	}
	out[t] = n;
}

// Barriers with a name and a count are met from different lines by design: PTX joins them by name.
// launch: --grid 1 --block 64 --arg u32[32]
// expect: clean
// result: 0: 31 30 29
__global__ void named_lines_clean(unsigned *out)
{
	__shared__ unsigned s[32];
	int t = threadIdx.x;
	if (t < 32) {
		s[t] = t;
		asm volatile("bar.arrive 1, 64;" ::: "memory");
	} else {
		asm volatile("bar.sync 1, 64;" ::: "memory");
		out[t - 32] = s[63 - t];
	}
}

// All warps take the same way, though it is found in data.
// launch: --grid 1 --block 64 --arg u32[1] --arg u32[64]
// expect: clean
// result: 1: 32 33 34
__global__ void same_branch_clean(const unsigned *in, unsigned *out)
{
	__shared__ volatile unsigned s[64];
	int t = threadIdx.x;
	if (in[0]) {
		s[t] = t * 2;
		__syncthreads();
	} else {
		s[t] = t;
		__syncthreads();
	}
	out[t] = s[t ^ 32];
}
