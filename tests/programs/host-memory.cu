// Memory of the host beside the device's, in any order, much of it, by several processes and threads at once.
// out: 1000 1000
// out: 16777216
// out: registered: no error, invalid argument, invalid argument
// out: forked: 0 of 20 children used the device
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

__global__ void increment(int *values)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	atomicAdd(&values[i], 1);
}

// Managed memory before and after that of the device.
static void in_turn()
{
	int *managed[10], *device[10], sum = 0, sum_of_device = 0;
	for (int i = 0; i < 10; i++) {
		cudaMallocManaged(&managed[i], 100 * sizeof(int));
		cudaMalloc(&device[i], 100 * sizeof(int));
		cudaMemset(device[i], 0, 100 * sizeof(int));
	}
	for (int i = 0; i < 10; i++) {
		increment<<<1, 100>>>(managed[i]);
		increment<<<1, 100>>>(device[i]);
		int copy[100];
		cudaMemcpy(copy, device[i], sizeof copy, cudaMemcpyDeviceToHost);
		for (int k = 0; k < 100; k++) {
			sum += managed[i][k];
			sum_of_device += copy[k];
		}
	}
	printf("%d %d\n", sum, sum_of_device);
}

static void much()
{
	int n = 1 << 24, *values, sum = 0;
	cudaMallocManaged(&values, n * sizeof(int));
	increment<<<n / 256, 256>>>(values);
	cudaDeviceSynchronize();
	for (int i = 0; i < n; i++)
		sum += values[i];
	printf("%d\n", sum);
	cudaFree(values);
}

static void registered()
{
	char *pages = (char *)mmap(nullptr, 12288, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	munmap(pages + 4096, 4096);
	printf("registered: %s, ", cudaGetErrorString(cudaHostRegister(pages, 4096, 0)));
	printf("%s, ", cudaGetErrorString(cudaHostRegister(pages + 8192 - 4, 8, 0)));
	mprotect(pages + 8192, 4096, PROT_READ);
	printf("%s\n", cudaGetErrorString(cudaHostRegister(pages + 8192, 4096, 0)));
	cudaGetLastError();
}

// While another thread's kernel runs.
static void forked()
{
	int *values, status = 0;
	cudaMallocManaged(&values, 65536 * sizeof(int));
	std::thread busy([=] {
		for (int i = 0; i < 20; i++)
			increment<<<256, 256>>>(values);
	});
	fflush(stdout);
	for (int i = 0; i < 20; i++) {
		pid_t child = fork();
		if (!child) {
			alarm(60);
			_exit(cudaDeviceSynchronize() != cudaErrorInitializationError);
		}
		int ended;
		waitpid(child, &ended, 0);
		status += ended != 0;
	}
	busy.join();
	printf("forked: %d of 20 children used the device\n", status);
}

int main()
{
	in_turn();
	much();
	registered();
	forked();
}
