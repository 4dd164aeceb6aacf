// A shuffle whose mask names lanes that do not come, or which reads lanes that the mask does not name: undefined, and no fault of a GPU.
#include <cstdio>

__global__ void k(int *out)
{
	int v = threadIdx.x;
#ifdef MASKED
	unsigned m = __ballot_sync(0xffffffffu, threadIdx.x < 16);
#else
	const unsigned m = 0xffffffffu;
#endif
	if (threadIdx.x < 16) {
		for (int d = 1; d <= 8; d <<= 1)
			v += __shfl_down_sync(m, v, d);
	}
#ifdef BARRIER
	__syncthreads();
#endif
	out[threadIdx.x] = v;
}

int main()
{
	int *d, h[32];
	cudaMalloc(&d, sizeof h);
	k<<<1, 32>>>(d);
	cudaError_t e = cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	printf("%d %d %s\n", h[0], h[31], cudaGetErrorString(e));
	cudaFree(d);
}
