// fault: unwritten 14 that nothing has written
#include <cstdio>
__global__ void fill(float *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		p[i] = 1;
}
static float host[1000];
int main(int argc, char **)
{
	float *d;
	cudaMalloc(&d, sizeof host);
	if (argc > 1) fill<<<4, 256>>>(d, 1000); cudaMemcpy(host, d, sizeof host, cudaMemcpyDeviceToHost);
	cudaFree(d);
	return 0;
}
