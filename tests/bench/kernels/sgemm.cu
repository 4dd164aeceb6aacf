// c = a b for square matrices, one thread an element: the naive way, as a benchmark of the machine.
#include "simt.h"

extern "C" __global__ void sgemm(int n, const float *a, const float *b, float *c)
{
	int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
	float sum = 0.0f;

	for (int k = 0; k < n; k++)
		sum += a[row * n + k] * b[k * n + col];
	c[row * n + col] = sum;
}
