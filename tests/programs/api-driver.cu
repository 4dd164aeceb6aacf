// The driver and the runtime in one program: memory, kernels, streams and contexts of one are good in calls of the other.
// out: a primary context, of device 0, active 1
// out: the driver's memory in a kernel of the runtime: 1 2 3 4
// out: a kernel of the runtime, launched by the driver: 11 12 13 14
// out: the runtime copies what the driver made: 21 23 25 27
// out: the runtime knows its address: type 2
// out: 4 MiB more
// out: the driver's error 1 leaves the runtime's: no error
// out: freed by the runtime: no error
// out: a name that is none: 1
// clang: -lcuda
// nvcc: -lcuda
#include <cstdio>
#include <cstdint>
#include <cuda_runtime.h>

extern "C" {
int cuCtxGetCurrent(void **);
int cuCtxGetDevice(int *);
int cuDevicePrimaryCtxGetState(int, unsigned *, int *);
int cuDevicePrimaryCtxRetain(void **, int);
int cuMemAlloc_v2(uint64_t *, size_t);
int cuMemFree_v2(uint64_t);
int cuMemGetInfo_v2(size_t *, size_t *);
int cuMemcpyDtoDAsync_v2(uint64_t, uint64_t, size_t, void *);
}
typedef int launcher(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);

__global__ void add(int *p, int value) { p[threadIdx.x] += value + threadIdx.x; }

static void print(const char *what, const int *p)
{
	int out[4];
	cudaMemcpy(out, p, sizeof out, cudaMemcpyDeviceToHost);
	printf("%s: %d %d %d %d\n", what, out[0], out[1], out[2], out[3]);
}

int main()
{
	cudaFree(0);
	void *current, *primary;
	int device = -1, active = 0;
	unsigned flags;
	cuCtxGetCurrent(&current);
	cuDevicePrimaryCtxRetain(&primary, 0);
	cuCtxGetDevice(&device);
	cuDevicePrimaryCtxGetState(0, &flags, &active);
	printf("a%s context, of device %d, active %d\n", current && current == primary ? " primary" : "nother", device, active);

	uint64_t memory;
	cuMemAlloc_v2(&memory, 16);
	int *p = (int *)memory;
	cudaMemset(p, 0, 16);
	add<<<1, 4>>>(p, 1);
	print("the driver's memory in a kernel of the runtime", p);

	void *entry = nullptr;
	cudaDriverEntryPointQueryResult found;
	cudaFunction_t function;
	cudaStream_t stream;
	cudaGetDriverEntryPointByVersion("cuLaunchKernel", &entry, 12000, cudaEnableDefault, &found);
	cudaGetFuncBySymbol(&function, (const void *)add);
	cudaStreamCreate(&stream);
	int value = 9;
	cudaMemset(p, 0, 16);
	int ones[] = {2, 2, 2, 2};
	cudaMemcpy(p, ones, sizeof ones, cudaMemcpyHostToDevice);
	void *args[] = {&p, &value};
	((launcher *)entry)(function, 1, 1, 1, 4, 1, 1, 0, stream, args, nullptr);
	cudaStreamSynchronize(stream);
	print("a kernel of the runtime, launched by the driver", p);

	uint64_t other;
	cuMemAlloc_v2(&other, 16);
	value = 10;
	((launcher *)entry)(function, 1, 1, 1, 4, 1, 1, 0, stream, args, nullptr);
	cuMemcpyDtoDAsync_v2(other, memory, 16, stream);
	cudaStreamSynchronize(stream);
	print("the runtime copies what the driver made", (int *)other);
	cudaPointerAttributes attributes;
	cudaPointerGetAttributes(&attributes, (void *)other);
	printf("the runtime knows its address: type %d\n", (int)attributes.type);
	size_t before, after, total;
	cudaMemGetInfo(&before, &total);
	int *more;
	cudaMalloc(&more, 4 << 20);
	cuMemGetInfo_v2(&after, &total);
	printf("%s\n", before - after >= 4 << 20 ? "4 MiB more" : "no more");
	cudaFree(more);
	int error = cuMemAlloc_v2(&memory, 0);
	printf("the driver's error %d leaves the runtime's: %s\n", error, cudaGetErrorString(cudaGetLastError()));
	printf("freed by the runtime: %s\n", cudaGetErrorString(cudaFree((void *)other)));
	cuMemFree_v2((uint64_t)p);
	cudaStreamDestroy(stream);
	cudaGetDriverEntryPointByVersion("cuNoSuchFunction", &entry, 12000, cudaEnableDefault, &found);
	printf("a name that is none: %d\n", (int)found);
	return 0;
}
