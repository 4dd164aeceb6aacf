// fault: copy 13 the direction of the copy says
#include <cstdio>
__global__ void set(int *p)
{
	p[threadIdx.x] = 1;
}
int main()
{
	int *d, h[32];
	cudaMalloc(&d, sizeof h);
	set<<<1, 32>>>(d);
	cudaDeviceSynchronize();
	cudaMemcpy(d, h, sizeof h, cudaMemcpyDeviceToHost);
	cudaFree(d);
	return 0;
}
