// The tiles are fetched anew for each product.
#include "simt.h"

#define TILE 16

extern "C" __global__ void matmul(const float *a, const float *b, float *c, unsigned n)
{
	__shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
	unsigned x = threadIdx.x, y = threadIdx.y;
	unsigned row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
	float sum = 0;
	for (unsigned i = 0; i < n; i++) {
		unsigned k = i / TILE * TILE;
		tile_a[y][x] = a[row * n + k + x];
		float word = b[(k + y) * n + column]; //@ fetch
		tile_b[y][x] = word;
		__syncthreads();
		sum += tile_a[y][i % TILE] * tile_b[i % TILE][x];
		__syncthreads();
	}
	c[row * n + column] = sum;
}
