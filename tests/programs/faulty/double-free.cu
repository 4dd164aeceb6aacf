// fault: free 8 freed at double-free.cu:7
#include <cstdio>
int main()
{
	int *p;
	cudaMalloc(&p, 64);
	cudaFree(p);
	cudaFree(p);
	return 0;
}
