// A copy from pageable memory, queued behind a kernel that still runs: what the program changes after the call is not copied.
// From pinned memory it is.
// out: pageable: 1 and 1000
// out: pinned: -1 and -1000
// out: done: no error
#include <cstdio>
#include <cstdlib>

__global__ void wait_for(volatile int *flag)
{
	while (*flag == 0)
		;
}

static const int n = 1000;

static void copy_and_change(const char *what, int *host, int *device, int *back, volatile int *flag)
{
	for (int i = 0; i < n; i++)
		host[i] = i + 1;
	*flag = 0;
	wait_for<<<1, 1>>>(const_cast<int *>(flag));
	cudaMemcpyAsync(device, host, n * sizeof(int), cudaMemcpyHostToDevice);
	for (int i = 0; i < n; i++)
		host[i] = -i - 1;
	*flag = 1;
	cudaMemcpy(back, device, n * sizeof(int), cudaMemcpyDeviceToHost);
	printf("%s: %d and %d\n", what, back[0], back[n - 1]);
}

int main()
{
	volatile int *flag;
	int *device, *pinned, *pageable = static_cast<int *>(malloc(n * sizeof(int))), back[n];
	cudaHostAlloc((void **)&flag, sizeof(int), cudaHostAllocMapped);
	cudaMallocHost(&pinned, n * sizeof(int));
	cudaMalloc(&device, n * sizeof(int));
	copy_and_change("pageable", pageable, device, back, flag);
	copy_and_change("pinned", pinned, device, back, flag);
	printf("done: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
	free(pageable);
	cudaFree(device);
	cudaFreeHost(pinned);
	cudaFreeHost((void *)flag);
	return 0;
}
