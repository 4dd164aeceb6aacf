// Kernels that use what malloc gives, the stack, variables and constants of the host, and count with the host, as with HMM.
// out: the device reaches pageable memory: 1
// out: from malloc: 4950
// out: from the stack: 14850
// out: from a constant: 10
// out: counted by both: 5096
// out: stored to a constant: an illegal memory access was encountered
// says: which may only be read
// pageable: yes
// gpu: it needs a device that reaches pageable memory
#include <cstdio>
#include <cstdlib>

static const int constants[4] = {1, 2, 3, 4};

__global__ void sum(const int *p, int n, int *out)
{
	int s = 0;
	for (int i = 0; i < n; i++)
		s += p[i];
	*out = s;
}

__global__ void count(int *p, int n)
{
	for (int i = 0; i < n; i++)
		atomicAdd_system(p, 1);
}

__global__ void store(int *p)
{
	*p = 1;
}

int main()
{
	int can = 0, stack[100];
	cudaDeviceGetAttribute(&can, cudaDevAttrPageableMemoryAccess, 0);
	printf("the device reaches pageable memory: %d\n", can);
	int *p = (int *)malloc(100 * sizeof *p), *out = (int *)malloc(sizeof *out), *counter = (int *)calloc(1, sizeof *counter);
	for (int i = 0; i < 100; i++)
		stack[i] = 3 * (p[i] = i);
	sum<<<1, 1>>>(p, 100, out);
	cudaDeviceSynchronize();
	printf("from malloc: %d\n", *out);
	sum<<<1, 1>>>(stack, 100, out);
	cudaDeviceSynchronize();
	printf("from the stack: %d\n", *out);
	sum<<<1, 1>>>(constants, 4, out);
	cudaDeviceSynchronize();
	printf("from a constant: %d\n", *out);
	count<<<16, 64>>>(counter, 4);
	for (int i = 0; i < 1000; i++)
		__atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
	cudaDeviceSynchronize();
	printf("counted by both: %d\n", *counter);
	store<<<1, 1>>>((int *)constants);
	printf("stored to a constant: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
	free(p);
	free(out);
	free(counter);
	return 0;
}
