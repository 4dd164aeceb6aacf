// fault: copy 7 the last 192 are past the end
#include <cstdio>
int main()
{
	int *d;
	cudaMalloc(&d, 64);
	cudaMemset(d, 0, 64 * sizeof(int));
	cudaFree(d);
	return 0;
}
