// fault: copy 7 the direction of the copy says
#include <cstdio>
int main()
{
	int *d, h[16] = {0};
	cudaMalloc(&d, sizeof h);
	cudaMemcpy(d, h, sizeof h, cudaMemcpyDeviceToHost);
	cudaFree(d);
	return 0;
}
