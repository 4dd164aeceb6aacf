// Memory in the order of a stream, from the pool of the device and from one of the program's own.
// out: sum 499500
// out: used 0, at most 8192
// out: own pool: 4096 used
// out: too much: out of memory
// out: freed twice: invalid argument
// out: default pool destroyed: invalid argument
// says: cudaFreeAsync(
#include <cstdio>

__global__ void fill(int *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		p[i] = i;
}

__global__ void add(const int *p, int n, int *sum)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		atomicAdd(sum, p[i]);
}

int main()
{
	const int n = 1000;
	int *p, *sum, host = 0;
	cudaStream_t s;
	cudaMemPool_t pool, own;
	unsigned long long used, most;
	cudaStreamCreate(&s);
	cudaMallocAsync(&p, 4096, s);
	cudaMallocAsync(&sum, 4096, s);
	cudaMemsetAsync(sum, 0, sizeof *sum, s);
	fill<<<4, 256, 0, s>>>(p, n);
	add<<<4, 256, 0, s>>>(p, n, sum);
	cudaMemcpyAsync(&host, sum, sizeof host, cudaMemcpyDeviceToHost, s);
	cudaFreeAsync(p, s);
	cudaFreeAsync(sum, s);
	cudaStreamSynchronize(s);
	printf("sum %d\n", host);
	cudaDeviceGetDefaultMemPool(&pool, 0);
	cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used);
	cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &most);
	printf("used %llu, at most %llu\n", used, most);
	cudaMemPoolProps props = {};
	props.allocType = cudaMemAllocationTypePinned;
	props.location.type = cudaMemLocationTypeDevice;
	props.maxSize = 8192;
	cudaMemPoolCreate(&own, &props);
	cudaMallocFromPoolAsync(&p, 4096, own, s);
	cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemCurrent, &used);
	printf("own pool: %llu used\n", used);
	printf("too much: %s\n", cudaGetErrorString(cudaMallocFromPoolAsync(&sum, 8192, own, s)));
	cudaFreeAsync(p, s);
	printf("freed twice: %s\n", cudaGetErrorString(cudaFreeAsync(p, s)));
	cudaStreamSynchronize(s);
	cudaMemPoolDestroy(own);
	printf("default pool destroyed: %s\n", cudaGetErrorString(cudaMemPoolDestroy(pool)));
	cudaStreamDestroy(s);
	return 0;
}
