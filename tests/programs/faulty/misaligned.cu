// fault: kernel 12 line 6:
#include <cstdio>
__global__ void load(const char *p, float4 *out)
{
	const float4 *v = (const float4 *)(p + 4);
	out[threadIdx.x] = v[threadIdx.x];
}
int main()
{
	char *p; float4 *out;
	cudaMalloc(&p, 1024), cudaMalloc(&out, 1024), cudaMemset(p, 0, 1024);
	load<<<1, 32>>>(p, out);
	cudaDeviceSynchronize();
	cudaGetLastError();
	return 0;
}
