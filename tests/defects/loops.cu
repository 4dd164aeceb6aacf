// Loops: what one round leaves for the next, and threads that leave at different rounds.
#include "simt.h"

#define ALL 0xffffffffu

// Thread 0 decides, all look, next round: without a second barrier thread 0 decides again before all have looked.
// launch: --grid 1 --block 64 --arg u32[64] --arg s32:5
// expect: race shared decide look
// also: barrier-divergent
__global__ void done_flag_one_barrier(unsigned *out, int limit)
{
	__shared__ int done;
	int t = threadIdx.x, k = 0;
	for (;; k++) {
		if (t == 0)
			done = k == limit; // [decide]
		__syncthreads();
		if (done) // [look]
			break;
	}
	out[t] = k;
}

// launch: --grid 1 --block 64 --arg u32[64] --arg s32:5
// expect: clean
// result: 0: 5 5 5
__global__ void done_flag_clean(unsigned *out, int limit)
{
	__shared__ int done;
	int t = threadIdx.x, k = 0;
	for (;; k++) {
		if (t == 0)
			done = k == limit;
		__syncthreads();
		bool leave = done;
		__syncthreads();
		if (leave)
			break;
	}
	out[t] = k;
}

// A value for all, made by one thread each round.
// launch: --grid 1 --block 64 --arg u32[64] --arg s32:4
// expect: race shared make use
__global__ void broadcast_one_barrier(unsigned *out, int rounds)
{
	__shared__ unsigned value;
	int t = threadIdx.x;
	unsigned sum = 0;
	for (int k = 0; k < rounds; k++) {
		if (t == 33)
			value = k * k; // [make]
		__syncthreads();
		sum += value * t; // [use]
	}
	out[t] = sum;
}

// Two places in turn need one barrier only.
// launch: --grid 1 --block 64 --arg u32[64] --arg s32:4
// expect: clean
// result: 0: 0 14 28
__global__ void broadcast_two_places_clean(unsigned *out, int rounds)
{
	__shared__ unsigned value[2];
	int t = threadIdx.x;
	unsigned sum = 0;
	for (int k = 0; k < rounds; k++) {
		if (t == 33)
			value[k % 2] = k * k;
		__syncthreads();
		sum += value[k % 2] * t;
	}
	out[t] = sum;
}

// Lanes leave the loop at different rounds, and the barrier is in it.
// launch: --grid 1 --block 64 --arg u32[64]
// expect: barrier-divergent
__global__ void barrier_uneven_lanes(unsigned *out)
{
	int t = threadIdx.x;
	unsigned sum = 0;
#pragma unroll 1
	for (int k = 0; k <= t % 4; k++) {
		sum += k;
		__syncthreads();
	}
	out[t] = sum;
}

// Lanes leave at different rounds, and wait for each other after the loop.
// launch: --grid 1 --block 32 --arg u32[32]
// expect: clean
// result: 0: 465 435 406
__global__ void sync_after_uneven_clean(unsigned *out)
{
	__shared__ unsigned s[32];
	int t = threadIdx.x;
	unsigned sum = 0;
#pragma unroll 1
	for (int k = 0; k < t; k++)
		sum += k;
	s[t] = sum;
	__syncwarp();
	out[t] = s[31 - t];
}

// A shuffle in a loop that not all lanes make the last round of: the others wait after the loop. (Were they to end there, those that
// shuffle need not wait for them.)
// launch: --grid 1 --block 32 --arg u32[50]:iota --arg u32[50] --arg s32:50
// expect: wrong-mask null shuffle
__global__ void shuffle_last_round(const unsigned *in, unsigned *out, int n)
{
#pragma unroll 1
	for (int i = threadIdx.x; i < n; i += 32)
		out[i] = in[i] + __shfl_xor_sync(ALL, in[i], 1); // [shuffle]
	__syncwarp();
	out[threadIdx.x] += 1;
}

// All lanes make all rounds, what is beyond the end is guarded.
// launch: --grid 1 --block 32 --arg u32[50]:iota --arg u32[50] --arg s32:50
// expect: clean
// result: 1: 1 1 5 5
__global__ void shuffle_last_round_clean(const unsigned *in, unsigned *out, int n)
{
#pragma unroll 1
	for (int base = 0; base < n; base += 32) {
		int i = base + threadIdx.x;
		unsigned v = i < n ? in[i] : 0, other = __shfl_xor_sync(ALL, v, 1);
		if (i < n)
			out[i] = v + other;
	}
}

// Those that are left agree on a mask.
// launch: --grid 1 --block 32 --arg u32[50]:iota --arg u32[50] --arg s32:50
// expect: clean
// result: 1: 1 1 5 5
__global__ void shuffle_ballot_round_clean(const unsigned *in, unsigned *out, int n)
{
	unsigned mask = ALL;
#pragma unroll 1
	for (int base = 0; base < n; base += 32) {
		int i = base + threadIdx.x;
		mask = __ballot_sync(mask, i < n);
		if (i >= n)
			break;
		out[i] = in[i] + __shfl_xor_sync(mask, in[i], 1);
	}
}

// Values passed to the right, round after round, in a warp: one wait a round is too few.
// launch: --grid 1 --block 32 --arg u32[32]:iota --arg u32[32] --arg s32:3
// expect: race shared put get
__global__ void pass_right_one_sync(const unsigned *in, unsigned *out, int rounds)
{
	__shared__ unsigned s[32];
	int t = threadIdx.x;
	unsigned v = in[t];
#pragma unroll 1
	for (int k = 0; k < rounds; k++) {
		s[t] = v; // [put]
		__syncwarp();
		v = s[(t + 31) % 32]; // [get]
	}
	out[t] = v;
}

// launch: --grid 1 --block 32 --arg u32[32]:iota --arg u32[32] --arg s32:3
// expect: clean
// result: 1: 29 30 31 0 1
__global__ void pass_right_clean(const unsigned *in, unsigned *out, int rounds)
{
	__shared__ unsigned s[32];
	int t = threadIdx.x;
	unsigned v = in[t];
#pragma unroll 1
	for (int k = 0; k < rounds; k++) {
		s[t] = v;
		__syncwarp();
		v = s[(t + 31) % 32];
		__syncwarp();
	}
	out[t] = v;
}
