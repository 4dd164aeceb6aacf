// fault: leak 10 4096 bytes
#include <cstdio>
__global__ void set(int *p)
{
	p[threadIdx.x] = 1;
}
int main()
{
	int *p, *q;
	cudaMalloc(&p, 4096);
	cudaMalloc(&q, 4096);
	set<<<1, 32>>>(p);
	set<<<1, 32>>>(q);
	cudaDeviceSynchronize();
	cudaFree(q);
	return 0;
}
