// What is said of a defect, so that it can be put right: of all threads that come to two lines those decide that are furthest apart.
#include "simt.h"

// Neighbors in a warp alone.
// launch: --grid 1 --block 32 --arg u32[32]
// expect: race shared make take
// missing: syncwarp
// says: a __syncwarp() is missing
__global__ void pair_in_a_warp(unsigned *out)
{
	__shared__ unsigned s[33];
	int t = threadIdx.x;
	s[t] = t; // [make]
	out[t] = s[t ^ 1]; // [take]
}

// launch: --grid 1 --block 32 --arg u32[32]
// expect: clean
__global__ void pair_in_a_warp_clean(unsigned *out)
{
	__shared__ unsigned s[33];
	int t = threadIdx.x;
	s[t] = t;
	__syncwarp();
	out[t] = s[t ^ 1];
}

// Most are neighbors in a warp; the last lane's is in another.
// launch: --grid 1 --block 64 --arg u32[64]
// expect: race shared make take
// missing: barrier
// says: a __syncthreads() is missing
__global__ void pair_in_a_block(unsigned *out)
{
	__shared__ unsigned s[65];
	int t = threadIdx.x;
	s[t] = t; // [make]
	out[t] = s[(t + 1) % 64]; // [take]
}

// So a barrier of the warp is not enough.
// launch: --grid 1 --block 64 --arg u32[64]
// expect: race shared make take
// missing: barrier
__global__ void pair_in_a_block_syncwarp(unsigned *out)
{
	__shared__ unsigned s[65];
	int t = threadIdx.x;
	s[t] = t; // [make]
	__syncwarp();
	out[t] = s[(t + 1) % 64]; // [take]
}

// launch: --grid 1 --block 64 --arg u32[64]
// expect: clean
__global__ void pair_in_a_block_clean(unsigned *out)
{
	__shared__ unsigned s[65];
	int t = threadIdx.x;
	s[t] = t;
	__syncthreads();
	out[t] = s[(t + 1) % 64];
}

// Neighbors in a warp, in a block, and in the next block.
// launch: --grid 2 --block 64 --arg u32[129] --arg u32[128]
// expect: race global make take
// missing: order
// says: no barrier orders blocks
__global__ void pair_in_a_grid(unsigned *s, unsigned *out)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x;
	s[t] = t; // [make]
	out[t] = s[t + 1]; // [take]
}

// launch: --grid 2 --block 64 --arg u32[129] --arg u32[128]
// expect: race global make take
// missing: order
__global__ void pair_in_a_grid_syncthreads(unsigned *s, unsigned *out)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x;
	s[t] = t; // [make]
	__syncthreads();
	out[t] = s[t + 1]; // [take]
}

// Counting by several threads.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[4]
// expect: race shared count count
// also: race shared count empty
// missing: atomic update
// says: several threads need an atomic for that, such as atomicAdd()
__global__ void count_shared(const unsigned *in, unsigned *out)
{
	__shared__ unsigned bins[4];
	int t = threadIdx.x;
	if (t < 4)
		bins[t] = 0; // [empty]
	__syncthreads();
	bins[in[t] % 4]++; // [count]
	__syncthreads();
	if (t < 4)
		out[t] = bins[t];
}

// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[4]
// expect: clean
// result: 1: 16 16 16 16
__global__ void count_shared_clean(const unsigned *in, unsigned *out)
{
	__shared__ unsigned bins[4];
	int t = threadIdx.x;
	if (t < 4)
		bins[t] = 0;
	__syncthreads();
	atomicAdd(&bins[in[t] % 4], 1u);
	__syncthreads();
	if (t < 4)
		out[t] = bins[t];
}

// One thread of each block.
// launch: --grid 4 --block 32 --arg u32[1]
// expect: race global count count
// missing: atomic update
__global__ void count_blocks(unsigned *out)
{
	if (threadIdx.x == 0)
		*out += blockIdx.x; // [count]
}

// A line that loads from one place and stores to another is no such update.
// launch: --grid 1 --block 64 --arg u32[64]
// expect: race shared shift shift
// missing: barrier
__global__ void shift_shared(unsigned *out)
{
	__shared__ unsigned s[65];
	int t = threadIdx.x;
	s[t + 1] = t;
	if (t == 0)
		s[0] = 0;
	__syncthreads();
	s[t] = s[t + 1] + 1; // [shift]
	__syncthreads();
	out[t] = s[t];
}

// A mask of half a warp, where the whole warp is.
// launch: --grid 1 --block 32 --arg u32[32]:iota --arg u32[32]
// expect: wrong-mask - half
// says: mask 0x0000FFFF: lanes 16-31 are here and not named
__global__ void mask_too_small(const unsigned *in, unsigned *out)
{
	int t = threadIdx.x;
	out[t] = __shfl_xor_sync(0xffff, in[t], 1); // [half]
}

// A mask of a whole warp, where half of it is.
// launch: --grid 1 --block 32 --arg u32[32]:iota --arg u32[32]
// expect: wrong-mask - half
// says: lanes 16-31 are named and not here
__global__ void mask_too_large(const unsigned *in, unsigned *out)
{
	int t = threadIdx.x;
	if (t < 16)
		out[t] = __shfl_xor_sync(0xffffffff, in[t], 1); // [half]
	__syncthreads();
	out[t] += in[31 - t];
}

// The wrong half.
// launch: --grid 1 --block 32 --arg u32[32]:iota --arg u32[32]
// expect: wrong-mask - half
// says: mask 0x00FFFF00: lanes 0-7 are here and not named, lanes 16-23 are named and not here
__global__ void mask_of_others(const unsigned *in, unsigned *out)
{
	int t = threadIdx.x;
	if (t < 16)
		out[t] = __shfl_xor_sync(0xffff00, in[t], 1); // [half]
}

// launch: --grid 1 --block 32 --arg u32[32]:iota --arg u32[32]
// expect: clean
// result: 1: 1 0 3 2
__global__ void mask_clean(const unsigned *in, unsigned *out)
{
	int t = threadIdx.x;
	if (t < 16)
		out[t] = __shfl_xor_sync(0xffff, in[t], 1);
}
