// A load past the end of constant memory: an H200 (driver 580.159.04, 2026-11-29) gives 0 and no error.
#include <cstdio>

__constant__ int numbers[16];

__global__ void k(int *out, int far)
{
	out[threadIdx.x] = numbers[far];
}

int main()
{
	int *d, h[32];
	cudaMallocHost(&d, sizeof h);
	for (int i = 0; i < 32; i++)
		d[i] = 5;
	k<<<1, 32>>>(d, 100000);
	cudaError_t e = cudaDeviceSynchronize();
	printf("%d %s\n", d[0], cudaGetErrorString(e));
}
