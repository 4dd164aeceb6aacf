// fault: kernel 15 line 10:
// check: all
#include <cstdio>
__global__ void sum(const int *p, int *out)
{
	__shared__ int tile[64];
	if (threadIdx.x < 32)
		tile[threadIdx.x] = p[threadIdx.x];
	__syncthreads();
	out[threadIdx.x] = tile[63 - threadIdx.x];
}
int main()
{
	int *p, *out; cudaMalloc(&p, 256), cudaMalloc(&out, 256), cudaMemset(p, 0, 256);
	sum<<<1, 64>>>(p, out);
	cudaDeviceSynchronize();
	cudaFree(p), cudaFree(out);
	return 0;
}
