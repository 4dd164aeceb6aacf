// A square matrix of n x n words, n a multiple of 32, is copied or transposed: out[column][row] = in[row][column].
// A block of 32 x 8 threads moves a tile of 32 x 32 words, each thread four of them.
#include "simt.h"

#define TILE 32
#define ROWS 8

extern "C" __global__ void copy(const float *__restrict__ in, float *__restrict__ out, unsigned n)
{
	unsigned x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;

	for (unsigned j = 0; j < TILE; j += ROWS) {
		float word = in[(y + j) * n + x]; //@ read_copy
		out[(y + j) * n + x] = word;      //@ write_copy
	}
}

extern "C" __global__ void turn_direct(const float *__restrict__ in, float *__restrict__ out, unsigned n)
{
	unsigned x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;

	for (unsigned j = 0; j < TILE; j += ROWS) {
		float word = in[(y + j) * n + x]; //@ read_turn_direct
		out[x * n + y + j] = word;        //@ write_turn_direct
	}
}

extern "C" __global__ void turn_tile(const float *__restrict__ in, float *__restrict__ out, unsigned n)
{
	__shared__ float tile[TILE][TILE];
	unsigned column = blockIdx.x * TILE, row = blockIdx.y * TILE, x = threadIdx.x, y = threadIdx.y;

	for (unsigned j = 0; j < TILE; j += ROWS)
		tile[y + j][x] = in[(row + y + j) * n + column + x];
	__syncthreads();
	for (unsigned j = 0; j < TILE; j += ROWS) {
		float word = tile[x][y + j];                //@ read_turn_tile
		out[(column + y + j) * n + row + x] = word; //@ write_turn_tile
	}
}

extern "C" __global__ void turn_padded(const float *__restrict__ in, float *__restrict__ out, unsigned n)
{
	__shared__ float tile[TILE][TILE + 1];
	unsigned column = blockIdx.x * TILE, row = blockIdx.y * TILE, x = threadIdx.x, y = threadIdx.y;

	for (unsigned j = 0; j < TILE; j += ROWS)
		tile[y + j][x] = in[(row + y + j) * n + column + x];
	__syncthreads();
	for (unsigned j = 0; j < TILE; j += ROWS) {
		float word = tile[x][y + j];                //@ read_turn_padded
		out[(column + y + j) * n + row + x] = word; //@ write_turn_padded
	}
}

extern "C" __global__ void turn_swizzled(const float *__restrict__ in, float *__restrict__ out, unsigned n)
{
	__shared__ float tile[TILE][TILE];
	unsigned column = blockIdx.x * TILE, row = blockIdx.y * TILE, x = threadIdx.x, y = threadIdx.y;

	for (unsigned j = 0; j < TILE; j += ROWS)
		tile[y + j][x ^ (y + j)] = in[(row + y + j) * n + column + x];
	__syncthreads();
	for (unsigned j = 0; j < TILE; j += ROWS) {
		float word = tile[x][(y + j) ^ x];          //@ read_turn_swizzled
		out[(column + y + j) * n + row + x] = word; //@ write_turn_swizzled
	}
}
