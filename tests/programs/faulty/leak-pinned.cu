// fault: leak 6 pinned
#include <cstdio>
int main()
{
	float *h;
	cudaMallocHost(&h, 1 << 16);
	h[0] = 1;
	cudaDeviceSynchronize();
	return 0;
}
