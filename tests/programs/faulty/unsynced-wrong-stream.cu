// The host waits for one stream and reads what a kernel of another writes.
// fault: unsynchronized 24 fill<<<1, 64>>>
#include <cstdio>

__global__ void fill(int *p, int value)
{
	p[threadIdx.x] = value;
}

int main()
{
	int *a, *b, sum = 0;
	cudaStream_t first, second;
	cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
	cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
	cudaMallocManaged(&a, 64 * sizeof(int));
	cudaMallocManaged(&b, 64 * sizeof(int));
	fill<<<1, 64, 0, first>>>(a, 1);
	fill<<<1, 64, 0, second>>>(b, 2);
	cudaStreamSynchronize(first);
	for (int i = 0; i < 64; i++)
		sum += a[i];
	for (int i = 0; i < 64; i++)
		sum += b[i];
	cudaStreamSynchronize(second);
	cudaFree(a);
	cudaFree(b);
	cudaStreamDestroy(first);
	cudaStreamDestroy(second);
	return sum < 0;
}
