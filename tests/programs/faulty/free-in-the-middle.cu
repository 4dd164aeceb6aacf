// fault: free 7 16 bytes into 256 bytes that were allocated at free-in-the-middle.cu:6
#include <cstdio>
int main()
{
	int *p;
	cudaMalloc(&p, 256);
	cudaFree(p + 4);
	cudaFree(p);
	return 0;
}
