// All 32 lanes execute __syncwarp() with the same mask, at two places; some end there.
#include <cstdio>

__global__ void k(int *out)
{
	int t = threadIdx.x;
	if (t < 4) {
		out[t] = 1;
		__syncwarp();
		out[t] += out[t + 32];
		asm volatile("exit;");
	}
	out[t + 28] = 2;
	__syncwarp();
	out[t + 64] = 3;
}

int main()
{
	int *d, h[128];
	cudaMalloc(&d, sizeof h);
	cudaMemset(d, 0, sizeof h);
	k<<<1, 32>>>(d);
	cudaError_t e = cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	printf("%d %d %d %s\n", h[0], h[32], h[68], cudaGetErrorString(e));
	cudaFree(d);
}
