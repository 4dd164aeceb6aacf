// Sums over a binary tree below each thread's number: a function that calls another, and one that calls itself.
#include "simt.h"

__noinline__ __device__ int weight(int n)
{
	return n % 3 + 1;
}

__noinline__ __device__ int tree(int n, int depth)
{
	int sum = weight(n);
	if (depth > 0 && n % 2 == 0) {
		sum += tree(2 * n + 1, depth - 1);
		sum += tree(2 * n + 2, depth - 1);
	}
	return sum;
}

extern "C" __global__ void calls(int *out)
{
	int depth = threadIdx.x % 4;
	int sum = tree(threadIdx.x, depth);
	out[threadIdx.x] = sum;
}
