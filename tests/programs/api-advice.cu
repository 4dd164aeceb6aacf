// Managed memory: prefetches, advice, and what can be asked of both; what is discarded counts as never written.
// out: 0 wrong
// out: read mostly 1, preferred 0, prefetched -1
// out: accessed by 0 -1
// out: not managed: invalid argument
// out: no such device: invalid device ordinal
// out: discarded: no error
// out: in the legacy stream: invalid argument
#include <cstdio>

__global__ void twice(int *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		p[i] *= 2;
}

int main()
{
	const int n = 1000;
	const size_t bytes = n * sizeof(int);
	int *p, *d, wrong = 0, mostly, preferred, prefetched, by[2] = {9, 9};
	cudaMemLocation gpu = {cudaMemLocationTypeDevice, 0}, cpu = {cudaMemLocationTypeHost, 0};
	cudaMallocManaged(&p, bytes);
	cudaMalloc(&d, bytes);
	for (int i = 0; i < n; i++)
		p[i] = i;
	cudaMemAdvise(p, bytes, cudaMemAdviseSetReadMostly, gpu);
	cudaMemAdvise(p, bytes, cudaMemAdviseSetPreferredLocation, gpu);
	cudaMemAdvise(p, bytes, cudaMemAdviseSetAccessedBy, gpu);
	cudaMemPrefetchAsync(p, bytes, gpu, 0, 0);
	twice<<<4, 256>>>(p, n);
	cudaMemPrefetchAsync(p, bytes, cpu, 0, 0);
	cudaDeviceSynchronize();
	for (int i = 0; i < n; i++)
		wrong += p[i] != 2 * i;
	printf("%d wrong\n", wrong);
	cudaMemRangeGetAttribute(&mostly, 4, cudaMemRangeAttributeReadMostly, p, bytes);
	cudaMemRangeGetAttribute(&preferred, 4, cudaMemRangeAttributePreferredLocation, p, bytes);
	cudaMemRangeGetAttribute(&prefetched, 4, cudaMemRangeAttributeLastPrefetchLocation, p, bytes);
	printf("read mostly %d, preferred %d, prefetched %d\n", mostly, preferred, prefetched);
	cudaMemAdvise(p, bytes, cudaMemAdviseUnsetAccessedBy, gpu);
	cudaMemAdvise(p, bytes, cudaMemAdviseSetAccessedBy, gpu);
	cudaMemRangeGetAttribute(by, sizeof by, cudaMemRangeAttributeAccessedBy, p, bytes);
	printf("accessed by %d %d\n", by[0], by[1] == -2 ? -1 : by[1]);
	printf("not managed: %s\n", cudaGetErrorString(cudaMemPrefetchAsync(d, bytes, gpu, 0, 0)));
	gpu.id = 7;
	printf("no such device: %s\n", cudaGetErrorString(cudaMemPrefetchAsync(p, bytes, gpu, 0, 0)));
	void *ranges[] = {p};
	size_t sizes[] = {bytes};
	cudaStream_t stream;
	cudaStreamCreate(&stream);
	printf("discarded: %s\n", cudaGetErrorString(cudaMemDiscardBatchAsync(ranges, sizes, 1, 0, stream)));
	printf("in the legacy stream: %s\n", cudaGetErrorString(cudaMemDiscardBatchAsync(ranges, sizes, 1, 0, 0)));
	cudaDeviceSynchronize();
	cudaFree(p);
	cudaFree(d);
	return 0;
}
