// A program for an older GPU than the one that runs it: what is asked of its kernels says both.
// clang: -arch=compute_75
// out: compiled for 75, runs on 90
// out: 496
#include <cstdio>
__global__ void sum(int *out)
{
	atomicAdd(out, (int)threadIdx.x);
}
int main()
{
	cudaFuncAttributes a;
	cudaFuncGetAttributes(&a, sum);
	printf("compiled for %d, runs on %d\n", a.ptxVersion, a.binaryVersion);
	int *out, n = 0;
	cudaMalloc(&out, sizeof n);
	cudaMemset(out, 0, sizeof n);
	sum<<<1, 32>>>(out);
	cudaMemcpy(&n, out, sizeof n, cudaMemcpyDeviceToHost);
	printf("%d\n", n);
	cudaFree(out);
}
