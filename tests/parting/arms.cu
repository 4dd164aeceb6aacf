// A barrier in both arms of an if whose lanes are of one warp, in BLOCKS blocks.
#include <cstdio>

#ifndef BLOCKS
#define BLOCKS 1
#endif

__global__ void k(int *a)
{
	a += 32 * blockIdx.x;
	__shared__ int s[32];
	int t = threadIdx.x;
	s[t] = t;
	if (t < 4) {
		s[t] += 100;
		__syncthreads();
		a[t] = s[31 - t];
	} else {
		s[t] += 200;
		__syncthreads();
		a[t] = s[31 - t];
	}
}

int main()
{
	int *a, h[32 * BLOCKS];
	cudaMalloc(&a, sizeof h);
	k<<<BLOCKS, 32>>>(a);
	cudaError_t e = cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
	printf("%d %d %s\n", h[0], h[32 * BLOCKS - 1], cudaGetErrorString(e));
	cudaFree(a);
}
