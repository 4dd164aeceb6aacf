// Functions of the program in the order of their streams, while a kernel waits for one of them.
// out: callback: no error
// out: host function 1
// out: not permitted: operation not permitted
// out: the kernel went on
// out: host function 2
#include <cstdio>

static volatile int *flag;

__global__ void waits(volatile int *flag)
{
	while (*flag == 0)
		;
	printf("the kernel went on\n");
}

static void CUDART_CB callback(cudaStream_t, cudaError_t error, void *)
{
	printf("callback: %s\n", cudaGetErrorString(error));
}

static void CUDART_CB function(void *data)
{
	printf("host function %d\n", *(int *)data);
	if (*(int *)data == 1) {
		printf("not permitted: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
		*flag = 1;
	}
}

int main()
{
	int one = 1, two = 2;
	cudaStream_t a, b;
	cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
	cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
	cudaMallocHost((void **)&flag, sizeof(int));
	*flag = 0;
	waits<<<1, 1, 0, a>>>(flag);
	cudaLaunchHostFunc(a, function, &two);
	cudaStreamAddCallback(b, callback, nullptr, 0);
	cudaLaunchHostFunc(b, function, &one);
	cudaStreamSynchronize(a);
	return 0;
}
