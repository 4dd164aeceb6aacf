// A tile in shared memory: loaded by all threads, used by all threads.
#include "simt.h"

#define N 64

// No barrier between load and use: the other warp may not have loaded yet.
// launch: --grid 2 --block 64 --arg u32[128]:iota --arg u32[128]
// expect: race shared load use
__global__ void tile_missing(const unsigned *in, unsigned *out)
{
	__shared__ unsigned tile[N];
	int t = threadIdx.x, i = blockIdx.x * N + t;
	tile[t] = in[i]; // [load]
	out[i] = tile[N - 1 - t]; // [use]
}

// launch: --grid 2 --block 64 --arg u32[128]:iota --arg u32[128]
// expect: clean
// result: 1: 63 62 61
__global__ void tile_clean(const unsigned *in, unsigned *out)
{
	__shared__ unsigned tile[N];
	int t = threadIdx.x, i = blockIdx.x * N + t;
	tile[t] = in[i];
	__syncthreads();
	out[i] = tile[N - 1 - t];
}

// The barrier stands before the load, where it orders nothing.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: race shared load use
__global__ void tile_barrier_early(const unsigned *in, unsigned *out)
{
	__shared__ unsigned tile[N];
	int t = threadIdx.x;
	__syncthreads();
	tile[t] = in[t]; // [load]
	out[t] = tile[N - 1 - t]; // [use]
}

// A barrier that only one warp takes on its way: it pairs with the other warp's second barrier, and orders nothing between the
// loads and the uses. The barriers themselves match: 64 threads come twice.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: race shared load use
// expect: barrier-mismatched
// also: barrier-missing
// also: barrier-divergent
__global__ void tile_barrier_in_branch(const unsigned *in, unsigned *out)
{
	__shared__ unsigned tile[N];
	int t = threadIdx.x;
	tile[t] = in[t]; // [load]
	if (t < 32)
		__syncthreads();
	out[t] = tile[N - 1 - t]; // [use]
	if (t >= 32)
		__syncthreads();
}

// Tile after tile; nothing keeps the next load from overwriting what the other warp still reads.
// launch: --grid 1 --block 64 --arg u32[256]:iota --arg u32[64] --arg s32:4
// expect: race shared load use
__global__ void tile_reuse_missing(const unsigned *in, unsigned *out, int tiles)
{
	__shared__ unsigned tile[N];
	int t = threadIdx.x;
	unsigned sum = 0;
	for (int k = 0; k < tiles; k++) {
		tile[t] = in[k * N + t]; // [load]
		__syncthreads();
		sum += tile[N - 1 - t]; // [use]
	}
	out[t] = sum;
}

// launch: --grid 1 --block 64 --arg u32[256]:iota --arg u32[64] --arg s32:4
// expect: clean
// result: 1: 636 632
__global__ void tile_reuse_clean(const unsigned *in, unsigned *out, int tiles)
{
	__shared__ unsigned tile[N];
	int t = threadIdx.x;
	unsigned sum = 0;
	for (int k = 0; k < tiles; k++) {
		tile[t] = in[k * N + t];
		__syncthreads();
		sum += tile[N - 1 - t];
		__syncthreads();
	}
	out[t] = sum;
}

// Each warp keeps to its own half, which needs no barrier of the block; within the warp __syncwarp orders.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: clean
// result: 1: 31 30 29
__global__ void tile_per_warp_clean(const unsigned *in, unsigned *out)
{
	__shared__ unsigned tile[N];
	int t = threadIdx.x, lane = t % 32;
	tile[t] = in[t];
	__syncwarp();
	out[t] = tile[t - lane + 31 - lane];
}
