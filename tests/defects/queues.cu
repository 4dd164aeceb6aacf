// Queues: rings between warps and blocks, persistent kernels that draw their work, and that make it, stacks, work stealing.
#include "simt.h"

// A ring of four between two warps: head and tail are volatile, the slots plain, a fence on each side of each.
// launch: --grid 1 --block 64 --arg u32[1]
// expect: clean
// result: 0: 66
__global__ void ring_clean(unsigned *out)
{
	__shared__ volatile unsigned head, tail;
	__shared__ unsigned slot[4];
	int t = threadIdx.x;
	if (t == 0)
		head = tail = 0;
	__syncthreads();
	if (t == 0) {
		for (unsigned k = 0; k < 12; k++) {
			while (k - tail == 4)
				;
			__threadfence_block();
			slot[k % 4] = k;
			__threadfence_block();
			head = k + 1;
		}
	} else if (t == 32) {
		unsigned sum = 0;
		for (unsigned k = 0; k < 12; k++) {
			while (head == k)
				;
			__threadfence_block();
			sum += slot[k % 4];
			__threadfence_block();
			tail = k + 1;
		}
		*out = sum;
	}
}

// The slot is given back before it is read.
// launch: --grid 1 --block 64 --arg u32[1]
// expect: race shared put get
__global__ void ring_given_back_early(unsigned *out)
{
	__shared__ volatile unsigned head, tail;
	__shared__ unsigned slot[4];
	int t = threadIdx.x;
	if (t == 0)
		head = tail = 0;
	__syncthreads();
	if (t == 0) {
		for (unsigned k = 0; k < 12; k++) {
			while (k - tail == 4)
				;
			__threadfence_block();
			slot[k % 4] = k; // [put]
			__threadfence_block();
			head = k + 1;
		}
	} else if (t == 32) {
		unsigned sum = 0;
		for (unsigned k = 0; k < 12; k++) {
			while (head == k)
				;
			__threadfence_block();
			tail = k + 1;
			__threadfence_block();
			sum += slot[k % 4]; // [get]
		}
		*out = sum;
	}
}

// The producer does not wait until a slot is free.
// launch: --grid 1 --block 64 --arg u32[1]
// expect: race shared put get
__global__ void ring_not_waited(unsigned *out)
{
	__shared__ volatile unsigned head;
	__shared__ unsigned slot[4];
	int t = threadIdx.x;
	if (t == 0)
		head = 0;
	__syncthreads();
	if (t == 0) {
		for (unsigned k = 0; k < 12; k++) {
			slot[k % 4] = k; // [put]
			__threadfence_block();
			head = k + 1;
		}
	} else if (t == 32) {
		unsigned sum = 0;
		for (unsigned k = 0; k < 12; k++) {
			while (head <= k)
				;
			__threadfence_block();
			sum += slot[k % 4]; // [get]
		}
		*out = sum;
	}
}

// Each slot has a number that says whose turn it is (Vyukov). Blocks put with a ticket, one block gets.
// launch: --grid 3 --block 32 --arg u32[1] --arg u32[4] --arg u32[4] --arg u32[1]
// expect: clean
// result: 3: 28
__global__ void numbered_slots_clean(unsigned *ticket, volatile unsigned *turn, unsigned *slot, unsigned *out)
{
	if (threadIdx.x)
		return;
	if (blockIdx.x < 2) {
		for (int k = 0; k < 4; k++) {
			unsigned own = atomicAdd(ticket, 1u), at = own % 4;
			while (turn[at] != own / 4 * 2)
				;
			__threadfence();
			slot[at] = own;
			__threadfence();
			turn[at] = own / 4 * 2 + 1;
		}
	} else {
		unsigned sum = 0;
		for (unsigned own = 0; own < 8; own++) {
			unsigned at = own % 4;
			while (turn[at] != own / 4 * 2 + 1)
				;
			__threadfence();
			sum += slot[at];
			__threadfence();
			turn[at] = own / 4 * 2 + 2;
		}
		*out = sum;
	}
}

// The turn is passed on before the slot is filled.
// launch: --grid 3 --block 32 --arg u32[1] --arg u32[4] --arg u32[4] --arg u32[1]
// expect: race global put get
// also: race global put put
__global__ void numbered_slots_turn_first(unsigned *ticket, volatile unsigned *turn, unsigned *slot, unsigned *out)
{
	if (threadIdx.x)
		return;
	if (blockIdx.x < 2) {
		for (int k = 0; k < 4; k++) {
			unsigned own = atomicAdd(ticket, 1u), at = own % 4;
			while (turn[at] != own / 4 * 2)
				;
			__threadfence();
			turn[at] = own / 4 * 2 + 1;
			slot[at] = own; // [put]
		}
	} else {
		unsigned sum = 0;
		for (unsigned own = 0; own < 8; own++) {
			unsigned at = own % 4;
			while (turn[at] != own / 4 * 2 + 1)
				;
			__threadfence();
			sum += slot[at]; // [get]
			__threadfence();
			turn[at] = own / 4 * 2 + 2;
		}
		*out = sum;
	}
}

// A persistent kernel whose tasks make tasks: task i makes 2 * i + 1 and 2 * i + 2 below 15. A slot is full when its flag says so.
// launch: --grid 2 --block 32 --arg u32[16] --arg u32[16] --arg u32[2] --arg u32[15]
// expect: clean
// result: 3: 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
__global__ void persistent_clean(unsigned *task, volatile unsigned *full, unsigned *counter, unsigned *done)
{
	if (threadIdx.x)
		return;
	if (blockIdx.x == 0) {
		task[0] = 0;
		counter[1] = 1;
		__threadfence();
		full[0] = 1;
	}
	for (unsigned at; (at = atomicAdd(&counter[0], 1u)) < 15;) {
		while (!full[at])
			;
		__threadfence();
		unsigned own = task[at];
		done[own] += 1;
		for (unsigned child = 2 * own + 1; child < 15 && child <= 2 * own + 2; child++) {
			unsigned to = atomicAdd(&counter[1], 1u);
			task[to] = child;
			__threadfence();
			full[to] = 1;
		}
	}
}

// The flag goes up without a release.
// launch: --grid 2 --block 32 --arg u32[16] --arg u32[16] --arg u32[2] --arg u32[15]
// expect: race global make take
__global__ void persistent_no_release(unsigned *task, volatile unsigned *full, unsigned *counter, unsigned *done)
{
	if (threadIdx.x)
		return;
	if (blockIdx.x == 0) {
		task[0] = 0; // [first]
		atomicAdd(&counter[1], 1u);
		__threadfence();
		full[0] = 1;
	}
	for (unsigned at; (at = atomicAdd(&counter[0], 1u)) < 15;) {
		while (!full[at])
			;
		__threadfence();
		unsigned own = task[at]; // [take]
		done[own] += 1;
		for (unsigned child = 2 * own + 1; child < 15 && child <= 2 * own + 2; child++) {
			unsigned to = atomicAdd(&counter[1], 1u);
			task[to] = child; // [make]
			full[to] = 1;
		}
	}
}

// A stack of nodes: pushed by swapping the head, taken whole by an exchange.
// launch: --grid 3 --block 32 --arg u32[4] --arg u32[4] --arg u32[1] --arg u32[1]
// expect: clean
// result: 3: 30
__global__ void stack_clean(unsigned *next, unsigned *value, unsigned *head, unsigned *out)
{
	if (threadIdx.x)
		return;
	if (blockIdx.x < 2) {
		unsigned node = blockIdx.x + 1, seen = *(volatile unsigned *)head, old;
		value[node] = node * 10;
		for (;; seen = old) {
			next[node] = seen;
			__threadfence();
			old = atomicCAS(head, seen, node);
			if (old == seen)
				break;
		}
	} else {
		unsigned sum = 0;
		for (int taken = 0; taken < 2;) {
			unsigned node = atomicExch(head, 0u);
			__threadfence();
			for (; node; node = next[node], taken++)
				sum += value[node];
		}
		*out = sum;
	}
}

// The pushers do not fence: neither value nor link is released.
// launch: --grid 3 --block 32 --arg u32[4] --arg u32[4] --arg u32[1] --arg u32[1]
// expect: race global value use
// also: race global link follow
__global__ void stack_no_release(unsigned *next, unsigned *value, unsigned *head, unsigned *out)
{
	if (threadIdx.x)
		return;
	if (blockIdx.x < 2) {
		unsigned node = blockIdx.x + 1, seen = *(volatile unsigned *)head, old;
		value[node] = node * 10; // [value]
		for (;; seen = old) {
			next[node] = seen; // [link]
			old = atomicCAS(head, seen, node);
			if (old == seen)
				break;
		}
	} else {
		unsigned sum = 0;
		for (int taken = 0; taken < 2;) {
			unsigned node = atomicExch(head, 0u);
			__threadfence();
			while (node) {
				sum += value[node]; // [use]
				node = next[node]; // [follow]
				taken++;
			}
		}
		*out = sum;
	}
}

// Work stealing (Chase and Lev): the owner pushes and pops at the bottom, thieves take from the top by compare-and-swap; the last task
// is swapped for by both. Indices are volatile; what a task is, is plain.
// launch: --grid 2 --block 32 --arg u32[2] --arg u32[6] --arg u32[6]
// expect: clean
// result: 2: 1 1 1 1 1 1
__global__ void stealing_clean(unsigned *ends, unsigned *task, unsigned *done)
{
	volatile unsigned *top = ends, *bottom = ends + 1;
	if (threadIdx.x)
		return;
	if (blockIdx.x == 0) {
		for (unsigned k = 0; k < 6; k++) {
			task[k] = k;
			__threadfence();
			*bottom = k + 1;
		}
		for (;;) {
			unsigned b = *bottom - 1;
			*bottom = b;
			__threadfence();
			unsigned t = *top;
			if ((int)t < (int)b) {
				done[task[b]] += 1;
				continue;
			}
			if (t == b && atomicCAS(ends, t, t + 1) == t)
				done[task[b]] += 1;
			*bottom = b + 1;
			break;
		}
	} else {
		for (;;) {
			unsigned t = *top;
			__threadfence();
			unsigned b = *bottom;
			__threadfence();
			if ((int)t >= (int)b)
				break;
			if (atomicCAS(ends, t, t + 1) == t)
				done[task[t]] += 1;
		}
	}
}

// Pushed without a release: the thief reads a task that is not ordered after its making.
// launch: --grid 2 --block 32 --arg u32[2] --arg u32[6] --arg u32[6]
// expect: race global push steal
__global__ void stealing_no_release(unsigned *ends, unsigned *task, unsigned *done)
{
	volatile unsigned *top = ends, *bottom = ends + 1;
	if (threadIdx.x)
		return;
	if (blockIdx.x == 0) {
		for (unsigned k = 0; k < 6; k++) {
			task[k] = k; // [push]
			*bottom = k + 1;
		}
	} else {
		for (unsigned stolen = 0; stolen < 6;) {
			unsigned t = *top;
			__threadfence();
			unsigned b = *bottom;
			__threadfence();
			if ((int)t < (int)b && atomicCAS(ends, t, t + 1) == t) {
				done[task[t]] += 1; // [steal]
				stolen++;
			}
		}
	}
}

// Two thieves that do not swap the top but store it can steal the same task.
// launch: --grid 3 --block 32 --arg u32[2] --arg u32[6] --arg u32[6]
// expect: race global steal steal
__global__ void stealing_no_swap(unsigned *ends, unsigned *task, unsigned *done)
{
	volatile unsigned *top = ends, *bottom = ends + 1;
	if (threadIdx.x)
		return;
	if (blockIdx.x == 0) {
		for (unsigned k = 0; k < 6; k++) {
			task[k] = k;
			__threadfence();
			*bottom = k + 1;
		}
	} else {
		for (;;) {
			unsigned t = *top;
			__threadfence();
			unsigned b = *bottom;
			__threadfence();
			if (b == 6 && t >= b)
				break;
			if (t < b) {
				*top = t + 1;
				done[task[t]] += 1; // [steal]
			}
		}
	}
}
