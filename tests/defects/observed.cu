// Order by observation. A strong write that a morally strong read or read-modify-write observes, directly or through a chain of
// read-modify-writes, precedes in causality order whatever follows the observer in base causality order. What precedes the write in
// its own thread does not: for that the write must be part of a release pattern and the observer of an acquire pattern.
#include "simt.h"

// The last ticket observed all other draws; the store after it comes after them.
// launch: --grid 4 --block 32 --arg u32[1]
// expect: clean
// result: 0: 0
__global__ void ticket_reset_clean(unsigned *ticket)
{
	if (threadIdx.x == 0 && atomicAdd(ticket, 1u) == gridDim.x - 1)
		*ticket = 0;
}

// The last ticket but one: the draw of the last is not observed and nothing orders it.
// launch: --grid 4 --block 32 --arg u32[1]
// expect: race global draw reset
__global__ void ticket_reset_one_early(unsigned *ticket)
{
	if (threadIdx.x == 0 && atomicAdd(ticket, 1u) == gridDim.x - 2) // [draw]
		*ticket = 0; // [reset]
}

// Within a block, in shared memory.
// launch: --grid 1 --block 128 --arg u32[1]
// expect: clean
// result: 0: 1
__global__ void ticket_reset_shared_clean(unsigned *out)
{
	__shared__ unsigned ticket;
	int t = threadIdx.x;
	if (t == 0)
		ticket = 0;
	__syncthreads();
	if (t % 32 == 0 && atomicAdd(&ticket, 1u) == 3)
		ticket = 1;
	__syncthreads();
	if (t == 0)
		*out = ticket;
}

// launch: --grid 1 --block 128 --arg u32[1]
// expect: race shared draw reset
__global__ void ticket_reset_shared_one_early(unsigned *out)
{
	__shared__ unsigned ticket;
	int t = threadIdx.x;
	if (t == 0)
		ticket = 0;
	__syncthreads();
	if (t % 32 == 0 && atomicAdd(&ticket, 1u) == 2) // [draw]
		ticket = 1; // [reset]
	__syncthreads();
	if (t == 0)
		*out = ticket;
}

// Writes are observed, reads are not: the others still look at the ticket, and nothing puts their looks before the plain store.
// launch: --grid 1 --block 128 --arg u32[4]
// expect: race shared look reset
__global__ void ticket_reset_shared_watched(unsigned *out)
{
	__shared__ unsigned ticket;
	int t = threadIdx.x;
	if (t == 0)
		ticket = 0;
	__syncthreads();
	if (t % 32 == 0) {
		unsigned own = atomicAdd(&ticket, 1u);
		out[t / 32] = *(volatile unsigned *)&ticket; // [look]
		if (own == 3)
			ticket = 1; // [reset]
	}
}

// launch: --grid 4 --block 32 --arg u32[1] --arg u32[4]
// expect: race global look reset
__global__ void ticket_reset_watched(unsigned *ticket, unsigned *out)
{
	if (threadIdx.x == 0) {
		unsigned own = atomicAdd(ticket, 1u);
		out[blockIdx.x] = *(volatile unsigned *)ticket; // [look]
		if (own == gridDim.x - 1)
			*ticket = 0; // [reset]
	}
}

// The look is a read-modify-write, too, and stands before the draw; but the last draw observes it as part of the chain.
// launch: --grid 4 --block 32 --arg u32[1] --arg u32[4]
// expect: clean
// result: 0: 0
__global__ void ticket_reset_looked_by_add_clean(unsigned *ticket, unsigned *out)
{
	if (threadIdx.x == 0) {
		out[blockIdx.x] = atomicAdd(ticket, 0u) < gridDim.x;
		if (atomicAdd(ticket, 1u) == gridDim.x - 1)
			*ticket = 0;
	}
}

// What the others stored before they drew is not observed with the draw: the shares are cleared in a race with their making.
// launch: --grid 4 --block 32 --arg u32[1] --arg u32[4]
// expect: race global make clear
__global__ void ticket_shares_cleared(unsigned *ticket, unsigned *share)
{
	if (threadIdx.x == 0) {
		share[blockIdx.x] = blockIdx.x; // [make]
		if (atomicAdd(ticket, 1u) == gridDim.x - 1)
			for (int b = 0; b < gridDim.x; b++)
				share[b] = 7; // [clear]
	}
}

// With fences on both sides each draw releases and the last one acquires.
// launch: --grid 4 --block 32 --arg u32[1] --arg u32[4]
// expect: clean
// result: 0: 0
// result: 1: 7 7 7 7
__global__ void ticket_shares_cleared_clean(unsigned *ticket, unsigned *share)
{
	if (threadIdx.x == 0) {
		share[blockIdx.x] = blockIdx.x;
		__threadfence();
		if (atomicAdd(ticket, 1u) == gridDim.x - 1) {
			__threadfence();
			for (int b = 0; b < gridDim.x; b++)
				share[b] = 7;
			*ticket = 0;
		}
	}
}

// The shares are made by read-modify-writes, which the ticket's observation does not reach either: it is of another location.
// launch: --grid 4 --block 32 --arg u32[1] --arg u32[1]
// expect: race global add clear
__global__ void ticket_other_word(unsigned *ticket, unsigned *sum)
{
	if (threadIdx.x == 0) {
		atomicAdd(sum, 5u); // [add]
		if (atomicAdd(ticket, 1u) == gridDim.x - 1)
			*sum = 0; // [clear]
	}
}

// One word handed over by compare-and-swap: the exchange is observed by the swap that takes it.
// launch: --grid 2 --block 32 --arg u32[1]
// expect: clean
// result: 0: 3
__global__ void swap_taken_clean(unsigned *word)
{
	if (threadIdx.x)
		return;
	if (blockIdx.x == 0) {
		atomicExch(word, 1u);
	} else {
		while (atomicCAS(word, 1u, 2u) != 1)
			;
		*word = 3;
	}
}

// The word was stored plainly first. The swap observes the exchange, not the store before it, which races with the swaps that wait.
// launch: --grid 2 --block 32 --arg u32[1]
// expect: race global early wait
// also: race global early done
__global__ void swap_taken_plain_before(unsigned *word)
{
	if (threadIdx.x)
		return;
	if (blockIdx.x == 0) {
		*word = 5; // [early]
		atomicExch(word, 1u);
	} else {
		while (atomicCAS(word, 1u, 2u) != 1) // [wait]
			;
		*word = 3; // [done]
	}
}

// The same with another word: taken is the flag, stored twice is the data.
// launch: --grid 2 --block 32 --arg u32[1] --arg u32[1]
// expect: race global early late
__global__ void swap_taken_data(unsigned *flag, unsigned *data)
{
	if (threadIdx.x)
		return;
	if (blockIdx.x == 0) {
		*data = 5; // [early]
		atomicExch(flag, 1u);
	} else {
		while (atomicCAS(flag, 1u, 2u) != 1)
			;
		*data = 3; // [late]
		*flag = 0;
	}
}

// After the hand-over the giver looks whether the word was taken; that read precedes nothing.
// launch: --grid 2 --block 32 --arg u32[1] --arg u32[1]
// expect: race global look done
__global__ void swap_taken_looked_after(unsigned *word, unsigned *out)
{
	if (threadIdx.x)
		return;
	if (blockIdx.x == 0) {
		atomicExch(word, 1u);
		*out = *(volatile unsigned *)word; // [look]
	} else {
		while (atomicCAS(word, 1u, 2u) != 1)
			;
		*word = 3; // [done]
	}
}

// A volatile read observes as well: store and load are strong, of the same word and of scopes that have both threads.
// launch: --grid 2 --block 32 --arg u32[1]
// expect: clean
// result: 0: 2
__global__ void read_then_store_clean(unsigned *word)
{
	if (threadIdx.x)
		return;
	if (blockIdx.x == 0) {
		*(volatile unsigned *)word = 1;
	} else {
		while (*(volatile unsigned *)word != 1)
			;
		*word = 2;
	}
}

// Of a write for its block alone nothing is observed by another block: the two are not morally strong.
// launch: --grid 2 --block 32 --arg u32[1]
// expect: race global give take
// also: race global give done
__global__ void read_then_store_block_scope(unsigned *word)
{
	if (threadIdx.x)
		return;
	if (blockIdx.x == 0) {
		atomicExch_block(word, 1u); // [give]
	} else {
		while (*(volatile unsigned *)word != 1) // [take]
			;
		*word = 2; // [done]
	}
}

// A strong store cuts the chain: the swap observes the store of the second block, and with it nothing of the first, nor what the
// second read before.
// launch: --grid 3 --block 32 --arg u32[1]
// expect: race global add done
// also: race global poll done
__global__ void chain_cut_by_store(unsigned *word)
{
	if (threadIdx.x)
		return;
	if (blockIdx.x == 0) {
		atomicAdd(word, 1u); // [add]
	} else if (blockIdx.x == 1) {
		while (*(volatile unsigned *)word != 1) // [poll]
			;
		*(volatile unsigned *)word = 100;
	} else {
		while (atomicCAS(word, 100u, 101u) != 100)
			;
		*word = 0; // [done]
	}
}

// Fences make the second block's store a release of what it observed.
// launch: --grid 3 --block 32 --arg u32[1]
// expect: clean
// result: 0: 0
__global__ void chain_cut_fenced_clean(unsigned *word)
{
	if (threadIdx.x)
		return;
	if (blockIdx.x == 0) {
		atomicAdd(word, 1u);
	} else if (blockIdx.x == 1) {
		while (*(volatile unsigned *)word != 1)
			;
		__threadfence();
		*(volatile unsigned *)word = 100;
	} else {
		while (atomicCAS(word, 100u, 101u) != 100)
			;
		__threadfence();
		*word = 0;
	}
}

// A chain of three: each block adds when its turn has come, the last one stores.
// launch: --grid 3 --block 32 --arg u32[1]
// expect: clean
// result: 0: 9
__global__ void chain_of_adds_clean(unsigned *word)
{
	if (threadIdx.x)
		return;
	while (atomicAdd(word, 0u) != blockIdx.x)
		;
	if (blockIdx.x < 2)
		atomicAdd(word, 1u);
	else
		*word = 9;
}

// Observed by thread 0, handed on by the barrier: program order and bar.sync are base causality, so another thread may store.
// launch: --grid 4 --block 64 --arg u32[1]
// expect: clean
// result: 0: 0
__global__ void observed_before_barrier_clean(unsigned *ticket)
{
	__shared__ bool last;
	if (threadIdx.x == 0)
		last = atomicAdd(ticket, 1u) == gridDim.x - 1;
	__syncthreads();
	if (last && threadIdx.x == 33)
		*ticket = 0;
}

// Handed on by a flag without fences: a strong read of a strong write, but neither releases or acquires what was observed.
// launch: --grid 4 --block 64 --arg u32[1]
// expect: race global draw reset
__global__ void observed_handed_on_relaxed(unsigned *ticket)
{
	__shared__ volatile unsigned last;
	if (threadIdx.x == 0)
		last = 2;
	__syncthreads();
	if (threadIdx.x == 0) {
		last = atomicAdd(ticket, 1u) == gridDim.x - 1; // [draw]
	} else if (threadIdx.x == 33) {
		unsigned seen;
		while ((seen = last) == 2)
			;
		if (seen)
			*ticket = 0; // [reset]
	}
}

// launch: --grid 4 --block 64 --arg u32[1]
// expect: clean
// result: 0: 0
__global__ void observed_handed_on_fenced_clean(unsigned *ticket)
{
	__shared__ volatile unsigned last;
	if (threadIdx.x == 0)
		last = 2;
	__syncthreads();
	if (threadIdx.x == 0) {
		unsigned own = atomicAdd(ticket, 1u);
		__threadfence_block();
		last = own == gridDim.x - 1;
	} else if (threadIdx.x == 33) {
		unsigned seen;
		while ((seen = last) == 2)
			;
		__threadfence_block();
		if (seen)
			*ticket = 0;
	}
}

// A swap that fails observes, too.
// launch: --grid 2 --block 32 --arg u32[1]
// expect: clean
__global__ void failed_swap_observes_clean(unsigned *word)
{
	if (threadIdx.x)
		return;
	if (blockIdx.x == 0)
		atomicExch(word, 7u);
	else if (atomicCAS(word, 1u, 2u) == 7)
		*word = 9;
}

// The second block stores whatever it saw: when it comes first it has observed nothing.
// launch: --grid 2 --block 32 --arg u32[1]
// expect: race global add reset
__global__ void reset_whatever_was_seen(unsigned *word)
{
	if (threadIdx.x)
		return;
	if (atomicAdd(word, 1u) < 2 && blockIdx.x == 1) // [add]
		*word = 0; // [reset]
}

// Its mirror: the first block does.
// launch: --grid 2 --block 32 --arg u32[1]
// expect: race global add reset
__global__ void reset_whatever_was_seen_first(unsigned *word)
{
	if (threadIdx.x)
		return;
	if (atomicAdd(word, 1u) < 2 && blockIdx.x == 0) // [add]
		*word = 0; // [reset]
}

// Every draw of work is a read-modify-write of one word, every leaving of another. The last to leave observed the leavings; draws of
// others precede their leavings in program order only, and a fence is missing between.
// launch: --grid 4 --block 32 --arg u32[2] --arg u32[8]
// expect: race global draw rewind
__global__ void counters_rewound_no_fence(unsigned *counter, unsigned *out)
{
	if (threadIdx.x)
		return;
	for (unsigned item; (item = atomicAdd(&counter[0], 1u)) < 8;) // [draw]
		out[item] = item;
	if (atomicAdd(&counter[1], 1u) == gridDim.x - 1) {
		counter[0] = 0; // [rewind]
		counter[1] = 0;
	}
}

// launch: --grid 4 --block 32 --arg u32[2] --arg u32[8]
// expect: clean
// result: 0: 0 0
// result: 1: 0 1 2 3 4 5 6 7
__global__ void counters_rewound_clean(unsigned *counter, unsigned *out)
{
	if (threadIdx.x)
		return;
	for (unsigned item; (item = atomicAdd(&counter[0], 1u)) < 8;)
		out[item] = item;
	__threadfence();
	if (atomicAdd(&counter[1], 1u) == gridDim.x - 1) {
		__threadfence();
		counter[0] = 0;
		counter[1] = 0;
	}
}
