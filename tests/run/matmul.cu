// c = a b for square matrices of whole numbers, tile by tile; n is a multiple of the tile.
#include "simt.h"

#define TILE 16

extern "C" __global__ void matmul(int n, const int *a, const int *b, int *c)
{
	__shared__ int as[TILE][TILE], bs[TILE][TILE];
	int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x, sum = 0;

	for (int k = 0; k < n; k += TILE) {
		as[y][x] = a[row * n + k + x];
		bs[y][x] = b[(k + y) * n + col];
		__syncthreads();
		for (int i = 0; i < TILE; i++)
			sum += as[y][i] * bs[i][x];
		__syncthreads();
	}
	c[row * n + col] = sum;
}
