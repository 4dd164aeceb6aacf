// Memory of the host that is registered, wherever it lies: on the stack, in the heap, and static.
// out: stack 3, heap 3, static 3
// out: registered twice: part or all of the requested memory range is already mapped
// out: further on: invalid argument
// out: not registered: pointer does not correspond to a registered memory region
// out: on the device 3
#include <cstdio>
#include <cstdlib>

__global__ void three(int *a, int *b, int *c, int *d)
{
	*a = *b = *c = *d = 3;
}

static int fixed[1024];

int main()
{
	int stack[1024] = {0}, *heap = (int *)calloc(1 << 20, sizeof(int)), *early, *late, host;
	cudaMalloc(&early, 4);
	cudaHostRegister(stack, sizeof stack, cudaHostRegisterMapped);
	cudaHostRegister(heap, 4096, cudaHostRegisterDefault);
	cudaHostRegister(fixed, sizeof fixed, cudaHostRegisterDefault);
	cudaMalloc(&late, 4);
	three<<<1, 1>>>(stack, heap, fixed, late);
	cudaDeviceSynchronize();
	printf("stack %d, heap %d, static %d\n", stack[0], heap[0], fixed[0]);
	printf("registered twice: %s\n", cudaGetErrorString(cudaHostRegister(stack, 16, 0)));
	printf("further on: %s\n", cudaGetErrorString(cudaHostUnregister(stack + 1)));
	printf("not registered: %s\n", cudaGetErrorString(cudaHostUnregister(&host)));
	cudaMemcpy(&host, late, 4, cudaMemcpyDeviceToHost);
	printf("on the device %d\n", host);
	cudaHostUnregister(stack);
	cudaHostUnregister(heap);
	cudaHostUnregister(fixed);
	free(heap);
	return 0;
}
