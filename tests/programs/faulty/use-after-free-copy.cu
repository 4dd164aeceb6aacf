// fault: copy 9 freed at use-after-free-copy.cu:8
#include <cstdio>
int main()
{
	int *p, h[32] = {0};
	cudaMalloc(&p, sizeof h);
	cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice);
	cudaFree(p);
	cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
	return 0;
}
