// fault: host access 12 128 bytes that were allocated at host-reads-device.cu:9
// status: 139
#include <cstdio>
__global__ void set(int *p)
{ p[threadIdx.x] = 3; }
int main()
{
	int *d;
	cudaMalloc(&d, 128);
	set<<<1, 32>>>(d);
	cudaDeviceSynchronize();
	printf("%d\n", d[0]);
	return 0;
}
