// Managed variables: initial values, arrays, structures, static ones, and what the host writes to.
// out: before: 7 0 1.5 10 20 30
// out: kernel: 12 3 3 11 22 33
// out: host and kernel in turns: 1 3 7 15
// out: by address: 30, and the type is 3
// out: copied: 99 1
#include <cstdio>

struct part {
	int *p;
	float f;
};

__managed__ int counter = 7;
__device__ __managed__ int list[3] = {10, 20, 30};
__managed__ part parts = {nullptr, 1.5f};
static __managed__ long hidden;
__device__ int plain = 2;

__global__ void change()
{
	counter += 5;
	hidden = plain + 1;
	parts.f *= plain;
	for (int i = 0; i < 3; i++)
		list[i] += i + 1;
}

__global__ void twice()
{
	counter = 2 * counter + 1;
}

__global__ void through(int *out)
{
	*out = *parts.p - 3;
}

int main()
{
	printf("before: %d %ld %g %d %d %d\n", counter, hidden, parts.f, list[0], list[1], list[2]);
	parts.p = &list[2];
	change<<<1, 1>>>();
	cudaDeviceSynchronize();
	printf("kernel: %d %ld %g %d %d %d\n", counter, hidden, parts.f, list[0], list[1], list[2]);
	printf("host and kernel in turns:");
	counter = 0;
	for (int i = 0; i < 4; i++) {
		twice<<<1, 1>>>();
		cudaDeviceSynchronize();
		printf(" %d", counter);
	}
	int *out;
	cudaMallocManaged(&out, sizeof *out);
	through<<<1, 1>>>(out);
	cudaDeviceSynchronize();
	cudaPointerAttributes attributes;
	cudaPointerGetAttributes(&attributes, &counter);
	printf("\nby address: %d, and the type is %d\n", *out, (int)attributes.type);
	int value = 99;
	cudaMemcpy(&counter, &value, sizeof value, cudaMemcpyDefault);
	cudaMemset(&hidden, 0, sizeof hidden);
	cudaDeviceSynchronize();
	printf("copied: %d %d\n", counter, hidden == 0);
	cudaFree(out);
	return 0;
}
