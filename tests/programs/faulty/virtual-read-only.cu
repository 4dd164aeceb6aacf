// fault: kernel 31 which may only be read (cuMemSetAccess)
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <dlfcn.h>
#define CALL(name) ((decltype(&name))dlsym(dlopen("libcuda.so.1", RTLD_NOW), #name))

__global__ void fill(int *p)
{
	p[threadIdx.x] = 1;
}

int main()
{
	cudaFree(0);
	CUdeviceptr at;
	CUmemGenericAllocationHandle memory;
	CUmemAllocationProp p;
	CUmemAccessDesc access;
	memset(&p, 0, sizeof p);
	memset(&access, 0, sizeof access);
	p.type = CU_MEM_ALLOCATION_TYPE_PINNED;
	p.location.type = access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
	access.flags = CU_MEM_ACCESS_FLAGS_PROT_READ;
	size_t unit = 2 << 20;
	CALL(cuMemAddressReserve)(&at, unit, 0, 0, 0);
	CALL(cuMemCreate)(&memory, unit, &p, 0);
	CALL(cuMemMap)(at, unit, 0, memory, 0);
	CALL(cuMemSetAccess)(at, unit, &access, 1);

	fill<<<1, 32>>>((int *)at);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error == cudaSuccess;
}
