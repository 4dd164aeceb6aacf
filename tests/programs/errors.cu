// What calls return when they are used wrongly, and that it is remembered once.
// says: cudaSetDevice(1): there is 1 device; with SIMTTUTOR_DEVICES=2 in the environment there are 2
// out: 0 SMs missing
// out: cudaErrorInvalidValue: invalid argument
// out: no error
// out: out of memory
// out: invalid argument
// out: invalid device ordinal
// out: invalid argument
// says: nothing<<<1, 2000>>> is not launched: a block has 1024 threads at most
// says: cudaMemcpy: the source
// says: cudaFree(
#include <cstdio>

__global__ void nothing()
{
}

int main()
{
	cudaDeviceProp p;
	int sms, host[64], *d;
	cudaGetDeviceProperties(&p, 0);
	cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
	printf("%d SMs missing\n", sms - p.multiProcessorCount);
	nothing<<<1, 2000>>>();
	cudaError_t e = cudaGetLastError();
	printf("%s: %s\n%s\n", cudaGetErrorName(e), cudaGetErrorString(e), cudaGetErrorString(cudaGetLastError()));
	puts(cudaGetErrorString(cudaMalloc(&d, size_t(1) << 60)));
	cudaMalloc(&d, 64);
	puts(cudaGetErrorString(cudaMemcpy(host, d, 256, cudaMemcpyDeviceToHost)));
	puts(cudaGetErrorString(cudaSetDevice(1)));
	cudaFree(d);
	puts(cudaGetErrorString(cudaFree(d)));
	return 0;
}
