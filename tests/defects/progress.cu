// Blocks that wait for one another in loops that also write or have barriers in them, as resident blocks may: each of them, and
// each of their warps, makes progress. CC 8.7 has 16 SMs, and a block with 100000 bytes of shared memory is alone on one.
#include "simt.h"

__device__ __forceinline__ unsigned look(const unsigned *at)
{
	return *(const volatile unsigned *)at;
}

// A whole block waits: one thread looks, and all learn of it at a barrier.
__device__ __forceinline__ void wait_together(const unsigned *at, unsigned least)
{
	__shared__ bool there;
	do {
		__syncthreads();
		if (threadIdx.x == 0) {
			there = look(at) >= least;
			__threadfence();
		}
		__syncthreads();
	} while (!there);
}

// A barrier of the grid that counts on, with barriers of the block in the loop.
__device__ __forceinline__ void meet(unsigned *count, unsigned round)
{
	__syncthreads();
	if (threadIdx.x == 0) {
		__threadfence();
		atomicAdd(count, 1u);
	}
	wait_together(count, gridDim.x * round);
}

// launch: --grid 2 --block 64 --arg u32[2] --arg u32[1] --arg u32[1] --arg u32[1]
// expect: clean
// result: 3: 7
__global__ void spin_writes_clean(unsigned *rounds, unsigned *data, unsigned *flag, unsigned *out)
{
	if (threadIdx.x)
		return;
	if (blockIdx.x == 0) {
		while (look(flag) == 0)
			((volatile unsigned *)rounds)[0]++;
		__threadfence();
		*out = *data;
	} else {
		*data = 7;
		__threadfence();
		*(volatile unsigned *)flag = 1;
	}
}

// The same without the writer's fence.
// launch: --grid 2 --block 64 --arg u32[2] --arg u32[1] --arg u32[1] --arg u32[1]
// expect: race global make take
__global__ void spin_writes_no_fence(unsigned *rounds, unsigned *data, unsigned *flag, unsigned *out)
{
	if (threadIdx.x)
		return;
	if (blockIdx.x == 0) {
		while (look(flag) == 0)
			((volatile unsigned *)rounds)[0]++;
		__threadfence();
		*out = *data; // [take]
	} else {
		*data = 7; // [make]
		*(volatile unsigned *)flag = 1;
	}
}

// Waits count how often they looked by an atomic that all blocks share.
// launch: --grid 6 --block 32 --arg u32[1] --arg u32[8] --arg u32[1]
// expect: clean
// result: 2: 6
__global__ void spin_atomics_clean(unsigned *looks, unsigned *turn, unsigned *out)
{
	if (threadIdx.x)
		return;
	unsigned mine = gridDim.x - 1 - blockIdx.x;
	while (look(turn) != mine)
		atomicAdd(looks, 1u);
	__threadfence();
	*out = *out + 1;
	__threadfence();
	*(volatile unsigned *)turn = mine + 1;
}

// launch: --grid 2 --block 128 --arg u32[128] --arg u32[1] --arg u32[128]
// expect: clean
// result: 2: 1 2 3
__global__ void spin_barriers_clean(unsigned *data, unsigned *flag, unsigned *out)
{
	unsigned t = threadIdx.x;
	if (blockIdx.x == 0) {
		wait_together(flag, 1);
		out[t] = data[t];
	} else {
		data[t] = t + 1;
		__syncthreads();
		if (t == 0) {
			__threadfence();
			*(volatile unsigned *)flag = 1;
		}
	}
}

// The flag is set before all threads of the block have written.
// launch: --grid 2 --block 128 --arg u32[128] --arg u32[1] --arg u32[128]
// expect: race global make take
__global__ void spin_barriers_early(unsigned *data, unsigned *flag, unsigned *out)
{
	unsigned t = threadIdx.x;
	if (blockIdx.x == 0) {
		wait_together(flag, 1);
		out[t] = data[t]; // [take]
	} else {
		data[t] = t + 1; // [make]
		if (t == 0) {
			__threadfence();
			*(volatile unsigned *)flag = 1;
		}
	}
}

// A ring of four slots: the producer waits for a free one, the consumer for a full one; both blocks wait with barriers.
// launch: --grid 2 --block 64 --arg u32[256] --arg u32[1] --arg u32[1] --arg u32[64]
// expect: clean
// result: 3: 66 66 66
__global__ void ring_clean(unsigned *slot, unsigned *made, unsigned *taken, unsigned *out)
{
	unsigned t = threadIdx.x, sum = 0;
	for (unsigned i = 0; i < 12; i++) {
		if (blockIdx.x == 1) {
			if (i >= 4)
				wait_together(taken, i - 3);
			slot[i % 4 * 64 + t] = i;
		} else {
			wait_together(made, i + 1);
			sum += slot[i % 4 * 64 + t];
		}
		__syncthreads();
		if (t == 0) {
			__threadfence();
			*(volatile unsigned *)(blockIdx.x ? made : taken) = i + 1;
		}
	}
	if (blockIdx.x == 0)
		out[t] = sum;
}

// The producer does not wait for a free slot.
// launch: --grid 2 --block 64 --arg u32[256] --arg u32[1] --arg u32[1] --arg u32[64]
// expect: race global make take
__global__ void ring_overrun(unsigned *slot, unsigned *made, unsigned *taken, unsigned *out)
{
	unsigned t = threadIdx.x, sum = 0;
	for (unsigned i = 0; i < 12; i++) {
		if (blockIdx.x == 1) {
			slot[i % 4 * 64 + t] = i; // [make]
		} else {
			wait_together(made, i + 1);
			sum += slot[i % 4 * 64 + t]; // [take]
		}
		__syncthreads();
		if (t == 0) {
			__threadfence();
			*(volatile unsigned *)(blockIdx.x ? made : taken) = i + 1;
		}
	}
	if (blockIdx.x == 0)
		out[t] = sum;
}

// A scan with decoupled look-back from the last block to the first: who begins first waits most. State 1: the block's own sum is
// there; 2: that of all blocks up to it.
// launch: --grid 6 --block 32 --arg u32[192]:iota --arg u32[6] --arg u32[6] --arg u32[6] --arg u32[6]
// expect: clean
// result: 4: 496 2016 4560 8128 12720 18336
__global__ void look_back_clean(const unsigned *in, unsigned *own, unsigned *upto, unsigned *state, unsigned *out)
{
	unsigned part = gridDim.x - 1 - blockIdx.x, sum = in[part * 32 + threadIdx.x];
	for (int offset = 16; offset; offset /= 2)
		sum += __shfl_down_sync(~0u, sum, offset);
	if (threadIdx.x)
		return;
	own[part] = sum;
	__threadfence();
	((volatile unsigned *)state)[part] = 1;
	for (unsigned before = part; before > 0;) {
		unsigned seen = look(&state[before - 1]);
		__threadfence();
		if (seen == 2) {
			sum += upto[before - 1];
			break;
		}
		if (seen == 1)
			sum += own[--before];
	}
	upto[part] = sum;
	out[part] = sum;
	__threadfence();
	((volatile unsigned *)state)[part] = 2;
}

// The sum of all blocks up to it is written after the state that says so.
// launch: --grid 6 --block 32 --arg u32[192]:iota --arg u32[6] --arg u32[6] --arg u32[6] --arg u32[6]
// expect: race global late use
__global__ void look_back_late(const unsigned *in, unsigned *own, unsigned *upto, unsigned *state, unsigned *out)
{
	unsigned part = gridDim.x - 1 - blockIdx.x, sum = in[part * 32 + threadIdx.x];
	for (int offset = 16; offset; offset /= 2)
		sum += __shfl_down_sync(~0u, sum, offset);
	if (threadIdx.x)
		return;
	if (part > 0) {
		while (look(&state[part - 1]) != 2)
			;
		__threadfence();
		sum += upto[part - 1]; // [use]
	}
	__threadfence();
	((volatile unsigned *)state)[part] = 2;
	upto[part] = sum; // [late]
	out[part] = sum;
}

// Persistent blocks with one queue: item n, for n below 15, makes two more, 31 in all. A block that finds none waits until there is one
// or none is open. Item n has been written when full[n] says so; the first is there from the beginning.
// launch: --grid 4 --block 64 --arg u32[32] --arg u32[32] --arg u32[1] --arg u32[]:1 --arg u32[]:1 --arg u32[1]
// expect: clean
// result: 5: 465
__global__ void queue_clean(unsigned *item, unsigned *full, unsigned *head, unsigned *tail, unsigned *open, unsigned *sum)
{
	__shared__ unsigned mine, number;
	for (;;) {
		__syncthreads();
		if (threadIdx.x == 0) {
			number = look(head);
			mine = look(open) ? ~1u : ~0u;
			if (number < look(tail) && (number == 0 || look(&full[number])) &&
				atomicCAS(head, number, number + 1) == number) {
				__threadfence();
				mine = item[number];
			}
		}
		__syncthreads();
		if (mine == ~0u)
			return;
		if (mine == ~1u || threadIdx.x)
			continue;
		if (number < 15) {
			atomicAdd(open, 2u);
			unsigned at = atomicAdd(tail, 2u);
			item[at] = at;
			item[at + 1] = at + 1;
			__threadfence();
			((volatile unsigned *)full)[at] = 1;
			((volatile unsigned *)full)[at + 1] = 1;
		}
		atomicAdd(sum, mine);
		atomicSub(open, 1u);
	}
}

// An item is taken as soon as it has a place in the queue: nothing says that it has been written.
// launch: --grid 4 --block 64 --arg u32[32] --arg u32[1] --arg u32[]:1 --arg u32[]:1 --arg u32[1]
// expect: race global make take
__global__ void queue_early(unsigned *item, unsigned *head, unsigned *tail, unsigned *open, unsigned *sum)
{
	__shared__ unsigned mine, number;
	for (;;) {
		__syncthreads();
		if (threadIdx.x == 0) {
			number = look(head);
			mine = look(open) ? ~1u : ~0u;
			if (number < look(tail) && atomicCAS(head, number, number + 1) == number) {
				__threadfence();
				mine = item[number]; // [take]
			}
		}
		__syncthreads();
		if (mine == ~0u)
			return;
		if (mine == ~1u || threadIdx.x)
			continue;
		if (number < 15) {
			atomicAdd(open, 2u);
			unsigned at = atomicAdd(tail, 2u);
			__threadfence();
			item[at] = at, item[at + 1] = at + 1; // [make]
		}
		atomicAdd(sum, mine);
		atomicSub(open, 1u);
	}
}

// Blocks have lists of unequal length, take their items by an atomic, then those of others, and stay until all are done.
// launch: --grid 4 --block 32 --arg u32[]:1,2,40,5 --arg u32[4] --arg u32[192] --arg u32[1] --arg u32[4]
// expect: clean
// result: 3: 48
// result: 4: 48 48 48 48
__global__ void steal_clean(const unsigned *length, unsigned *next, unsigned *out, unsigned *done, unsigned *seen)
{
	unsigned block = blockIdx.x;
	if (threadIdx.x)
		return;
	while (look(done) < 48)
		for (unsigned i = 0; i < gridDim.x; i++) {
			unsigned victim = (block + i) % gridDim.x, at = atomicAdd(&next[victim], 1u);
			if (at >= length[victim])
				continue;
			out[victim * 48 + at] = block + 1;
			atomicAdd(done, 1u);
			i = ~0u;
		}
	seen[block] = look(done);
}

// Owners take from their own list without an atomic.
// launch: --grid 4 --block 32 --arg u32[]:1,2,40,5 --arg u32[4] --arg u32[1]
// expect: race global own steal
__global__ void steal_own_plain(const unsigned *length, unsigned *next, unsigned *done)
{
	unsigned block = blockIdx.x;
	if (threadIdx.x)
		return;
	for (unsigned i = 0; i < gridDim.x; i++) {
		unsigned victim = (block + i) % gridDim.x;
		unsigned at = 0;
		if (i == 0)
			at = next[victim]++; // [own]
		else
			at = atomicAdd(&next[victim], 1u); // [steal]
		if (at < length[victim])
			atomicAdd(done, 1u);
	}
}

// As many blocks as are resident meet at a barrier.
// launch: --cc 8.7 --grid 16 --block 64 --shared 100000 --arg u32[16] --arg u32[1] --arg u32[16]
// expect: clean
// result: 2: 16 16 16
__global__ void meet_clean(unsigned *data, unsigned *count, unsigned *out)
{
	unsigned sum = 0;
	if (threadIdx.x == 0)
		data[blockIdx.x] = 1;
	meet(count, 1);
	for (unsigned i = 0; threadIdx.x == 0 && i < gridDim.x; i++)
		sum += data[i];
	meet(count, 2);
	if (threadIdx.x == 0) {
		data[blockIdx.x] = 2;
		out[blockIdx.x] = sum;
	}
}

// Without the second barrier some are still reading.
// launch: --cc 8.7 --grid 16 --block 64 --shared 100000 --arg u32[16] --arg u32[1] --arg u32[16]
// expect: race global read anew
__global__ void meet_once(unsigned *data, unsigned *count, unsigned *out)
{
	unsigned sum = 0;
	if (threadIdx.x == 0)
		data[blockIdx.x] = 1;
	meet(count, 1);
	for (unsigned i = 0; threadIdx.x == 0 && i < gridDim.x; i++)
		sum += data[i]; // [read]
	if (threadIdx.x == 0) {
		data[blockIdx.x] = 2; // [anew]
		out[blockIdx.x] = sum;
	}
}

// One block more than are resident: it does not begin before one of them has ended, and they wait for it.
// launch: --cc 8.7 --grid 17 --block 64 --shared 100000 --arg u32[1]
// expect: limit
__global__ void meet_too_many(unsigned *count)
{
	meet(count, 1);
}

// All wait for the last block, which is resident with them.
// launch: --cc 8.7 --grid 16 --block 32 --shared 100000 --arg u32[1] --arg u32[16]
// expect: clean
// result: 1: 1 1 1
__global__ void last_starts_clean(unsigned *flag, unsigned *out)
{
	if (threadIdx.x)
		return;
	if (blockIdx.x == gridDim.x - 1)
		atomicExch(flag, 1u);
	while (atomicAdd(flag, 0u) == 0)
		;
	out[blockIdx.x] = 1;
}

// The last block never starts.
// launch: --cc 8.7 --grid 20 --block 32 --shared 100000 --arg u32[1] --arg u32[20]
// expect: limit
__global__ void last_never_starts(unsigned *flag, unsigned *out)
{
	if (threadIdx.x)
		return;
	if (blockIdx.x == gridDim.x - 1)
		atomicExch(flag, 1u);
	while (atomicAdd(flag, 0u) == 0)
		;
	out[blockIdx.x] = 1;
}

// More blocks than are resident, each waiting for the one before it: those that have ended make room.
// launch: --cc 8.7 --grid 40 --block 32 --shared 100000 --arg u32[41] --arg u32[1]
// expect: clean
// result: 1: 40
__global__ void chain_clean(unsigned *flag, unsigned *out)
{
	if (threadIdx.x)
		return;
	while (blockIdx.x && look(&flag[blockIdx.x]) == 0)
		;
	__threadfence();
	*out = *out + 1;
	__threadfence();
	((volatile unsigned *)flag)[blockIdx.x + 1] = 1;
}

// Each lane of a warp takes a lock and holds it while others count how often they tried: independent thread scheduling lets the
// holder go on.
// launch: --grid 1 --block 32 --arg u32[1] --arg u32[32] --arg u32[1]
// expect: clean
// result: 2: 32
__global__ void warp_lock_clean(unsigned *lock, unsigned *tries, unsigned *out)
{
	while (atomicCAS(lock, 0u, 1u) != 0)
		((volatile unsigned *)tries)[threadIdx.x]++;
	__threadfence();
	*out = *out + 1;
	__threadfence();
	atomicExch(lock, 0u);
}

// The lock is given back without a fence.
// launch: --grid 1 --block 32 --arg u32[1] --arg u32[32] --arg u32[1]
// expect: race global add add
__global__ void warp_lock_no_fence(unsigned *lock, unsigned *tries, unsigned *out)
{
	while (atomicCAS(lock, 0u, 1u) != 0)
		((volatile unsigned *)tries)[threadIdx.x]++;
	__threadfence();
	*out = *out + 1; // [add]
	atomicExch(lock, 0u);
}

// Half of a warp waits for the other half, which waits for another block: both count their looks.
// launch: --grid 2 --block 32 --arg u32[1] --arg u32[1] --arg u32[32] --arg u32[1]
// expect: clean
// result: 3: 5
__global__ void warp_halves_clean(unsigned *near, unsigned *far, unsigned *looks, unsigned *out)
{
	unsigned lane = threadIdx.x;
	if (blockIdx.x == 1) {
		if (lane == 0)
			atomicExch(far, 1u);
		return;
	}
	if (lane < 16) {
		while (look(near) == 0)
			((volatile unsigned *)looks)[lane]++;
	} else {
		while (look(far) == 0)
			((volatile unsigned *)looks)[lane]++;
		if (lane == 16)
			atomicExch(near, 1u);
	}
	__syncwarp();
	if (lane == 0)
		*out = 5;
}
