// The legacy default stream waits for blocking streams, and they for it; what does not block goes ahead.
// out: the stream was busy: device not ready
// out: the copy of the default stream saw 1000
// out: 7 from the stream that does not block
#include <cstdio>

__global__ void count(int *n)
{
	for (int i = 0; i < 1000; i++)
		atomicAdd(n, 1);
}

__global__ void waits(volatile int *flag)
{
	while (*flag == 0)
		;
}

__global__ void sets(int *n, int value)
{
	*n = value;
}

int main()
{
	int *d, host = 0;
	volatile int *flag;
	cudaStream_t blocking, other;
	cudaStreamCreate(&blocking);
	cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
	cudaMalloc(&d, 2 * sizeof(int));
	cudaMemset(d, 0, 2 * sizeof(int));
	cudaMallocHost((void **)&flag, sizeof(int));
	*flag = 0;
	cudaDeviceSynchronize();
	waits<<<1, 1, 0, blocking>>>(flag);
	count<<<1, 1, 0, blocking>>>(d);
	printf("the stream was busy: %s\n", cudaGetErrorString(cudaStreamQuery(blocking)));
	sets<<<1, 1, 0, other>>>(d + 1, 7);
	cudaStreamSynchronize(other);
	*flag = 1;
	cudaMemcpy(&host, d, sizeof host, cudaMemcpyDeviceToHost);
	printf("the copy of the default stream saw %d\n", host);
	cudaMemcpy(&host, d + 1, sizeof host, cudaMemcpyDeviceToHost);
	printf("%d from the stream that does not block\n", host);
	return 0;
}
