// Virtual memory: a vector that grows by mapping more behind itself, one memory at two places, and memory that is passed on as a descriptor.
// out: grown: 1048576 numbers, the same address, sum 549755289600
// out: two places: 21 21
// out: retained: the same, 2097152 bytes apart
// out: not mapped any more: invalid argument
// out: imported: 31, of device 0, type 1
// out: a descriptor that is none: invalid argument
// out: reserved and mapped: invalid argument, then no error
// clang: -lcuda
// nvcc: -lcuda
// says: descriptor 0 is not memory that a program exported with simttutor
// says: no 64 bytes that are allocated
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>
#include <unistd.h>

__global__ void fill(int *p, int n, int base)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		p[i] = base + i;
}

__global__ void add(const int *p, int n, unsigned long long *sum)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		atomicAdd(sum, (unsigned long long)p[i]);
}

static CUmemAllocationProp properties(CUmemAllocationHandleType type)
{
	CUmemAllocationProp p;
	memset(&p, 0, sizeof p);
	p.type = CU_MEM_ALLOCATION_TYPE_PINNED;
	p.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
	p.requestedHandleTypes = type;
	return p;
}

static void map(CUdeviceptr at, size_t bytes, CUmemGenericAllocationHandle memory)
{
	CUmemAccessDesc access = {{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
	if (cuMemMap(at, bytes, 0, memory, 0) || cuMemSetAccess(at, bytes, &access, 1))
		printf("not mapped\n");
}

static const char *text(CUresult error)
{
	return error == CUDA_ERROR_INVALID_VALUE ? "invalid argument" : error ? "another error" : "no error";
}

struct vector {
	CUdeviceptr at;
	size_t bytes, reserved, unit;
};

static void grow(vector *v)
{
	CUmemAllocationProp p = properties(CU_MEM_HANDLE_TYPE_NONE);
	CUmemGenericAllocationHandle memory;
	cuMemCreate(&memory, v->unit, &p, 0);
	map(v->at + v->bytes, v->unit, memory);
	cuMemRelease(memory);
	v->bytes += v->unit;
}

int main()
{
	cudaFree(0);
	CUmemAllocationProp p = properties(CU_MEM_HANDLE_TYPE_NONE), shared = properties(CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
	size_t unit = 0;
	cuMemGetAllocationGranularity(&unit, &p, CU_MEM_ALLOC_GRANULARITY_MINIMUM);

	/* a vector */
	vector v = {0, 0, 4 * unit, unit};
	cuMemAddressReserve(&v.at, v.reserved, 0, 0, 0);
	unsigned long long *sum, host = 0;
	cudaMalloc(&sum, sizeof *sum);
	cudaMemset(sum, 0, sizeof *sum);
	grow(&v);
	int n = (int)(v.bytes / sizeof(int));
	fill<<<(n + 255) / 256, 256>>>((int *)v.at, n, 0);
	CUdeviceptr before = v.at;
	grow(&v);
	fill<<<(n + 255) / 256, 256>>>((int *)v.at + n, n, n);
	n = (int)(v.bytes / sizeof(int));
	add<<<(n + 255) / 256, 256>>>((int *)v.at, n, sum);
	cudaMemcpy(&host, sum, sizeof host, cudaMemcpyDeviceToHost);
	printf("grown: %d numbers, %s address, sum %llu\n", n, before == v.at ? "the same" : "another", host);

	/* two places */
	CUmemGenericAllocationHandle memory, other;
	CUdeviceptr two;
	int out[2];
	cuMemCreate(&memory, unit, &p, 0);
	cuMemAddressReserve(&two, 2 * unit, 0, 0, 0);
	map(two, unit, memory);
	map(two + unit, unit, memory);
	fill<<<1, 32>>>((int *)two, 32, 21);
	cudaMemcpy(&out[0], (void *)two, sizeof(int), cudaMemcpyDeviceToHost);
	cudaMemcpy(&out[1], (void *)(two + unit), sizeof(int), cudaMemcpyDeviceToHost);
	printf("two places: %d %d\n", out[0], out[1]);
	cuMemRetainAllocationHandle(&other, (void *)(two + unit + 64));
	printf("retained: %s, %zu bytes apart\n", other == memory ? "the same" : "another", unit);
	cuMemRelease(other);
	cuMemRelease(memory);
	cuMemUnmap(two, unit);
	printf("not mapped any more: %s\n", cudaGetErrorString(cudaMemset((void *)two, 0, 64)));

	/* a descriptor */
	int file = -1;
	CUdeviceptr a, b;
	CUmemAllocationProp got;
	cuMemCreate(&memory, unit, &shared, 0);
	cuMemExportToShareableHandle(&file, memory, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0);
	cuMemImportFromShareableHandle(&other, (void *)(size_t)file, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
	close(file);
	cuMemAddressReserve(&a, unit, 0, 0, 0);
	cuMemAddressReserve(&b, unit, 0, 0, 0);
	map(a, unit, memory);
	map(b, unit, other);
	fill<<<1, 32>>>((int *)a, 32, 31);
	cudaMemcpy(&out[0], (void *)b, sizeof(int), cudaMemcpyDeviceToHost);
	cuMemGetAllocationPropertiesFromHandle(&got, other);
	printf("imported: %d, of device %d, type %d\n", out[0], got.location.id, (int)got.type);
	printf("a descriptor that is none: %s\n",
		text(cuMemImportFromShareableHandle(&other, (void *)0, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)));

	printf("reserved and mapped: %s", text(cuMemAddressFree(v.at, v.reserved)));
	cuMemUnmap(v.at, v.bytes);
	printf(", then %s\n", text(cuMemAddressFree(v.at, v.reserved)));
	cudaFree(sum);
	return 0;
}
