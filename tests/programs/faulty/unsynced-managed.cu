// The host reads managed memory that a kernel may still be writing to: nothing waits for the kernel.
// fault: unsynchronized 20 fill<<<1, 64>>>
// fault: unsynchronized 20 256 bytes that were allocated at unsynced-managed.cu:16
#include <cstdio>

__global__ void fill(int *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		p[i] = i;
}

int main()
{
	int *p, sum = 0;
	cudaMallocManaged(&p, 64 * sizeof(int));
	fill<<<1, 64>>>(p, 64);
	fill<<<1, 64>>>(p, 64);
	for (int i = 0; i < 64; i++)
		sum += p[i];
	cudaDeviceSynchronize();
	for (int i = 0; i < 64; i++)
		sum += p[i];
	cudaFree(p);
	return sum < 0;
}
