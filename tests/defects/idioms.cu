// Whole pieces of kernels as courses have them, each with the one barrier that is easily forgotten.
#include "simt.h"

#define ALL 0xffffffffu
#define TILE 8

// C = A * B by tiles; the second barrier keeps the next tiles from being loaded over those in use.
// launch: --grid 2,2 --block 8,8 --arg u32[256]:iota --arg u32[256]:iota --arg u32[256]
// expect: clean
// result: 2: 19840 19960
__global__ void matmul_clean(const unsigned *a, const unsigned *b, unsigned *c)
{
	__shared__ unsigned as[TILE][TILE], bs[TILE][TILE];
	int x = threadIdx.x, y = threadIdx.y, col = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
	unsigned sum = 0;
	for (int k = 0; k < 16; k += TILE) {
		as[y][x] = a[row * 16 + k + x];
		bs[y][x] = b[(k + y) * 16 + col];
		__syncthreads();
		for (int i = 0; i < TILE; i++)
			sum += as[y][i] * bs[i][x];
		__syncthreads();
	}
	c[row * 16 + col] = sum;
}

// The second barrier is missing. Four rows of `as` belong to a warp, which is not in step with itself either: it races like `bs`.
// launch: --grid 2,2 --block 8,8 --arg u32[256]:iota --arg u32[256]:iota --arg u32[256]
// expect: race shared loada use
// expect: race shared loadb use
__global__ void matmul_second_missing(const unsigned *a, const unsigned *b, unsigned *c)
{
	__shared__ unsigned as[TILE][TILE], bs[TILE][TILE];
	int x = threadIdx.x, y = threadIdx.y, col = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
	unsigned sum = 0;
#pragma unroll 1
	for (int k = 0; k < 16; k += TILE) {
		as[y][x] = a[row * 16 + k + x]; // [loada]
		bs[y][x] = b[(k + y) * 16 + col]; // [loadb]
		__syncthreads();
		for (int i = 0; i < TILE; i++)
			sum += as[y][i] * bs[i][x]; // [use]
	}
	c[row * 16 + col] = sum;
}

// The sum of a block, by shuffles within the warps and shared memory between them; all threads get it.
__device__ unsigned block_sum(unsigned v, unsigned *warp_sums)
{
	int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
	for (int d = 16; d > 0; d /= 2)
		v += __shfl_xor_sync(ALL, v, d);
	if (lane == 0)
		warp_sums[warp] = v; // [put]
	__syncthreads();
	return warp_sums[0] + warp_sums[1]; // [get]
}

// Called twice with one array: the second call writes what some still read in the first.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: race shared put get
__global__ void sum_twice(const unsigned *in, unsigned *out)
{
	__shared__ unsigned sums[2];
	int t = threadIdx.x;
	unsigned sum = block_sum(in[t], sums);
	out[t] = block_sum(in[t] * sum, sums);
}

// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: clean
// result: 1: 4064256 4064256
__global__ void sum_twice_clean(const unsigned *in, unsigned *out)
{
	__shared__ unsigned sums[2];
	int t = threadIdx.x;
	unsigned sum = block_sum(in[t], sums);
	__syncthreads();
	out[t] = block_sum(in[t] * sum, sums);
}

// With an array for each call no barrier between them is needed.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: clean
// result: 1: 4064256 4064256
__global__ void sum_twice_two_arrays_clean(const unsigned *in, unsigned *out)
{
	__shared__ unsigned sums[2][2];
	int t = threadIdx.x;
	unsigned sum = block_sum(in[t], sums[0]);
	out[t] = block_sum(in[t] * sum, sums[1]);
}

// Bitonic sort of a block: every step compares over a distance.
// launch: --grid 1 --block 64 --arg u32[64]:random@3 --arg u32[1]
// expect: clean
// result: 1: 63
__global__ void sort_clean(unsigned *a, unsigned *ordered)
{
	__shared__ unsigned s[64];
	int t = threadIdx.x;
	s[t] = a[t];
	for (int size = 2; size <= 64; size *= 2)
		for (int d = size / 2; d > 0; d /= 2) {
			__syncthreads();
			int other = t ^ d;
			if (other > t && (s[t] > s[other]) == !(t & size)) {
				unsigned v = s[t];
				s[t] = s[other];
				s[other] = v;
			}
		}
	__syncthreads();
	a[t] = s[t];
	if (t < 63 && s[t] <= s[t + 1])
		atomicAdd(ordered, 1u);
}

// The barrier is in the outer loop.
// launch: --grid 1 --block 64 --arg u32[64]:random@3
// expect: race shared compare mine
// also: race shared compare other
// also: race shared mine other
// also: race shared mine mine
// also: race shared other other
__global__ void sort_barrier_outside(unsigned *a)
{
	__shared__ unsigned s[64];
	int t = threadIdx.x;
	s[t] = a[t];
#pragma unroll 1
	for (int size = 2; size <= 64; size *= 2) {
		__syncthreads();
#pragma unroll 1
		for (int d = size / 2; d > 0; d /= 2) {
			int other = t ^ d;
			unsigned v = s[t], w = s[other]; // [compare]
			if (other > t && (v > w) == !(t & size)) {
				s[t] = w; // [mine]
				s[other] = v; // [other]
			}
		}
	}
	__syncthreads();
	a[t] = s[t];
}

// A barrier that counts, or asks, is a barrier.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: clean
// result: 1: 95 94 93
__global__ void barrier_count_clean(const unsigned *in, unsigned *out)
{
	__shared__ unsigned s[64];
	int t = threadIdx.x;
	s[t] = in[t];
	int odd = __syncthreads_count(in[t] % 2);
	out[t] = s[63 - t] + odd;
}

// Bins in shared memory, added to those of the grid.
// launch: --grid 4 --block 64 --arg u32[256]:iota --arg u32[4]
// expect: clean
// result: 1: 64 64 64 64
__global__ void bins_merged_clean(const unsigned *in, unsigned *bins)
{
	__shared__ unsigned own[4];
	int t = threadIdx.x;
	if (t < 4)
		own[t] = 0;
	__syncthreads();
	atomicAdd(&own[in[blockIdx.x * 64 + t] % 4], 1u);
	__syncthreads();
	if (t < 4)
		atomicAdd(&bins[t], own[t]);
}

// The blocks add to the grid's bins without atomics.
// launch: --grid 4 --block 64 --arg u32[256]:iota --arg u32[4]
// expect: race global merge merge
__global__ void bins_merged_plain(const unsigned *in, unsigned *bins)
{
	__shared__ unsigned own[4];
	int t = threadIdx.x;
	if (t < 4)
		own[t] = 0;
	__syncthreads();
	atomicAdd(&own[in[blockIdx.x * 64 + t] % 4], 1u);
	__syncthreads();
	if (t < 4)
		bins[t] += own[t]; // [merge]
}

// The largest of a row is found by all, then subtracted by all; the place where it was found is used again for the sum.
// launch: --grid 1 --block 32,2 --arg u32[64]:iota --arg u32[64] --arg u32[2]
// expect: clean
// result: 2: 496 496
__global__ void rows_clean(const unsigned *in, unsigned *out, unsigned *sums)
{
	__shared__ unsigned cell[2];
	int x = threadIdx.x, y = threadIdx.y, i = y * 32 + x;
	if (x == 0)
		cell[y] = 0;
	__syncthreads();
	atomicMax(&cell[y], in[i]);
	__syncthreads();
	unsigned v = cell[y] - in[i];
	__syncthreads();
	if (x == 0)
		cell[y] = 0;
	__syncthreads();
	atomicAdd(&cell[y], v);
	out[i] = v;
	__syncthreads();
	if (x == 0)
		sums[y] = cell[y];
}

// The place is used again too soon, by its own warp: __syncwarp would do, nothing does not.
// launch: --grid 1 --block 32,2 --arg u32[64]:iota --arg u32[64]
// expect: race shared look again
__global__ void rows_cell_reused(const unsigned *in, unsigned *out)
{
	__shared__ unsigned cell[2];
	int x = threadIdx.x, y = threadIdx.y, i = y * 32 + x;
	if (x == 0)
		cell[y] = 0;
	__syncthreads();
	atomicMax(&cell[y], in[i]);
	__syncthreads();
	unsigned v = cell[y] - in[i]; // [look]
	if (x == 0)
		cell[y] = 7; // [again]
	__syncthreads();
	out[i] = v + cell[y];
}
