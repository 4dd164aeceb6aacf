// After fork the child cannot use CUDA, and says so; the parent goes on.
// out: child: initialization error
// out: parent: no error, 5
#include <cstdio>
#include <sys/wait.h>
#include <unistd.h>

__global__ void five(int *d)
{
	*d = 5;
}

int main()
{
	int *d, host = 0;
	cudaMalloc(&d, sizeof(int));
	five<<<1, 1>>>(d);
	pid_t child = fork();
	if (!child) {
		printf("child: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
		fflush(stdout);
		return 0;
	}
	waitpid(child, nullptr, 0);
	cudaError_t error = cudaDeviceSynchronize();
	cudaMemcpy(&host, d, sizeof(int), cudaMemcpyDeviceToHost);
	printf("parent: %s, %d\n", cudaGetErrorString(error), host);
	return 0;
}
