// Groups of threads that work together: tiles of a warp's lanes, and all blocks of a grid. In plain CUDA, what the library of
// cooperative groups does for tiled_partition<8>(block) and this_grid().sync().
#include "clang.h"

#define ALL 0xFFFFFFFF
#define THREADS 256
#define WARPS (THREADS / 32)
#define BLOCKS 8
#define LENGTH 8

// The sum of each tile of `width` lanes.
extern "C" __global__ void tile_sum(const int *in, int *out, unsigned width)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	int v = in[i];
	#pragma unroll 1
	for (unsigned d = width / 2; d > 0; d /= 2)
		v += __shfl_down_sync(ALL, v, d, width); //@ tile_sum
	if (threadIdx.x % width == 0)
		out[i / width] = v;
}

// The sum of each row of 8 words, added up by a tile of `width` lanes.
extern "C" __global__ void row_sums(const int *in, int *out, unsigned width)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, rank = i % width, row = i / width;
	int v = 0;
	#pragma unroll 1
	for (unsigned k = rank; k < LENGTH; k += width)
		v += in[row * LENGTH + k]; //@ row_sums
	#pragma unroll 1
	for (unsigned d = width / 2; d > 0; d /= 2)
		v += __shfl_down_sync(ALL, v, d, width);
	if (rank == 0)
		out[row] = v;
}

// Tiles of 8 lanes go their own numbers of rounds, and in each add up 8 words.
__device__ __forceinline__ int rounds_of_tile(const int *in, unsigned most, unsigned mask)
{
	unsigned lane = threadIdx.x, rounds = lane / 8 % most + 1;
	int sum = 0;
	#pragma unroll 1
	for (unsigned k = 0; k < rounds; k++) {
		int v = in[32 * k + lane]; //@ round
		#pragma unroll 1
		for (unsigned d = 4; d > 0; d /= 2)
			v += __shfl_xor_sync(mask, v, d, 8);
		sum += v;
	}
	return sum;
}

extern "C" __global__ void own_rounds_all(const int *in, int *out, unsigned most)
{
	out[threadIdx.x] = rounds_of_tile(in, most, ALL);
}

extern "C" __global__ void own_rounds_tile(const int *in, int *out, unsigned most)
{
	unsigned first = threadIdx.x / 8 * 8;
	out[threadIdx.x] = rounds_of_tile(in, most, 0xFFu << first);
}

// The sum of the block, in all its threads: of each warp, then of the warps, by each tile of 8 lanes.
__device__ __forceinline__ unsigned block_sum(unsigned v)
{
	__shared__ unsigned sums[WARPS];

	#pragma unroll 1
	for (unsigned d = 16; d > 0; d /= 2)
		v += __shfl_xor_sync(ALL, v, d);
	if (threadIdx.x % 32 == 0)
		sums[threadIdx.x / 32] = v;
	__syncthreads();
	v = sums[threadIdx.x % WARPS];
	#pragma unroll 1
	for (unsigned d = WARPS / 2; d > 0; d /= 2)
		v += __shfl_xor_sync(ALL, v, d, WARPS);
	return v;
}

__device__ __forceinline__ unsigned tile_total(unsigned v)
{
	#pragma unroll 1
	for (unsigned d = BLOCKS / 2; d > 0; d /= 2)
		v += __shfl_xor_sync(ALL, v, d, BLOCKS);
	return v;
}

// All threads of the grid wait here until all of its blocks have arrived. One thread of each block counts it, and looks at the count by
// an atomic that adds nothing; its warp learns from it by a shuffle, so that no lane goes on alone.
__device__ __forceinline__ void wait_for_grid(unsigned *arrived)
{
	__syncthreads();
	if (threadIdx.x == 0) {
		__threadfence();
		atomicAdd(arrived, 1u);
	}
	if (threadIdx.x < 32) {
		unsigned seen;
		do {
			seen = threadIdx.x == 0 ? atomicAdd(arrived, 0u) : 0;
			seen = __shfl_sync(ALL, seen, 0);
		} while (seen < gridDim.x);
		__threadfence();
	}
	__syncthreads();
}

// Each word becomes the sum of all others: in two launches, and in one.
extern "C" __global__ void sums(const unsigned *in, unsigned *part, unsigned *out, unsigned *arrived)
{
	unsigned i = blockIdx.x * THREADS + threadIdx.x;
	unsigned v = in[i]; //@ sums
	unsigned sum = block_sum(v);
	if (threadIdx.x == 0)
		part[blockIdx.x] = sum; //@ stage_1
}

extern "C" __global__ void others(const unsigned *in, unsigned *part, unsigned *out, unsigned *arrived)
{
	unsigned i = blockIdx.x * THREADS + threadIdx.x;
	unsigned total = tile_total(part[threadIdx.x % BLOCKS]); //@ stage_2
	out[i] = total - in[i]; //@ others
}

extern "C" __global__ void both(const unsigned *in, unsigned *part, unsigned *out, unsigned *arrived)
{
	unsigned i = blockIdx.x * THREADS + threadIdx.x;
	unsigned v = in[i]; //@ both
	unsigned sum = block_sum(v);
	if (threadIdx.x == 0)
		part[blockIdx.x] = sum;
	wait_for_grid(arrived);
	out[i] = tile_total(part[threadIdx.x % BLOCKS]) - v;
}

// Each block hands a word to the one before it.
extern "C" __global__ void hand_on_none(unsigned *word, unsigned *out, unsigned *arrived)
{
	if (threadIdx.x == 0)
		word[blockIdx.x] = blockIdx.x + 1;
	__syncthreads();
	out[blockIdx.x * blockDim.x + threadIdx.x] = word[(blockIdx.x + 1) % gridDim.x]; //@ none
}

extern "C" __global__ void hand_on_count(unsigned *word, unsigned *out, unsigned *arrived)
{
	if (threadIdx.x == 0) {
		word[blockIdx.x] = blockIdx.x + 1;
		atomicAdd(arrived, 1u);
	}
	if (threadIdx.x < 32) {
		unsigned seen;
		do {
			seen = threadIdx.x == 0 ? atomicAdd(arrived, 0u) : 0;
			seen = __shfl_sync(ALL, seen, 0);
		} while (seen < gridDim.x);
	}
	__syncthreads();
	out[blockIdx.x * blockDim.x + threadIdx.x] = word[(blockIdx.x + 1) % gridDim.x]; //@ count
}

extern "C" __global__ void hand_on_fenced(unsigned *word, unsigned *out, unsigned *arrived)
{
	if (threadIdx.x == 0)
		word[blockIdx.x] = blockIdx.x + 1;
	wait_for_grid(arrived);
	out[blockIdx.x * blockDim.x + threadIdx.x] = word[(blockIdx.x + 1) % gridDim.x]; //@ fenced
}
