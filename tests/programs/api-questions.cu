// What a program asks about kernels, limits, streams and the device.
// out: 512 bytes shared, 128 threads at most, 40 bytes of constants
// out: 1: 16 blocks; with 100 KiB: 0; after asking: 2
// out: block size 128
// out: parameter 1 at 8, 4 bytes
// out: no parameter 2: invalid argument
// out: heap 8388608, then 16777216
// out: a limit that is none: invalid argument
// out: priority -3, policy 4
// out: bus 0000:00:00.0 is device 0
// out: flags 12
// out: peers: can 1, again: peer access is already enabled, itself: invalid device ordinal
// out: copied 7
// out: driver: 1
// out: named _Z4workPfi
// devices: 2
#include <cstdio>
#include <cuda_profiler_api.h>

__constant__ float table[10];

__global__ void __launch_bounds__(128) work(float *p, int n)
{
	__shared__ float tile[128];
	extern __shared__ float more[];
	tile[threadIdx.x] = table[threadIdx.x % 10];
	more[threadIdx.x] = tile[127 - threadIdx.x];
	__syncthreads();
	if ((int)threadIdx.x < n)
		p[threadIdx.x] = more[threadIdx.x];
}

static void kernels()
{
	cudaFuncAttributes a;
	int few, none, asked, grid, block;
	size_t offset, size;
	const char *name;
	cudaFuncGetAttributes(&a, work);
	printf("%zu bytes shared, %d threads at most, %zu bytes of constants\n", a.sharedSizeBytes, a.maxThreadsPerBlock,
		a.constSizeBytes);
	cudaOccupancyMaxActiveBlocksPerMultiprocessor(&few, work, 128, 0);
	cudaOccupancyMaxActiveBlocksPerMultiprocessor(&none, work, 128, 100 << 10);
	cudaFuncSetAttribute(work, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10);
	cudaOccupancyMaxActiveBlocksPerMultiprocessor(&asked, work, 128, 100 << 10);
	printf("1: %d blocks; with 100 KiB: %d; after asking: %d\n", few, none, asked);
	cudaOccupancyMaxPotentialBlockSize(&grid, &block, work, 0, 0);
	printf("block size %d\n", block);
	cudaFuncGetParamInfo((const void *)work, 1, &offset, &size);
	printf("parameter 1 at %zu, %zu bytes\n", offset, size);
	printf("no parameter 2: %s\n", cudaGetErrorString(cudaFuncGetParamInfo((const void *)work, 2, &offset, &size)));
	cudaFuncGetName(&name, (const void *)work);
	cudaGetLastError();
}

int main()
{
	size_t before, after;
	kernels();
	cudaDeviceGetLimit(&before, cudaLimitMallocHeapSize);
	cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20);
	cudaDeviceGetLimit(&after, cudaLimitMallocHeapSize);
	printf("heap %zu, then %zu\n", before, after);
	printf("a limit that is none: %s\n", cudaGetErrorString(cudaDeviceGetLimit(&after, (cudaLimit)99)));

	cudaStream_t s, t;
	cudaStreamAttrValue v = {}, w = {};
	cudaStreamCreate(&s);
	cudaStreamCreate(&t);
	v.priority = -3;
	cudaStreamSetAttribute(s, cudaStreamAttributePriority, &v);
	v.syncPolicy = cudaSyncPolicyBlockingSync;
	cudaStreamSetAttribute(s, cudaStreamAttributeSynchronizationPolicy, &v);
	cudaStreamCopyAttributes(t, s);
	cudaStreamGetAttribute(t, cudaStreamAttributePriority, &v);
	cudaStreamGetAttribute(t, cudaStreamAttributeSynchronizationPolicy, &w);
	printf("priority %d, policy %d\n", v.priority, (int)w.syncPolicy);

	char bus[32];
	int device = -1, can = -1, back = 0, *a, *b, seven = 7;
	unsigned int flags;
	cudaDeviceGetPCIBusId(bus, sizeof bus, 0);
	cudaDeviceGetByPCIBusId(&device, bus);
	printf("bus %s is device %d\n", bus, device);
	cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync);
	cudaGetDeviceFlags(&flags);
	printf("flags %u\n", flags);
	cudaDeviceCanAccessPeer(&can, 0, 1);
	cudaDeviceEnablePeerAccess(1, 0);
	cudaError_t again = cudaDeviceEnablePeerAccess(1, 0), itself = cudaDeviceEnablePeerAccess(0, 0);
	printf("peers: can %d, again: %s, itself: %s\n", can, cudaGetErrorString(again), cudaGetErrorString(itself));
	cudaMalloc(&a, 4);
	cudaSetDevice(1);
	cudaMalloc(&b, 4);
	cudaSetDevice(0);
	cudaMemcpy(a, &seven, 4, cudaMemcpyHostToDevice);
	cudaMemcpyPeer(b, 1, a, 0, 4);
	cudaMemcpy(&back, b, 4, cudaMemcpyDeviceToHost);
	printf("copied %d\n", back);
	void *entry = &entry;
	cudaDriverEntryPointQueryResult found;
	cudaGetDriverEntryPointByVersion("cuNoSuchFunction", &entry, 13000, cudaEnableDefault, &found);
	printf("driver: %d\n", (int)found);
	const char *name;
	cudaFuncGetName(&name, (const void *)work);
	printf("named %s\n", name);
	cudaProfilerStart();
	cudaProfilerStop();
	return 0;
}
