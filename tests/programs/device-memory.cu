// Memory and clock are those of the GPU that the device stands for.
// out: 139 GiB, 1980000 kHz
// out: 143155 MiB in all, free: at most that
// out: 64 MiB less: 1
// out: more than all: out of memory
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

int main(int argc, char **argv)
{
	cudaDeviceProp device;
	int khz = 0;
	size_t before, after, total;
	char *p;
	cudaGetDeviceProperties(&device, 0);
	cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0);
	cudaMemGetInfo(&before, &total);
	printf("%zu GiB, %d kHz\n", device.totalGlobalMem >> 30, khz);
	printf("%zu MiB in all, free: %s\n", total >> 20, before <= total ? "at most that" : "more");
	cudaMalloc(&p, 64 << 20);
	cudaMemGetInfo(&after, &total);
	printf("64 MiB less: %d\n", before - after == 64 << 20);
	/* An argument asks for almost all, which this machine may not have. */
	size_t bytes = argc > 1 ? total - (128 << 20) : total + 1;
	printf("more than all: %s\n", cudaGetErrorString(cudaMalloc((void **)&argv, bytes)));
	cudaGetLastError();
	cudaFree(p);
}
