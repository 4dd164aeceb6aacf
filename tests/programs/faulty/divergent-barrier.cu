// fault: kernel 15 line 7:
#include <cstdio>
__global__ void half(int *p)
{
	if (threadIdx.x < 48) {
		p[threadIdx.x] = 1;
		__syncthreads();
	}
	p[threadIdx.x] += 1;
}
int main()
{
	int *p;
	cudaMalloc(&p, 256);
	half<<<1, 64>>>(p);
	cudaDeviceSynchronize();
	cudaGetLastError();
	return 0;
}
