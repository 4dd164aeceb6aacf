// A kernel that runs while the host goes on: it answers what the host writes into mapped memory.
// out: 1 squared is 1
// out: 2 squared is 4
// out: 3 squared is 9
// out: done: no error
#include <cstdio>

__global__ void answer(volatile int *question, volatile int *reply)
{
	for (int n = 1; n <= 3; n++) {
		while (question[0] != n)
			;
		reply[1] = question[1] * question[1];
		__threadfence_system();
		reply[0] = n;
	}
}

int main()
{
	volatile int *host;
	int *device;
	cudaHostAlloc((void **)&host, 4 * sizeof(int), cudaHostAllocMapped);
	cudaHostGetDevicePointer((void **)&device, (void *)host, 0);
	for (int i = 0; i < 4; i++)
		host[i] = 0;
	answer<<<1, 1>>>(device, device + 2);
	for (int n = 1; n <= 3; n++) {
		host[1] = n;
		__sync_synchronize();
		host[0] = n;
		while (host[2] != n)
			;
		printf("%d squared is %d\n", n, host[3]);
	}
	printf("done: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
	cudaFreeHost((void *)host);
	return 0;
}
