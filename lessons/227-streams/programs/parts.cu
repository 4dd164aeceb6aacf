// Four parts of an array go to the GPU, are worked on, and come back.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <cuda_runtime.h>

__global__ void work(float *a)
{
	unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
	float x = a[i];
	for (int k = 0; k < 100; k++)
		x = x * 0.5f + 1;
	a[i] = x;
}

const int PARTS = 4, N = 262144;
const size_t BYTES = N * sizeof(float);

// arguments: how many streams; whether the host's memory is pinned; which stream has the third part: 0 its own, 1 the default stream
int main(int argc, char **argv)
{
	int streams = argc > 1 ? atoi(argv[1]) : 1;
	bool pinned = argc > 2 ? atoi(argv[2]) : true, third = argc > 3 ? atoi(argv[3]) : false;
	float *host, *device;
	if (pinned)
		cudaMallocHost(&host, PARTS * BYTES);
	else
		host = (float *)malloc(PARTS * BYTES);
	memset(host, 0, PARTS * BYTES);
	cudaMalloc(&device, PARTS * BYTES);
	cudaStream_t s[4];
	for (int i = 0; i < streams; i++)
		cudaStreamCreate(&s[i]);

	for (int p = 0; p < PARTS; p++) {
		float *h = host + p * N, *d = device + p * N;
		cudaStream_t own = third && p == 2 ? 0 : s[p % streams];
		cudaMemcpyAsync(d, h, BYTES, cudaMemcpyHostToDevice, own);
		work<<<N / 1024, 1024, 0, own>>>(d);
		cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, own);
	}
	cudaDeviceSynchronize();
	printf("the last is %g\n", host[PARTS * N - 1]);

	for (int i = 0; i < streams; i++)
		cudaStreamDestroy(s[i]);
	cudaFree(device);
	if (pinned)
		cudaFreeHost(host);
	else
		free(host);
	return 0;
}
