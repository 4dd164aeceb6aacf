// A program that ends without waiting: what its kernel printed is lost, and a kernel that waits for the host ends with it.
// says: the program ended without waiting for its kernels: the 12 bytes that they printed
// says: waits<<<1, 1>>>: it had not ended when the program or the device did
// out: main is over
// status: 3
#include <cstdio>
#include <cstdlib>

__global__ void hello()
{
	printf("hello, host\n");
}

__global__ void waits(volatile int *flag)
{
	while (*flag == 0)
		;
}

int main()
{
	volatile int *flag;
	cudaMallocHost((void **)&flag, sizeof(int));
	*flag = 0;
	hello<<<1, 1>>>();
	waits<<<1, 1>>>(flag);
	puts("main is over");
	exit(3);
}
