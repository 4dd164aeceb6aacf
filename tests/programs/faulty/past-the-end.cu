// fault: kernel 13 line 7:
// fault: kernel 13 past the end of 4000 bytes that were allocated at past-the-end.cu:12
#include <cstdio>
__global__ void fill(int *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	p[i] = i; // no test of n
}
int main()
{
	int *p;
	cudaMalloc(&p, 1000 * sizeof(int));
	fill<<<4, 256>>>(p, 1000);
	if (cudaDeviceSynchronize() != cudaSuccess)
		return cudaGetLastError() == cudaSuccess;
	cudaFree(p);
	return 0;
}
