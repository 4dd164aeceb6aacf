// fault: kernel 12 line 6:
// fault: kernel 12 allocated at before-the-beginning.cu:11
#include <cstdio>
__global__ void smooth(float *p)
{
	p[threadIdx.x] = p[(int)threadIdx.x - 1];
}
int main()
{
	float *p;
	cudaMalloc(&p, 128);
	smooth<<<1, 32>>>(p);
	cudaDeviceSynchronize();
	cudaGetLastError();
	return 0;
}
