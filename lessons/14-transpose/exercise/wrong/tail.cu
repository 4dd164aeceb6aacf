// Swizzled, but the bounds of the input are those of the output.
#include "simt.h"

#define TILE 16

extern "C" __global__ void transpose_small(const float *in, float *out, unsigned rows, unsigned columns)
{
	__shared__ float tile[TILE][TILE];
	unsigned x = threadIdx.x, y = threadIdx.y;

	unsigned row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
	if (row < columns && column < columns)
		tile[y][x ^ y] = in[row * columns + column];
	__syncthreads();

	row = blockIdx.y * TILE + x;
	column = blockIdx.x * TILE + y;
	if (row < columns && column < columns)
		out[column * rows + row] = tile[x][y ^ x]; //@ read
}
