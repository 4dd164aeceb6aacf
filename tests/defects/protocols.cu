// Longer protocols between threads: locks of other kinds, queues, lists, counters with a version.
#include "simt.h"

#define ALL 0xffffffffu

// A lock by tickets: draw one, wait until it is served.
// launch: --grid 4 --block 32 --arg u32[1] --arg u32[1] --arg u32[1]
// expect: clean
// result: 2: 4
__global__ void ticket_lock_clean(unsigned *next, volatile unsigned *serving, unsigned *count)
{
	if (threadIdx.x)
		return;
	unsigned ticket = atomicAdd(next, 1u);
	while (*serving != ticket)
		;
	__threadfence();
	*count += 1;
	__threadfence();
	*serving = ticket + 1;
}

// launch: --grid 4 --block 32 --arg u32[1] --arg u32[1] --arg u32[1]
// expect: race global count count
__global__ void ticket_lock_no_release(unsigned *next, volatile unsigned *serving, unsigned *count)
{
	if (threadIdx.x)
		return;
	unsigned ticket = atomicAdd(next, 1u);
	while (*serving != ticket)
		;
	__threadfence();
	*count += 1; // [count]
	*serving = ticket + 1;
}

// Two warps keep each other out with two flags and a turn (Peterson). It stands on sequentially consistent fences.
// launch: --grid 1 --block 64 --arg u32[1] --arg s32:3
// expect: clean
// result: 0: 6
__global__ void peterson_clean(unsigned *out, int rounds)
{
	__shared__ volatile unsigned wants[2], turn;
	__shared__ unsigned count;
	int t = threadIdx.x, me = t / 32;
	if (t == 0)
		wants[0] = wants[1] = turn = count = 0;
	__syncthreads();
	if (t % 32 == 0)
		for (int k = 0; k < rounds; k++) {
			wants[me] = 1;
			turn = 1 - me;
			__threadfence_block();
			while (wants[1 - me] && turn == 1 - me)
				;
			__threadfence_block();
			count += 1;
			__threadfence_block();
			wants[me] = 0;
		}
	__syncthreads();
	if (t == 0)
		*out = count;
}

// A counter with a version: odd while it is written. The data are plain, so that a reader that comes in between races, though it
// throws away what it read. (A reader that comes after the writer sees the version and is ordered.)
// launch: --grid 2 --block 32 --arg u32[1] --arg u32[2] --arg u32[2]
// expect: race global write read
__global__ void version_plain(volatile unsigned *version, unsigned *data, unsigned *out)
{
	if (threadIdx.x)
		return;
	if (blockIdx.x == 1) {
		*version = 1;
		__threadfence();
		data[0] = 7; data[1] = 8; // [write]
		__threadfence();
		*version = 2;
	} else {
		unsigned before, a, b;
		do {
			before = *version;
			__threadfence();
			a = data[0]; b = data[1]; // [read]
			__threadfence();
		} while (before % 2 || *version != before);
		out[0] = a;
		out[1] = b;
	}
}

// With volatile data nothing races; an old or a new pair is read, never half of each.
// launch: --grid 2 --block 32 --arg u32[1] --arg u32[2] --arg u32[2]
// expect: clean
__global__ void version_volatile_clean(volatile unsigned *version, volatile unsigned *data, unsigned *out)
{
	if (threadIdx.x)
		return;
	if (blockIdx.x == 0) {
		*version = 1;
		__threadfence();
		data[0] = 7; data[1] = 8;
		__threadfence();
		*version = 2;
	} else {
		unsigned before, a, b;
		do {
			before = *version;
			__threadfence();
			a = data[0]; b = data[1];
			__threadfence();
		} while (before % 2 || *version != before);
		out[0] = a;
		out[1] = b;
	}
}

// A list: nodes are put in front by exchanging the head, and read when all are there.
// launch: --grid 1 --block 64 --arg u32[64] --arg u32[1]
// expect: clean
// result: 1: 2016
__global__ void list_clean(unsigned *next, unsigned *sum)
{
	__shared__ unsigned head;
	int t = threadIdx.x;
	if (t == 0)
		head = 64;
	__syncthreads();
	next[t] = atomicExch(&head, (unsigned)t);
	__syncthreads();
	if (t == 0)
		for (unsigned at = head; at != 64; at = next[at])
			*sum += at;
}

// Read while nodes are still coming.
// launch: --grid 1 --block 64 --arg u32[64] --arg u32[1]
// expect: race global link follow
// also: race shared push first
__global__ void list_read_early(unsigned *next, unsigned *sum)
{
	__shared__ unsigned head;
	int t = threadIdx.x;
	if (t == 0)
		head = 64;
	__syncthreads();
	unsigned rest = atomicExch(&head, (unsigned)t); // [push]
	next[t] = rest; // [link]
	if (t == 0) {
		unsigned at = *(volatile unsigned *)&head, steps = 0; // [first]
		for (; at != 64 && steps < 100; at = next[at], steps++) // [follow]
			*sum += at;
	}
}

// Work is drawn by one thread and passed to the block through shared memory; before the next, all must have read it.
// launch: --grid 2 --block 64 --arg u32[1] --arg u32[8] --arg s32:8
// expect: race shared draw learn
__global__ void queue_one_barrier(unsigned *next, unsigned *out, int items)
{
	__shared__ unsigned item;
	for (;;) {
		if (threadIdx.x == 0)
			item = atomicAdd(next, 1u); // [draw]
		__syncthreads();
		if (item >= items) // [learn]
			break;
		if (threadIdx.x == 63)
			out[item] = item * item; // [hear2]
	}
}

// launch: --grid 2 --block 64 --arg u32[1] --arg u32[8] --arg s32:8
// expect: clean
// result: 1: 0 1 4 9 16 25 36 49
__global__ void queue_clean(unsigned *next, unsigned *out, int items)
{
	__shared__ unsigned item;
	for (;;) {
		if (threadIdx.x == 0)
			item = atomicAdd(next, 1u);
		__syncthreads();
		unsigned own = item;
		__syncthreads();
		if (own >= items)
			break;
		if (threadIdx.x == 63)
			out[own] = own * own;
	}
}

// Within a warp a shuffle passes it on, without memory.
// launch: --grid 2 --block 32 --arg u32[1] --arg u32[8] --arg s32:8
// expect: clean
// result: 1: 0 1 4 9 16 25 36 49
__global__ void queue_by_shuffle_clean(unsigned *next, unsigned *out, int items)
{
	for (;;) {
		unsigned item = 0;
		if (threadIdx.x == 0)
			item = atomicAdd(next, 1u);
		item = __shfl_sync(ALL, item, 0);
		if (item >= items)
			break;
		if (threadIdx.x == 31)
			out[item] = item * item;
	}
}

// Those lanes that want a slot let one of them draw for all.
// launch: --grid 2 --block 32 --arg u32[64]:iota --arg u32[1] --arg u32[64]
// expect: clean
// result: 1: 22
__global__ void slots_together_clean(const unsigned *in, unsigned *n, unsigned *out)
{
	unsigned v = in[blockIdx.x * 32 + threadIdx.x];
	if (v % 3 == 0) {
		unsigned mask = __activemask(), lane = threadIdx.x, leader = __ffs(mask) - 1, base = 0;
		if (lane == leader)
			base = atomicAdd(n, (unsigned)__popc(mask));
		base = __shfl_sync(mask, base, leader);
		out[base + __popc(mask & ((1u << lane) - 1))] = v;
	}
}

// The largest float by compare-and-swap. The first look is plain, as in many a book: a guess, which the swap checks. By PTX's model it
// races with the others' compare-and-swap, and so it does with --strict: guesses.cu.
// launch: --grid 2 --block 32 --arg u32[64]:iota --arg u32[1]
// expect: clean
__global__ void maximum_by_swap_plain(const unsigned *in, unsigned *most)
{
	unsigned v = in[blockIdx.x * 32 + threadIdx.x], old = *most, seen;
	while (old < v && (seen = atomicCAS(most, old, v)) != old)
		old = seen;
}

// launch: --grid 2 --block 32 --arg u32[64]:iota --arg u32[1]
// expect: clean
// result: 1: 63
__global__ void maximum_by_swap_clean(const unsigned *in, unsigned *most)
{
	unsigned v = in[blockIdx.x * 32 + threadIdx.x], old = atomicAdd(most, 0u), seen;
	while (old < v && (seen = atomicCAS(most, old, v)) != old)
		old = seen;
}

// A barrier of the block made of a counter in shared memory: each warp's first lane counts and waits, its others with it.
// launch: --grid 1 --block 128 --arg u32[128]
// expect: clean
// result: 0: 127 126 125
__global__ void counted_barrier_clean(unsigned *out)
{
	__shared__ unsigned s[128], arrived;
	int t = threadIdx.x;
	if (t == 0)
		arrived = 0;
	__syncthreads();
	s[t] = t;
	__syncwarp();
	if (t % 32 == 0) {
		__threadfence_block();
		atomicAdd(&arrived, 1u);
		while (*(volatile unsigned *)&arrived < 4)
			;
		__threadfence_block();
	}
	__syncwarp();
	out[t] = s[127 - t];
}

// The lanes do not wait for their first before it counts.
// launch: --grid 1 --block 128 --arg u32[128]
// expect: race shared write read
__global__ void counted_barrier_lanes(unsigned *out)
{
	__shared__ unsigned s[128], arrived;
	int t = threadIdx.x;
	if (t == 0)
		arrived = 0;
	__syncthreads();
	s[t] = t; // [write]
	if (t % 32 == 0) {
		__threadfence_block();
		atomicAdd(&arrived, 1u);
		while (*(volatile unsigned *)&arrived < 4)
			;
		__threadfence_block();
	}
	__syncwarp();
	out[t] = s[127 - t]; // [read]
}

// A value passed through three blocks: the third sees what the first wrote, by way of the second.
// launch: --grid 3 --block 32 --arg u32[1] --arg u32[2] --arg u32[1]
// expect: clean
// result: 2: 42
__global__ void relay_clean(unsigned *data, volatile unsigned *flag, unsigned *out)
{
	if (threadIdx.x)
		return;
	if (blockIdx.x == 0) {
		*data = 42;
		__threadfence();
		flag[0] = 1;
	} else if (blockIdx.x == 1) {
		while (!flag[0])
			;
		__threadfence();
		flag[1] = 1;
	} else {
		while (!flag[1])
			;
		__threadfence();
		*out = *data;
	}
}

// The second hands on without a fence.
// launch: --grid 3 --block 32 --arg u32[1] --arg u32[2] --arg u32[1]
// expect: race global write read
__global__ void relay_no_fence(unsigned *data, volatile unsigned *flag, unsigned *out)
{
	if (threadIdx.x)
		return;
	if (blockIdx.x == 0) {
		*data = 42; // [write]
		__threadfence();
		flag[0] = 1;
	} else if (blockIdx.x == 1) {
		while (!flag[0])
			;
		flag[1] = 1;
	} else {
		while (!flag[1])
			;
		__threadfence();
		*out = *data; // [read]
	}
}
