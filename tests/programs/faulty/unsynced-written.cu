// The host changes managed memory that a kernel may still read.
// fault: unsynchronized 20 reads
#include <cstdio>

__global__ void sum(const int *from, int *to)
{
	atomicAdd(to, from[threadIdx.x]);
}

int main()
{
	int *from, *to;
	cudaMallocManaged(&from, 64 * sizeof(int));
	cudaMallocManaged(&to, sizeof(int));
	for (int i = 0; i < 64; i++)
		from[i] = i;
	*to = 0;
	sum<<<1, 64>>>(from, to);
	for (int i = 0; i < 64; i++)
		from[i] = 0;
	cudaDeviceSynchronize();
	printf("%s\n", *to >= 0 ? "done" : "wrong");
	cudaFree(from);
	cudaFree(to);
	return 0;
}
