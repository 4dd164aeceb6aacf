// Two source files, each with kernels and variables of its own of the same names, which the other cannot see.
// with: two-files-part.cu
// out: here 5, there 42
// out: both again: here 6, there 44
#include <cstdio>

int there(int value);

static __device__ int state = 4;

static __global__ void step(int *out, int by)
{
	state += by;
	*out = state;
}

static int here(int by)
{
	int *d, h;
	cudaMalloc(&d, sizeof h);
	step<<<1, 1>>>(d, by);
	cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
	cudaFree(d);
	return h;
}

int main()
{
	int a = here(1), b = there(1);
	printf("here %d, there %d\n", a, b);
	a = here(1);
	b = there(1);
	printf("both again: here %d, there %d\n", a, b);
}
