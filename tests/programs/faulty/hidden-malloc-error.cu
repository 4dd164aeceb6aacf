// fault: unasked error 7 cudaErrorMemoryAllocation
#include <cstdio>
static int h[16];
int main()
{
	int *d = nullptr, *e;
	cudaMalloc(&d, (size_t)1 << 42);
	cudaMalloc(&e, sizeof h);
	cudaMemcpy(e, h, sizeof h, cudaMemcpyHostToDevice);
	cudaFree(e);
	return 0;
}
