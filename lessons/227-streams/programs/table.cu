// One stream makes a table; another works with it.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <cuda_runtime.h>

__global__ void fill(float *table)
{
	unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
	float x = i;
	for (int k = 0; k < 600; k++)
		x = x * 0.5f + 1;
	table[i] = x;
}

__global__ void use(const float *table, float *a)
{
	unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
	a[i] += table[i];
}

const int N = 32768;
const size_t BYTES = N * sizeof(float);

// argument: how the table is waited for: 0 not at all, 1 by an event, 2 by the host
int main(int argc, char **argv)
{
	int how = argc > 1 ? atoi(argv[1]) : 1;
	float *host, *device, *table;
	cudaMallocHost(&host, BYTES);
	memset(host, 0, BYTES);
	cudaMalloc(&device, BYTES);
	cudaMalloc(&table, BYTES);
	cudaStream_t makes, uses;
	cudaStreamCreate(&makes);
	cudaStreamCreate(&uses);
	cudaEvent_t e;
	cudaEventCreate(&e);

	fill<<<N / 1024, 1024, 0, makes>>>(table);
	if (how == 1)
		cudaEventRecord(e, makes);
	if (how == 2)
		cudaDeviceSynchronize();
	cudaMemcpyAsync(device, host, BYTES, cudaMemcpyHostToDevice, uses);
	if (how == 1)
		cudaStreamWaitEvent(uses, e);
	use<<<N / 1024, 1024, 0, uses>>>(table, device);
	cudaMemcpyAsync(host, device, BYTES, cudaMemcpyDeviceToHost, uses);
	cudaDeviceSynchronize();
	printf("the last is %g\n", host[N - 1]);

	cudaEventDestroy(e);
	cudaStreamDestroy(makes);
	cudaStreamDestroy(uses);
	cudaFree(device);
	cudaFree(table);
	cudaFreeHost(host);
	return 0;
}
