// A copy into pinned memory that the host reads before it has waited for the stream.
// fault: unsynchronized 22 a copy, asked for at unsynced-copy.cu:21
#include <cstdio>

__global__ void square(int *p)
{
	p[threadIdx.x] *= p[threadIdx.x];
}

int main()
{
	int *host, *p, first, last;
	cudaStream_t stream;
	cudaStreamCreate(&stream);
	cudaMallocHost(&host, 128 * sizeof(int));
	for (int i = 0; i < 128; i++)
		host[i] = i;
	cudaMalloc(&p, 128 * sizeof(int));
	cudaMemcpyAsync(p, host, 128 * sizeof(int), cudaMemcpyHostToDevice, stream);
	square<<<1, 128, 0, stream>>>(p);
	cudaMemcpyAsync(host, p, 128 * sizeof(int), cudaMemcpyDeviceToHost, stream);
	first = host[1];
	cudaStreamSynchronize(stream);
	last = host[127];
	cudaFree(p);
	cudaFreeHost(host);
	cudaStreamDestroy(stream);
	return first + last < 0;
}
