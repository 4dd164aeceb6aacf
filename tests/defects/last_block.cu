// Every block adds up its share; the block that finishes last, known by a ticket, adds up the shares.
#include "simt.h"

#define BLOCKS 4

__device__ unsigned block_sum(const unsigned *in)
{
	__shared__ unsigned s[64];
	int t = threadIdx.x;
	s[t] = in[blockIdx.x * 64 + t];
	for (int stride = 32; stride > 0; stride /= 2) {
		__syncthreads();
		if (t < stride)
			s[t] += s[t + stride];
	}
	return t == 0 ? s[0] : 0;
}

// Fences on both sides of the ticket.
// launch: --grid 4 --block 64 --arg u32[256]:iota --arg u32[4] --arg u32[1] --arg u32[1]
// expect: clean
// result: 3: 32640
__global__ void ticket_clean(const unsigned *in, volatile unsigned *share, unsigned *ticket, unsigned *out)
{
	__shared__ bool last;
	unsigned sum = block_sum(in);
	if (threadIdx.x == 0) {
		share[blockIdx.x] = sum;
		__threadfence();
		last = atomicAdd(ticket, 1u) == BLOCKS - 1;
		__threadfence();
	}
	__syncthreads();
	if (last && threadIdx.x == 0) {
		unsigned all = 0;
		for (int b = 0; b < BLOCKS; b++)
			all += share[b];
		*out = all;
	}
}

// The same with plain shares: fences make them good.
// launch: --grid 4 --block 64 --arg u32[256]:iota --arg u32[4] --arg u32[1] --arg u32[1]
// expect: clean
// result: 3: 32640
__global__ void ticket_plain_shares_clean(const unsigned *in, unsigned *share, unsigned *ticket, unsigned *out)
{
	__shared__ bool last;
	unsigned sum = block_sum(in);
	if (threadIdx.x == 0) {
		share[blockIdx.x] = sum;
		__threadfence();
		last = atomicAdd(ticket, 1u) == BLOCKS - 1;
		__threadfence();
	}
	__syncthreads();
	if (last && threadIdx.x == 0) {
		unsigned all = 0;
		for (int b = 0; b < BLOCKS; b++)
			all += share[b];
		*out = all;
	}
}

// As the programming guide has it: shares are volatile, one fence, on the writer's side. Volatile accesses are strong, they do not
// race; and the ticket comes after the fence.
// launch: --grid 4 --block 64 --arg u32[256]:iota --arg u32[4] --arg u32[1] --arg u32[1]
// expect: clean
// result: 3: 32640
__global__ void ticket_guide_clean(const unsigned *in, volatile unsigned *share, unsigned *ticket, unsigned *out)
{
	__shared__ bool last;
	unsigned sum = block_sum(in);
	if (threadIdx.x == 0) {
		share[blockIdx.x] = sum;
		__threadfence();
		last = atomicInc(ticket, BLOCKS) == BLOCKS - 1;
	}
	__syncthreads();
	if (last && threadIdx.x == 0) {
		unsigned all = 0;
		for (int b = 0; b < BLOCKS; b++)
			all += share[b];
		*out = all;
	}
}

// launch: --grid 4 --block 64 --arg u32[256]:iota --arg u32[4] --arg u32[1] --arg u32[1]
// expect: race global write read
__global__ void ticket_no_writer_fence(const unsigned *in, unsigned *share, unsigned *ticket, unsigned *out)
{
	__shared__ bool last;
	unsigned sum = block_sum(in);
	if (threadIdx.x == 0) {
		share[blockIdx.x] = sum; // [write]
		last = atomicAdd(ticket, 1u) == BLOCKS - 1;
		__threadfence();
	}
	__syncthreads();
	if (last && threadIdx.x == 0) {
		unsigned all = 0;
		for (int b = 0; b < BLOCKS; b++)
			all += share[b]; // [read]
		*out = all;
	}
}

// The fence after the ticket is missing. Open to debate: by PTX's model an acquire pattern is a strong read and then a fence,
// and bar.sync orders the threads of the block only. But it is the form that is published and relied upon, and hardware's
// bar.sync does more than it promises: after a ticket drawn by a read-modify-write the barrier counts as the fence. A checker that
// keeps to the letter is right too.
// launch: --grid 4 --block 64 --arg u32[256]:iota --arg u32[4] --arg u32[1] --arg u32[1]
// expect: clean
// also: race global write read
// result: 3: 32640
__global__ void ticket_no_reader_fence(const unsigned *in, unsigned *share, unsigned *ticket, unsigned *out)
{
	__shared__ bool last;
	unsigned sum = block_sum(in);
	if (threadIdx.x == 0) {
		share[blockIdx.x] = sum; // [write]
		__threadfence();
		last = atomicAdd(ticket, 1u) == BLOCKS - 1;
	}
	__syncthreads();
	if (last && threadIdx.x == 0) {
		unsigned all = 0;
		for (int b = 0; b < BLOCKS; b++)
			all += share[b]; // [read]
		*out = all;
	}
}

// The ticket counts within the block alone: two blocks can draw the same one.
// launch: --grid 4 --block 64 --arg u32[256]:iota --arg u32[4] --arg u32[1] --arg u32[1]
// expect: race global ticket ticket
// also: race global write read
__global__ void ticket_block_scope(const unsigned *in, unsigned *share, unsigned *ticket, unsigned *out)
{
	__shared__ bool last;
	unsigned sum = block_sum(in);
	if (threadIdx.x == 0) {
		share[blockIdx.x] = sum; // [write]
		__threadfence();
		last = atomicAdd_block(ticket, 1u) == BLOCKS - 1; // [ticket]
		__threadfence();
	}
	__syncthreads();
	if (last && threadIdx.x == 0) {
		unsigned all = 0;
		for (int b = 0; b < BLOCKS; b++)
			all += share[b]; // [read]
		*out = all;
	}
}

// Every thread writes a share, thread 0 fences for all, after a barrier.
// launch: --grid 4 --block 64 --arg u32[256]:iota --arg u32[256] --arg u32[1] --arg u32[64]
// expect: clean
// result: 3: 384 388 392
__global__ void ticket_many_shares_clean(const unsigned *in, unsigned *share, unsigned *ticket, unsigned *out)
{
	__shared__ bool last;
	int t = threadIdx.x, i = blockIdx.x * 64 + t;
	share[i] = in[i];
	__syncthreads();
	if (t == 0) {
		__threadfence();
		last = atomicAdd(ticket, 1u) == BLOCKS - 1;
		__threadfence();
	}
	__syncthreads();
	if (last) {
		unsigned all = 0;
		for (int b = 0; b < BLOCKS; b++)
			all += share[b * 64 + t];
		out[t] = all;
	}
}

// Thread 0 draws the ticket before the other warp has written.
// launch: --grid 4 --block 64 --arg u32[256]:iota --arg u32[256] --arg u32[1] --arg u32[64]
// expect: race global write read
__global__ void ticket_too_soon(const unsigned *in, unsigned *share, unsigned *ticket, unsigned *out)
{
	__shared__ bool last;
	int t = threadIdx.x, i = blockIdx.x * 64 + t;
	share[i] = in[i]; // [write]
	if (t == 0) {
		__threadfence();
		last = atomicAdd(ticket, 1u) == BLOCKS - 1;
		__threadfence();
	}
	__syncthreads();
	if (last) {
		unsigned all = 0;
		for (int b = 0; b < BLOCKS; b++)
			all += share[b * 64 + t]; // [read]
		out[t] = all;
	}
}
