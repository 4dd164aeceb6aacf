// Kernels that launch kernels are not emulated: one sentence says so, and the launch returns an error.
// nvcc: -rdc=true
// clang-lacks: launches by kernels, as clang itself
// gpu: it can do that
// out: the launch: a PTX JIT compilation failed
// out: so of the other: a PTX JIT compilation failed
// says: kernel<<<>>> in a kernel (dynamic parallelism) is not emulated, and no kernel of its file can be launched
#include <cstdio>

__global__ void child(int *n)
{
	atomicAdd(n, 1);
}

__global__ void parent(int *n)
{
	child<<<1, 32>>>(n);
}

int main()
{
	int *n;
	cudaMalloc(&n, sizeof *n);
	parent<<<1, 1>>>(n);
	printf("the launch: %s\n", cudaGetErrorString(cudaGetLastError()));
	child<<<1, 1>>>(n);
	printf("so of the other: %s\n", cudaGetErrorString(cudaGetLastError()));
	cudaFree(n);
	return 0;
}
