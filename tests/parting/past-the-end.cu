// A store past the end by the only block, and another fault after it.
#include <cstdio>

__global__ void k(int *a, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	a[i < n ? i : i + (1 << 20)] = i;
	__syncthreads();
	if (threadIdx.x < 8)
		__syncthreads();
	a[threadIdx.x % 16] = 7;
}

int main()
{
	int *d;
	cudaMalloc(&d, 20 * sizeof *d);
	k<<<1, 32>>>(d, 20);
	printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
	cudaFree(d);
}
