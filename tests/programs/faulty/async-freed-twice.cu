// fault: free 8 freed before
#include <cstdio>
int main()
{
	int *d;
	cudaMallocAsync(&d, 64, 0);
	cudaFreeAsync(d, 0);
	cudaFreeAsync(d, 0);
	return cudaDeviceSynchronize();
}
