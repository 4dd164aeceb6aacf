// fault: kernel 14 (line 9)
// check: all
#include <cstdio>
__global__ void reverse(int *p)
{
	__shared__ int tile[128];
	int t = threadIdx.x;
	tile[t] = p[t];
	p[t] = tile[127 - t];
}
int main()
{
	int *p; cudaMalloc(&p, 512); cudaMemset(p, 0, 512);
	reverse<<<1, 128>>>(p);
	cudaDeviceSynchronize();
	cudaFree(p);
	return 0;
}
