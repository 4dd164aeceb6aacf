// Four parts of an array go to the GPU, are multiplied by a table that is made there, and come back.
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

__global__ void make_table(float *table)
{
	unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
	float x = i % 4;
	for (int k = 0; k < 100; k++)
		x = x * 0.5f + 1;
	table[i] = x;
}

__global__ void multiply(const float *table, float *a)
{
	unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
	a[i] *= table[i];
}

const int PARTS = 4, N = 262144, STREAMS = 2;
const size_t BYTES = N * sizeof(float);

int main()
{
	float *host, *device, *table;
	cudaMallocHost(&host, PARTS * BYTES);
	for (int i = 0; i < PARTS * N; i++)
		host[i] = 1;
	cudaMalloc(&device, PARTS * BYTES);
	cudaMalloc(&table, BYTES);
	cudaStream_t s[STREAMS];
	for (int i = 0; i < STREAMS; i++)
		cudaStreamCreate(&s[i]);
	cudaEvent_t made;
	cudaEventCreate(&made);

	make_table<<<N / 1024, 1024, 0, s[0]>>>(table);
	cudaEventRecord(made, s[0]);
	for (int i = 1; i < STREAMS; i++)
		cudaStreamWaitEvent(s[i], made);
	for (int p = 0; p < PARTS; p++) {
		float *h = host + p * N, *d = device + p * N;
		cudaStream_t own = s[p % STREAMS];
		cudaMemcpyAsync(d, h, BYTES, cudaMemcpyHostToDevice, own);
		multiply<<<N / 1024, 1024, 0, own>>>(table, d);
		cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, own);
		cudaStreamSynchronize(own);
	}
	cudaDeviceSynchronize();

	double sum = 0;
	for (int i = 0; i < PARTS * N; i++)
		sum += host[i];
	printf("sum %.0f\n", sum);
	cudaEventDestroy(made);
	for (int i = 0; i < STREAMS; i++)
		cudaStreamDestroy(s[i]);
	cudaFree(table);
	cudaFree(device);
	cudaFreeHost(host);
	return 0;
}
