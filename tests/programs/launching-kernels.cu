// Kernels that launch kernels are not emulated: a sentence says so where one is launched, itself or one whose function does, and the call returns an
// error. The other kernels of the file run.
// nvcc: -rdc=true
// clang-lacks: launches by kernels, as clang itself
// gpu: it can do that
// out: the launch: operation not supported
// out: by a function: operation not supported
// out: the other: no error, 33
// says: parent<<<1, 1>>> is not launched: kernel<<<>>> in a kernel (dynamic parallelism) is not emulated
// says: grandparent<<<1, 1>>> is not launched: kernel<<<>>> in a kernel (dynamic parallelism) is not emulated
#include <cstdio>

__global__ void child(int *n)
{
	atomicAdd(n, 1);
}

__global__ void parent(int *n)
{
	child<<<1, 32>>>(n);
}

__device__ __noinline__ int launches(int *n)
{
	child<<<1, 32>>>(n);
	return *n;
}

__global__ void grandparent(int *n)
{
	*n = launches(n) + 1;
}

int main()
{
	int *n, h;
	cudaMalloc(&n, sizeof *n);
	cudaMemset(n, 0, sizeof *n);
	parent<<<1, 1>>>(n);
	printf("the launch: %s\n", cudaGetErrorString(cudaGetLastError()));
	grandparent<<<1, 1>>>(n);
	printf("by a function: %s\n", cudaGetErrorString(cudaGetLastError()));
	child<<<1, 33>>>(n);
	cudaMemcpy(&h, n, sizeof h, cudaMemcpyDeviceToHost);
	printf("the other: %s, %d\n", cudaGetErrorString(cudaGetLastError()), h);
	cudaFree(n);
	return 0;
}
