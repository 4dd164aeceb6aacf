// fault: launch 12 more than a block may have
#include <cstdio>
__global__ void sum(float *p)
{
	extern __shared__ float tile[];
	tile[threadIdx.x] = p[threadIdx.x];
}
int main()
{
	float *p;
	cudaMalloc(&p, 256 * sizeof(float));
	sum<<<1, 256, 64 << 10>>>(p);
	cudaDeviceSynchronize();
	cudaFree(p);
	return cudaGetLastError() == cudaSuccess;
}
