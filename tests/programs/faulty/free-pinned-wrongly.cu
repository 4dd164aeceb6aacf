// fault: free 7 it is to be freed by another function
#include <cstdio>
int main()
{
	int *h;
	cudaMallocHost(&h, 256);
	cudaFree(h);
	cudaFreeHost(h);
	return 0;
}
