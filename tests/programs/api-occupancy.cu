// Questions about occupancy: blocks on an SM, the block size for most of them, with shared memory by block size.
// out: 8
// out: 32
// out: 6
// out: 5
// out: 1024 1
// out: 1
// out: 1
// out: 512
// out: 1024
// out: 1024
// out: 1
// out: 32768 1024 1 1
#include <cstdio>
#include <cstdlib>
#define CHECK(call)                                                                                                    \
	do {                                                                                                           \
		cudaError_t error = (call);                                                                            \
		if (error != cudaSuccess) {                                                                            \
			printf("line %d: %s\n", __LINE__, cudaGetErrorString(error));                                  \
			exit(1);                                                                                       \
		}                                                                                                      \
	} while (0)
#include <cuda_runtime.h>
__global__ void a(float *p)
{
	p[threadIdx.x] = 1;
}
__global__ void s(float *p)
{
	extern __shared__ float x[];
	x[threadIdx.x] = 1;
	__syncthreads();
	p[threadIdx.x] = x[0];
}
__global__ void big(float *p)
{
	__shared__ float x[8192];
	x[threadIdx.x] = 1;
	__syncthreads();
	p[threadIdx.x] = x[0];
}
struct F {
	size_t operator()(int b) const
	{
		return b * sizeof(float) * 16;
	}
};
size_t fn(int b)
{
	return b * 4;
}
int main()
{
	int n;
	CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, a, 256, 0));
	printf("%d\n", n);
	CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, a, 32, 0));
	printf("%d\n", n);
	CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, big, 128, 0));
	printf("%d\n", n);
	CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&n, s, 256, 40000, cudaOccupancyDefault));
	printf("%d\n", n);
	int g, b;
	CHECK(cudaOccupancyMaxPotentialBlockSize(&g, &b, a, 0, 0));
	printf("%d %d\n", b, g > 0);
	CHECK(cudaOccupancyMaxPotentialBlockSize(&g, &b, a, 0, 100));
	printf("%d\n", b <= 100);
	CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&g, &b, s, F()));
	printf("%d\n", b > 0);
	CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&g, &b, s, fn, 512));
	printf("%d\n", b);
	CHECK(cudaOccupancyMaxPotentialBlockSizeWithFlags(&g, &b, a, 0, 0, cudaOccupancyDefault));
	printf("%d\n", b);
	CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
		&g, &b, s, [](int x) { return (size_t)x; }, 0, 0));
	printf("%d\n", b);
	size_t d;
	CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&d, s, 2, 128));
	printf("%d\n", d > 40000);
	cudaFuncAttributes fa;
	CHECK(cudaFuncGetAttributes(&fa, big));
	printf("%zu %d %d %d\n", fa.sharedSizeBytes, fa.maxThreadsPerBlock, fa.ptxVersion > 0, fa.binaryVersion > 0);
	CHECK(cudaFuncSetCacheConfig(s, cudaFuncCachePreferShared));
	CHECK(cudaFuncSetAttribute(s, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared));
	return 0;
}
