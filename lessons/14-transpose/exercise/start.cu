// Transposes a matrix of rows x columns words with tiles of 16 x 16. The result is right, but the reads of the tile
// conflict.
#include "simt.h"
// simt.h: what the kernel needs where CUDA's headers are missing. A mark as @ read says which line the pictures show: keep it.
#define TILE 16

extern "C" __global__ void transpose_small(const float *in, float *out, unsigned rows, unsigned columns)
{
	__shared__ float tile[TILE][TILE];
	unsigned x = threadIdx.x, y = threadIdx.y;

	unsigned row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
	if (row < rows && column < columns)
		tile[y][x] = in[row * columns + column];
	__syncthreads();

	row = blockIdx.y * TILE + x;
	column = blockIdx.x * TILE + y;
	if (row < rows && column < columns)
		out[column * rows + row] = tile[x][y]; //@ read
}
