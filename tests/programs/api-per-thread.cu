// Compiled with a default stream for each thread: one thread's kernel waits for that of the other.
// nvcc: --default-stream per-thread
// clang: -default-stream per-thread
// out: both ended
#include <cstdio>
#include <thread>

__global__ void waits(volatile int *flag)
{
	while (*flag == 0)
		;
}

__global__ void sets(volatile int *flag)
{
	*flag = 1;
}

int main()
{
	int *flag;
	cudaMallocManaged(&flag, sizeof(int));
	*flag = 0;
	waits<<<1, 1>>>(flag);
	std::thread other([=] {
		sets<<<1, 1>>>(flag);
		cudaStreamSynchronize(0);
	});
	cudaStreamSynchronize(cudaStreamPerThread);
	other.join();
	puts(*flag == 1 ? "both ended" : "flag lost");
	return 0;
}
