// Without tiles nothing conflicts, and each word is fetched from global memory again and again.
#include "simt.h"

#define TILE 16

extern "C" __global__ void matmul(const float *a, const float *b, float *c, unsigned n)
{
	unsigned row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;

	float sum = 0;
	for (unsigned k = 0; k < n; k++)
		sum += a[row * n + k] * b[k * n + column]; //@ fetch
	c[row * n + column] = sum;
}
