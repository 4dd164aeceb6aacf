// A 32 by 32 tile is read by rows and written by columns.
#include "simt.h"

#define TILE 32
#define ROWS 8

// launch: --grid 1 --block 32,8 --arg u32[1024]:iota --arg u32[1024]
// expect: race shared load use
__global__ void transpose_missing(const unsigned *in, unsigned *out)
{
	__shared__ unsigned tile[TILE][TILE + 1];
	for (int y = threadIdx.y; y < TILE; y += ROWS)
		tile[y][threadIdx.x] = in[y * TILE + threadIdx.x]; // [load]
	for (int y = threadIdx.y; y < TILE; y += ROWS)
		out[y * TILE + threadIdx.x] = tile[threadIdx.x][y]; // [use]
}

// The column of padding is never written and never read.
// launch: --grid 1 --block 32,8 --arg u32[1024]:iota --arg u32[1024]
// expect: clean
// result: 1: 0 32 64 96
__global__ void transpose_clean(const unsigned *in, unsigned *out)
{
	__shared__ unsigned tile[TILE][TILE + 1];
	for (int y = threadIdx.y; y < TILE; y += ROWS)
		tile[y][threadIdx.x] = in[y * TILE + threadIdx.x];
	__syncthreads();
	for (int y = threadIdx.y; y < TILE; y += ROWS)
		out[y * TILE + threadIdx.x] = tile[threadIdx.x][y];
}

// In place: a thread writes where another still has to read.
// launch: --grid 1 --block 32,32 --arg u32[1024]:iota
// expect: race global swap swap
__global__ void transpose_in_place(unsigned *a)
{
	a[threadIdx.x * TILE + threadIdx.y] = a[threadIdx.y * TILE + threadIdx.x]; // [swap]
}

// launch: --grid 1 --block 32,32 --arg u32[1024]:iota
// expect: clean
// result: 0: 0 32 64 96
__global__ void transpose_in_place_clean(unsigned *a)
{
	unsigned v = a[threadIdx.y * TILE + threadIdx.x];
	__syncthreads();
	a[threadIdx.x * TILE + threadIdx.y] = v;
}
