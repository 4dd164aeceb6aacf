// c = a b, of square matrices of n x n words, n a multiple of 32. A block makes a tile of 16 x 16 words of c, or of 32 x 32.
// The loops over words are not unrolled, so that each load of the source is one of the machine.
#include "simt.h"

#define TILE 16
#define WIDE 32

extern "C" __global__ void matmul_direct(const float *a, const float *b, float *c, unsigned n)
{
	unsigned column = blockIdx.x * TILE + threadIdx.x, row = blockIdx.y * TILE + threadIdx.y;

	float sum = 0;
	#pragma unroll 1
	for (unsigned k = 0; k < n; k++) {
		float left = a[row * n + k];     //@ left_matmul_direct
		float top = b[k * n + column];   //@ fetch_matmul_direct
		sum += left * top;
	}
	c[row * n + column] = sum;
}

extern "C" __global__ void matmul_tiled(const float *a, const float *b, float *c, unsigned n)
{
	__shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
	unsigned x = threadIdx.x, y = threadIdx.y;
	unsigned column = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;

	float sum = 0;
	for (unsigned k = 0; k < n; k += TILE) {
		tile_a[y][x] = a[row * n + k + x];
		float word = b[(k + y) * n + column]; //@ fetch_matmul_tiled
		tile_b[y][x] = word;                  //@ fill_matmul_tiled
		__syncthreads();
		#pragma unroll 1
		for (unsigned i = 0; i < TILE; i++) {
			float left = tile_a[y][i];    //@ left_matmul_tiled
			float top = tile_b[i][x];     //@ top_matmul_tiled
			sum += left * top;
		}
		__syncthreads();
	}
	c[row * n + column] = sum;
}

// Each thread keeps 2 x 2 sums in registers: one in each quarter of the tile.
extern "C" __global__ void matmul_registers(const float *a, const float *b, float *c, unsigned n)
{
	__shared__ float tile_a[WIDE][TILE], tile_b[TILE][WIDE];
	unsigned x = threadIdx.x, y = threadIdx.y;
	unsigned column = blockIdx.x * WIDE + x, row = blockIdx.y * WIDE + y;

	float sum00 = 0, sum01 = 0, sum10 = 0, sum11 = 0;
	for (unsigned k = 0; k < n; k += TILE) {
		tile_a[y][x] = a[row * n + k + x];
		tile_a[y + TILE][x] = a[(row + TILE) * n + k + x];
		tile_b[y][x] = b[(k + y) * n + column];
		float word = b[(k + y) * n + column + TILE]; //@ fetch_matmul_registers
		tile_b[y][x + TILE] = word;                  //@ fill_matmul_registers
		__syncthreads();
		#pragma unroll 1
		for (unsigned i = 0; i < TILE; i++) {
			float left0 = tile_a[y][i], left1 = tile_a[y + TILE][i];
			float top0 = tile_b[i][x];
			float top1 = tile_b[i][x + TILE]; //@ top_matmul_registers
			sum00 += left0 * top0;
			sum01 += left0 * top1;
			sum10 += left1 * top0;
			sum11 += left1 * top1;
		}
		__syncthreads();
	}
	c[row * n + column] = sum00;
	c[row * n + column + TILE] = sum01;
	c[(row + TILE) * n + column] = sum10;
	c[(row + TILE) * n + column + TILE] = sum11;
}
