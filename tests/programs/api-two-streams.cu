// Kernels of two streams run side by side: the first waits for the second. Memory is allocated meanwhile.
// out: the first saw 42
// out: 0 is the sum of what is new
#include <cstdio>

__global__ void waits(volatile int *flag, int *seen)
{
	while (*flag == 0)
		;
	*seen = *flag;
}

__global__ void sets(volatile int *flag)
{
	*flag = 42;
}

int main()
{
	int *d, *fresh, host[256], sum = 0;
	cudaStream_t a, b;
	cudaMalloc(&d, 2 * sizeof(int));
	cudaMemset(d, 0, 2 * sizeof(int));
	cudaDeviceSynchronize();
	cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
	cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
	waits<<<1, 1, 0, a>>>(d, d + 1);
	cudaMalloc(&fresh, sizeof host);
	cudaMemsetAsync(fresh, 0, sizeof host, b);
	sets<<<1, 1, 0, b>>>(d);
	cudaStreamSynchronize(a);
	cudaMemcpy(host, d, 2 * sizeof(int), cudaMemcpyDeviceToHost);
	printf("the first saw %d\n", host[1]);
	cudaMemcpy(host, fresh, sizeof host, cudaMemcpyDeviceToHost);
	for (int i = 0; i < 256; i++)
		sum += host[i];
	printf("%d is the sum of what is new\n", sum);
	cudaStreamDestroy(a);
	cudaStreamDestroy(b);
	return 0;
}
