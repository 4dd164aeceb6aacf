// A barrier in a condition that holds for whole warps, but not for the block. With LOOP: warps leave a loop at different rounds.
// RETURN: the others have returned, which is right.
#include <cstdio>

__global__ void k(int *out)
{
	int v = threadIdx.x;
#if defined LOOP
	for (int i = 0; i <= threadIdx.x / 32; i++) {
		__syncthreads();
		v++;
	}
#elif defined RETURN
	if (threadIdx.x >= 32) {
		out[threadIdx.x] = v;
		return;
	}
	__syncthreads();
	v++;
#else
	if (threadIdx.x < 32) {
		__syncthreads();
		v++;
	}
#endif
	out[threadIdx.x] = v;
}

int main()
{
	int *d, h[64];
	cudaMalloc(&d, sizeof h);
	k<<<1, 64>>>(d);
	cudaError_t e = cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	printf("%d %d %s\n", h[0], h[63], cudaGetErrorString(e));
	cudaFree(d);
}
