// fault: kernel 12 line 6:
#include <cassert>
#include <cstdio>
__global__ void check(int n)
{
	assert((int)threadIdx.x < n);
}

int main()
{
	check<<<1, 16>>>(16);
	check<<<1, 32>>>(16);
	cudaDeviceSynchronize();
	cudaGetLastError();
	return 0;
}
