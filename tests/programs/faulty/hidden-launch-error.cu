// fault: launch 12 a block has 1024 threads at most
// fault: unasked error 12 cudaErrorInvalidValue
#include <cstdio>
__global__ void set(int *p)
{
	p[threadIdx.x] = 1;
}
int main()
{
	int *d, h[32] = {0};
	cudaMalloc(&d, 2048 * sizeof(int));
	set<<<1, 2048>>>(d);
	cudaMemset(d, 0, sizeof h);
	cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	cudaFree(d);
	return 0;
}
