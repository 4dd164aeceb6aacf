// What kernels print comes in its order, and stands where it belongs in what the host prints.
// gpu: blocks print in any order there
// out: before
// out: block 0, lane 0: 0.5 a
// out: block 0, lane 1: 1.5 b
// out: block 1, lane 0: 0.5 a
// out: block 1, lane 1: 1.5 b
// out: after
#include <cstdio>

__global__ void say()
{
	printf("block %d, lane %u: %.1f %c\n", blockIdx.x, threadIdx.x, threadIdx.x + 0.5, 'a' + threadIdx.x);
}

int main()
{
	puts("before");
	say<<<2, 2>>>();
	cudaDeviceSynchronize();
	puts("after");
}
