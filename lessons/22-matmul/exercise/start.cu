// c = a b, with tiles of 16 x 16 words. The result is right, but threads and words are matched the wrong way round.
#include "simt.h"
// simt.h: what the kernel needs where CUDA's headers are missing. A mark as @ fetch says which line the pictures show: keep it.
#define TILE 16

extern "C" __global__ void matmul(const float *a, const float *b, float *c, unsigned n)
{
	__shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
	unsigned y = threadIdx.x, x = threadIdx.y;
	unsigned row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;

	float sum = 0;
	for (unsigned k = 0; k < n; k += TILE) {
		tile_a[y][x] = a[row * n + k + x];
		float word = b[(k + y) * n + column]; //@ fetch
		tile_b[y][x] = word;
		__syncthreads();
		for (unsigned i = 0; i < TILE; i++)
			sum += tile_a[y][i] * tile_b[i][x];
		__syncthreads();
	}
	c[row * n + column] = sum;
}
