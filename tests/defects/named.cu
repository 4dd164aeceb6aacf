// Producer and consumer warps with named barriers: bar.arrive comes and goes on, bar.sync comes and waits.
#include "simt.h"

#define ARRIVE(id, threads) asm volatile("bar.arrive " #id ", " #threads ";" ::: "memory")
#define SYNC(id, threads) asm volatile("bar.sync " #id ", " #threads ";" ::: "memory")

// launch: --grid 1 --block 64 --arg u32[32]
// expect: clean
// result: 0: 31 30 29
__global__ void named_clean(unsigned *out)
{
	__shared__ unsigned s[32];
	int t = threadIdx.x;
	if (t < 32) {
		s[t] = t;
		ARRIVE(1, 64);
	} else {
		SYNC(1, 64);
		out[t - 32] = s[63 - t];
	}
}

// The wrong one waits: the consumer only arrives.
// launch: --grid 1 --block 64 --arg u32[32]
// expect: race shared make take
__global__ void named_wrong_side(unsigned *out)
{
	__shared__ unsigned s[32];
	int t = threadIdx.x;
	if (t < 32) {
		s[t] = t; // [make]
		SYNC(1, 64);
	} else {
		ARRIVE(1, 64);
		out[t - 32] = s[63 - t]; // [take]
	}
}

// Two names: the warps wait at different barriers.
// launch: --grid 1 --block 64 --arg u32[32]
// expect: barrier-missing
// also: barrier-pending
__global__ void named_two_names(unsigned *out)
{
	__shared__ unsigned s[32];
	int t = threadIdx.x;
	if (t < 32) {
		s[t] = t;
		ARRIVE(1, 64);
	} else {
		SYNC(2, 64);
		out[t - 32] = s[63 - t];
	}
}

// 96 are waited for, 64 come.
// launch: --grid 1 --block 64 --arg u32[32]
// expect: barrier-missing
__global__ void named_too_many(unsigned *out)
{
	__shared__ unsigned s[32];
	int t = threadIdx.x;
	if (t < 32) {
		s[t] = t;
		ARRIVE(1, 96);
	} else {
		SYNC(1, 96);
		out[t - 32] = s[63 - t];
	}
}

// The producer arrives, and no thread ever waits: the kernel ends with the barrier half full. No result is wrong here; its
// author meant some thread to wait.
// launch: --grid 1 --block 64 --arg u32[32]
// expect: barrier-pending
__global__ void named_never_waited(unsigned *out)
{
	int t = threadIdx.x;
	if (t < 32)
		ARRIVE(1, 64);
	else
		out[t - 32] = t;
}

// Round after round through one slot: "full" lets the consumer go on, "empty" the producer.
// launch: --grid 1 --block 64 --arg u32[32] --arg s32:4
// expect: clean
// result: 0: 6 6 6
__global__ void named_ping_pong_clean(unsigned *out, int rounds)
{
	__shared__ unsigned s[32];
	int t = threadIdx.x;
	if (t < 32) {
		for (int k = 0; k < rounds; k++) {
			if (k)
				SYNC(2, 64);
			s[t] = k;
			ARRIVE(1, 64);
		}
	} else {
		unsigned sum = 0;
		for (int k = 0; k < rounds; k++) {
			SYNC(1, 64);
			sum += s[63 - t];
			if (k + 1 < rounds)
				ARRIVE(2, 64);
		}
		out[t - 32] = sum;
	}
}

// The producer synchronizes with the consumer, but does not wait until the slot is empty.
// launch: --grid 1 --block 64 --arg u32[32] --arg s32:4
// expect: race shared fill use
__global__ void named_no_empty(unsigned *out, int rounds)
{
	__shared__ unsigned s[32];
	int t = threadIdx.x;
	if (t < 32) {
		for (int k = 0; k < rounds; k++) {
			s[t] = k; // [fill]
			SYNC(1, 64);
		}
	} else {
		unsigned sum = 0;
		for (int k = 0; k < rounds; k++) {
			SYNC(1, 64);
			sum += s[63 - t]; // [use]
		}
		out[t - 32] = sum;
	}
}

// A barrier of two of the four warps orders those two; the other pair has one of its own.
// launch: --grid 1 --block 128 --arg u32[128]
// expect: clean
// result: 0: 63 62 61
__global__ void named_pairs_clean(unsigned *out)
{
	__shared__ unsigned s[128];
	int t = threadIdx.x;
	s[t] = t;
	if (t < 64)
		SYNC(1, 64);
	else
		SYNC(2, 64);
	out[t] = s[t ^ 63];
}

// The pairs exchange with each other, which neither barrier orders.
// launch: --grid 1 --block 128 --arg u32[128]
// expect: race shared make take
__global__ void named_pairs_crossed(unsigned *out)
{
	__shared__ unsigned s[128];
	int t = threadIdx.x;
	s[t] = t; // [make]
	if (t < 64)
		SYNC(1, 64);
	else
		SYNC(2, 64);
	out[t] = s[t ^ 127]; // [take]
}
