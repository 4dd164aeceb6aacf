// Lanes of one warp. Since independent thread scheduling they are not in step on their own: what one lane writes to memory
// another may read after __syncwarp() only. Shuffles and votes carry registers; they order no memory.
#include "simt.h"

#define ALL 0xffffffffu

// The sum of a warp in shared memory, each step apart.
// launch: --grid 1 --block 32 --arg u32[32]:iota --arg u32[1]
// expect: clean
// result: 1: 496
__global__ void warp_sum_clean(const unsigned *in, unsigned *out)
{
	__shared__ unsigned s[32];
	int t = threadIdx.x;
	s[t] = in[t];
	for (int stride = 16; stride > 0; stride /= 2) {
		__syncwarp();
		if (t < stride)
			s[t] += s[t + stride];
	}
	if (t == 0)
		*out = s[0];
}

// As it was written before independent thread scheduling, without volatile.
// launch: --grid 1 --block 32 --arg u32[32]:iota --arg u32[1]
// expect: race shared load add
// expect: race shared add add
__global__ void warp_sum_no_sync(const unsigned *in, unsigned *out)
{
	__shared__ unsigned s[32];
	int t = threadIdx.x;
	s[t] = in[t]; // [load]
#pragma unroll 1
	for (int stride = 16; stride > 0; stride /= 2)
		if (t < stride)
			s[t] += s[t + stride]; // [add]
	if (t == 0)
		*out = s[0];
}

// With volatile. Still wrong on independently scheduled lanes, whose order volatile does not settle. By PTX's model it is no data
// race, though: volatile accesses are strong (relaxed), and two strong accesses of one size do not race, whatever their order.
// A checker that keeps to the model is silent; one that calls it a race means well. Both are accepted.
// launch: --grid 1 --block 32 --arg u32[32]:iota --arg u32[1]
// expect: clean
// also: race shared load add
// also: race shared add add
// also: race shared load read
// also: race shared add read
__global__ void warp_sum_volatile(const unsigned *in, unsigned *out)
{
	__shared__ volatile unsigned s[32];
	int t = threadIdx.x;
	s[t] = in[t]; // [load]
#pragma unroll 1
	for (int stride = 16; stride > 0; stride /= 2)
		if (t < stride)
			s[t] = s[t] + s[t + stride]; // [add]
	if (t == 0)
		*out = s[0]; // [read]
}

// All lanes add at each step, also those whose sums are not needed: they overwrite what others still read.
// launch: --grid 1 --block 32 --arg u32[32]:iota --arg u32[1]
// expect: race shared add add
__global__ void warp_sum_all_lanes(const unsigned *in, unsigned *out)
{
	__shared__ unsigned s[64];
	int t = threadIdx.x;
	s[t] = in[t];
	s[t + 32] = 0;
#pragma unroll 1
	for (int stride = 16; stride > 0; stride /= 2) {
		__syncwarp();
		s[t] += s[t + stride]; // [add]
	}
	__syncwarp();
	if (t == 0)
		*out = s[0];
}

// A shuffle between write and read orders nothing in memory.
// launch: --grid 1 --block 32 --arg u32[32]
// expect: race shared write read
__global__ void shuffle_is_no_sync(unsigned *out)
{
	__shared__ unsigned s[32];
	int t = threadIdx.x;
	s[t] = t; // [write]
	unsigned v = __shfl_xor_sync(ALL, t, 1);
	out[t] = s[31 - t] + v; // [read]
}

// A vote does not either.
// launch: --grid 1 --block 32 --arg u32[32]
// expect: race shared write read
__global__ void vote_is_no_sync(unsigned *out)
{
	__shared__ unsigned s[32];
	int t = threadIdx.x;
	s[t] = t; // [write]
	unsigned odd = __ballot_sync(ALL, t % 2);
	out[t] = s[31 - t] + __popc(odd); // [read]
}

// Registers alone.
// launch: --grid 1 --block 32 --arg u32[32]:iota --arg u32[1]
// expect: clean
// result: 1: 496
__global__ void shuffle_sum_clean(const unsigned *in, unsigned *out)
{
	unsigned v = in[threadIdx.x];
	for (int d = 16; d > 0; d /= 2)
		v += __shfl_down_sync(ALL, v, d);
	if (threadIdx.x == 0)
		*out = v;
}

// All lanes are named, half of them do not come.
// launch: --grid 1 --block 32 --arg u32[32]:iota --arg u32[32]
// expect: wrong-mask null shuffle
__global__ void shuffle_half_missing(const unsigned *in, unsigned *out)
{
	unsigned v = in[threadIdx.x];
	if (threadIdx.x < 16)
		v += __shfl_down_sync(ALL, v, 8); // [shuffle]
	out[threadIdx.x] = v;
}

// The lanes that are there are named; what lanes 8 to 15 get of others is not used.
// launch: --grid 1 --block 32 --arg u32[32]:iota --arg u32[32]
// expect: clean
// result: 1: 8 10 12
__global__ void shuffle_half_clean(const unsigned *in, unsigned *out)
{
	unsigned v = in[threadIdx.x];
	if (threadIdx.x < 16)
		v += __shfl_down_sync(0xffff, v, 8);
	if (threadIdx.x < 8)
		out[threadIdx.x] = v;
}

// Lanes 8 to 15 store a sum with the value of lanes that take no part.
// launch: --grid 1 --block 32 --arg u32[32]:iota --arg u32[32]
// expect: wrong-mask null use shuffle
// says: from a lane that takes no part in the shuffle
__global__ void shuffle_half_stored(const unsigned *in, unsigned *out)
{
	unsigned v = in[threadIdx.x];
	if (threadIdx.x < 16)
		v = __shfl_down_sync(0xffff, v, 8); // [shuffle]
	out[threadIdx.x] = v; // [use]
}

// Each of the lower half reads one of the upper.
// launch: --grid 1 --block 32 --arg u32[32]:iota --arg u32[32]
// expect: wrong-mask null use shuffle
__global__ void shuffle_of_others(const unsigned *in, unsigned *out)
{
	unsigned v = in[threadIdx.x];
	if (threadIdx.x < 16) {
		unsigned other = __shfl_xor_sync(0xffff, v, 16); // [shuffle]
		if (other > v) // [use]
			out[threadIdx.x] = v;
	}
}

// Lanes that have ended have no value either.
// launch: --grid 1 --block 32 --arg u32[32]:iota --arg u32[32]
// expect: wrong-mask null use shuffle
__global__ void shuffle_of_ended(const unsigned *in, unsigned *out)
{
	if (threadIdx.x >= 24)
		return;
	unsigned v = in[threadIdx.x];
	v = __shfl_down_sync(ALL, v, 8); // [shuffle]
	out[threadIdx.x] = v; // [use]
}

// A sum of 24 lanes, of which all lanes compute one, and one has it.
// launch: --grid 1 --block 24 --arg u32[32]:iota --arg u32[1]
// expect: clean
// result: 1: 276
__global__ void shuffle_sum_of_24_clean(const unsigned *in, unsigned *out)
{
	unsigned v = in[threadIdx.x];
	for (int d = 16; d > 0; d /= 2) {
		unsigned other = __shfl_down_sync(0xffffff, v, d);
		if (threadIdx.x + d < 24)
			v += other;
	}
	if (threadIdx.x == 0)
		*out = v;
}

// The mask is read before the branch.
// launch: --grid 1 --block 32 --arg u32[32]:iota --arg u32[32]
// expect: clean
// result: 1: 0 496
__global__ void shuffle_ballot_clean(const unsigned *in, unsigned *out)
{
	unsigned v = in[threadIdx.x], mask = __ballot_sync(ALL, v % 2);
	if (v % 2) {
		unsigned sum = 0;
		for (int lane = 1; lane < 32; lane += 2)
			sum += __shfl_sync(mask, v, lane);
		v = sum == 256 ? 496 : 0;
	}
	out[threadIdx.x] = v;
}

// A lane that the mask leaves out takes part.
// launch: --grid 1 --block 32 --arg u32[32]:iota --arg u32[32]
// expect: wrong-mask null shuffle
__global__ void shuffle_uninvited(const unsigned *in, unsigned *out)
{
	unsigned v = in[threadIdx.x];
	if (threadIdx.x < 24)
		v += __shfl_xor_sync(0xffff, v, 1); // [shuffle]
	out[threadIdx.x] = v;
}

// Half-warps on their own.
// launch: --grid 1 --block 32 --arg u32[32]
// expect: clean
// result: 0: 15 14 13
__global__ void sync_halves_clean(unsigned *out)
{
	__shared__ unsigned s[32];
	int t = threadIdx.x;
	s[t] = t;
	__syncwarp(t < 16 ? 0xffffu : 0xffff0000u);
	out[t] = s[t ^ 15];
}

// Each half waits for itself, but reads what the other wrote.
// launch: --grid 1 --block 32 --arg u32[32]
// expect: race shared write read
__global__ void sync_halves_crossed(unsigned *out)
{
	__shared__ unsigned s[32];
	int t = threadIdx.x;
	s[t] = t; // [write]
	__syncwarp(t < 16 ? 0xffffu : 0xffff0000u);
	out[t] = s[t ^ 31]; // [read]
}

// The upper half waits at a barrier that names the lower.
// launch: --grid 1 --block 32 --arg u32[32]
// expect: wrong-mask null wait
// also: race shared write read
__global__ void sync_not_named(unsigned *out)
{
	__shared__ unsigned s[32];
	int t = threadIdx.x;
	s[t] = t; // [write]
	__syncwarp(0xffff); // [wait]
	out[t] = s[t ^ 31]; // [read]
}

// Both sides of a branch wait for the whole warp, each at a __syncwarp of its own: they converge.
// launch: --grid 1 --block 32 --arg u32[32]
// expect: clean
// result: 0: 31 30 29
__global__ void sync_branches_clean(unsigned *out)
{
	__shared__ unsigned s[32];
	int t = threadIdx.x;
	if (t < 16) {
		s[t] = t;
		__syncwarp();
		out[t] = s[31 - t];
	} else {
		s[t] = t + 0;
		__syncwarp();
		out[t] = s[31 - t] + 0;
	}
}

// One side waits for the whole warp, the other goes on, never comes, and ends. The programming guide asks the lanes of the mask that
// have not ended to come; here the others end, and the lanes that wait go on. The PTX manual knows no such exception. A checker may
// complain of the mask.
// launch: --grid 1 --block 32 --arg u32[32] --steps 20000
// expect: clean
// also: wrong-mask null wait
__global__ void sync_one_branch(unsigned *out)
{
	int t = threadIdx.x;
	if (t < 16) {
		out[t] = t;
		__syncwarp(); // [wait]
		out[t] += 1;
	} else {
		out[t] = 0;
	}
}

// The other side does not end: it waits for what comes after the __syncwarp. Neither goes on.
// launch: --grid 1 --block 32 --arg u32[1] --arg u32[32] --steps 20000
// expect: limit
__global__ void sync_waits_for_waiting(volatile unsigned *go, unsigned *out)
{
	int t = threadIdx.x;
	if (t < 16) {
		__syncwarp();
		*go = 1;
	} else {
		while (*go == 0)
			;
		__syncwarp();
	}
	out[t] = t;
}

// After the branch all are together again, by __syncwarp.
// launch: --grid 1 --block 32 --arg u32[32]
// expect: clean
// result: 0: 131 130
__global__ void sync_after_branch_clean(unsigned *out)
{
	__shared__ unsigned s[32];
	int t = threadIdx.x;
	if (t < 16)
		s[t] = t;
	else
		s[t] = t + 100;
	__syncwarp();
	out[t] = s[31 - t];
}

// After the branch they are not together on their own.
// launch: --grid 1 --block 32 --arg u32[32]
// expect: race shared low read
__global__ void sync_after_branch_missing(unsigned *out)
{
	__shared__ unsigned s[16];
	int t = threadIdx.x;
	if (t < 16)
		s[t] = t; // [low]
	if (t >= 16)
		out[t] = s[31 - t]; // [read]
}

// Tiles of eight lanes, as a library of groups makes them: each tile waits for itself.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[8]
// expect: clean
// result: 1: 28 92 156
__global__ void tiles_clean(const unsigned *in, unsigned *out)
{
	__shared__ unsigned s[64];
	int t = threadIdx.x, rank = t % 8;
	unsigned mask = 0xffu << (t % 32 - rank);
	s[t] = in[t];
	for (int d = 4; d > 0; d /= 2) {
		__syncwarp(mask);
		if (rank < d)
			s[t] += s[t + d];
	}
	if (rank == 0)
		out[t / 8] = s[t];
}

// The mask is that of a tile of four; eight add up.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[8]
// expect: race shared load add
__global__ void tiles_mask_too_small(const unsigned *in, unsigned *out)
{
	__shared__ unsigned s[64];
	int t = threadIdx.x, rank = t % 8;
	unsigned mask = 0xfu << (t % 32 / 4 * 4);
	s[t] = in[t]; // [load]
#pragma unroll 1
	for (int d = 4; d > 0; d /= 2) {
		__syncwarp(mask);
		if (rank < d)
			s[t] += s[t + d]; // [add]
	}
	if (rank == 0)
		out[t / 8] = s[t];
}
