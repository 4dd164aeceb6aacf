// Masks of 0, and one that does not name half of the lanes that are there: undefined, and no fault of a GPU. An H200 (driver 580.159.04,
// 2026-11-29) has all lanes take part that are there together, and prints what this is tested for.
#include <cstdio>

__global__ void k(unsigned *out, unsigned zero, unsigned half)
{
	unsigned t = threadIdx.x, v = 100 + t;
	out[t] = __shfl_xor_sync(zero, v, 1);
	out[32 + t] = __ballot_sync(zero, t & 1);
	out[64 + t] = __any_sync(zero, 1);
	out[96 + t] = __shfl_xor_sync(half, v, 16);
	__syncwarp(half);
	out[128 + t] = 2;
}

int main()
{
	unsigned *d, h[160];
	cudaMalloc(&d, sizeof h);
	k<<<1, 32>>>(d, 0, 0xffff);
	cudaError_t e = cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	printf("%u %u %#x %u %u %u %u %s\n", h[0], h[1], h[32], h[64], h[96], h[127], h[159], cudaGetErrorString(e));
	cudaFree(d);
}
