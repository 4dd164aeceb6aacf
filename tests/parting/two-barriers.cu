// Whole warps come to different barriers of the source: a GPU counts arrivals and goes on.
#include <cstdio>

__global__ void k(int *out)
{
	__shared__ int s[96];
	int t = threadIdx.x;
	if (t < 64) {
		s[t] = t;
		__syncthreads();
		out[t] = s[95 - t];
	} else {
		s[t] = 2 * t;
		__syncthreads();
		out[t] = s[95 - t];
	}
}

int main()
{
	int *d, h[96];
	cudaMalloc(&d, sizeof h);
	k<<<1, 96>>>(d);
	cudaError_t e = cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	printf("%d %d %s\n", h[0], h[95], cudaGetErrorString(e));
	cudaFree(d);
}
