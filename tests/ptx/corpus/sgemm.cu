// C = A B, square, one thread an element.
#include "simt.h"

extern "C" __global__ void sgemm(int n, const float *a, const float *b, float *c)
{
	int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
	if (row >= n || col >= n)
		return;
	float sum = 0;
	for (int k = 0; k < n; k++)
		sum += a[row * n + k] * b[k * n + col];
	c[row * n + col] = sum;
}
