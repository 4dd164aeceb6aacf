#include <cstdio>

__device__ volatile int flag;
__global__ void spin() { while (!flag) ; }

int main()
{
	spin<<<1, 32>>>();
	printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
