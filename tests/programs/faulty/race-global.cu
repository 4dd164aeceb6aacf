// fault: kernel 12 line 6:
// check: all
#include <cstdio>
__global__ void count(const int *p, int *bins)
{
	bins[p[blockIdx.x * blockDim.x + threadIdx.x] % 4]++;
}
int main()
{
	int *p, *bins;
	cudaMalloc(&p, 1024), cudaMalloc(&bins, 16), cudaMemset(p, 0, 1024), cudaMemset(bins, 0, 16);
	count<<<4, 64>>>(p, bins);
	cudaDeviceSynchronize();
	cudaFree(p), cudaFree(bins);
	return 0;
}
