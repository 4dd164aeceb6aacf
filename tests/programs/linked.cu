// Device code of two files that is linked: functions, variables and constants of one are used in the other, and some have the same name.
// with: linked-part.cu
// nvcc: -rdc=true
// clang: -rdc=true
// out: 1005 1108 1211 1314
// out: by pointer: 49 64 81 100
// out: largest: 9 of int, 2.5 of double
// out: counted 8, of both
#include <cstdio>
#include "linked.h"

static __device__ int bias = 5;
static __device__ __noinline__ int own(int v) { return v + bias; }

__global__ void first(int *out)
{
	out[threadIdx.x] = own(shift(threadIdx.x)) + table[threadIdx.x];
	atomicAdd(&counter, 1);
}

__global__ void second(int *out, int which)
{
	out[threadIdx.x] = operations[which](threadIdx.x + 7);
	atomicAdd(&counter, 1);
}

__global__ void third(int *i, double *d)
{
	*i = largest<int>(4, 9);
	*d = largest<double>(2.5, -1);
}

int main()
{
	int *out, host[4], count, i;
	double *d, most;
	fill_table();
	cudaMalloc(&out, sizeof host);
	cudaMalloc(&d, sizeof most);
	first<<<1, 4>>>(out);
	cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
	printf("%d %d %d %d\n", host[0], host[1], host[2], host[3]);
	second<<<1, 4>>>(out, 1);
	cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
	printf("by pointer: %d %d %d %d\n", host[0], host[1], host[2], host[3]);
	third<<<1, 1>>>(out, d);
	cudaMemcpy(&i, out, sizeof i, cudaMemcpyDeviceToHost);
	cudaMemcpy(&most, d, sizeof most, cudaMemcpyDeviceToHost);
	printf("largest: %d of int, %g of double\n", i, most);
	cudaMemcpyFromSymbol(&count, counter, sizeof count);
	printf("counted %d, of both\n", count);
	cudaFree(out);
	cudaFree(d);
	return 0;
}
