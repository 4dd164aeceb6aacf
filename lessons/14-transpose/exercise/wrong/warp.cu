// One warp does the work of all, and the others leave.
#include "simt.h"

#define TILE 16

extern "C" __global__ void transpose_small(const float *in, float *out, unsigned rows, unsigned columns)
{
	__shared__ float tile[TILE][TILE];
	if (threadIdx.y > 1)
		return;
	for (unsigned j = 0; j < TILE; j += 2) {
		unsigned x = threadIdx.x, y = threadIdx.y + j;
		unsigned row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
		if (row < rows && column < columns)
			tile[y][x ^ y] = in[row * columns + column];
	}
	__syncwarp();
	for (unsigned j = 0; j < TILE; j += 2) {
		unsigned x = threadIdx.x, y = threadIdx.y + j;
		unsigned row = blockIdx.y * TILE + x, column = blockIdx.x * TILE + y;
		if (row < rows && column < columns)
			out[column * rows + row] = tile[x][y ^ x]; //@ read
	}
}
