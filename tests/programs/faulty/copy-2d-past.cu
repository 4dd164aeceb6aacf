// fault: copy 9 past the end
#include <cstdio>
int main()
{
	float h[8][16] = {};
	float *d;
	size_t pitch;
	cudaMallocPitch(&d, &pitch, sizeof h[0], 7);
	cudaMemcpy2D(d, pitch, h, sizeof h[0], sizeof h[0], 8, cudaMemcpyHostToDevice);
	cudaFree(d);
	return 0;
}
