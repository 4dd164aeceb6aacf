// An error of a kernel is found when something waits, and stays; functions of the program are not called after it, callbacks are.
// says: api-sticky.cu:13: out of bounds: a 4-byte store
// out: launched: no error
// out: callback: an illegal memory access was encountered
// out: stream: an illegal memory access was encountered
// out: again: an illegal memory access was encountered
// out: last: an illegal memory access was encountered, an illegal memory access was encountered
// out: malloc: an illegal memory access was encountered
#include <cstdio>

__global__ void broken(int *p)
{
	p[1 << 20] = 1;
}

static void CUDART_CB callback(cudaStream_t, cudaError_t error, void *)
{
	printf("callback: %s\n", cudaGetErrorString(error));
}

static void CUDART_CB function(void *)
{
	puts("called after an error");
}

int main()
{
	int *d;
	cudaStream_t s;
	cudaStreamCreate(&s);
	cudaMalloc(&d, 4);
	broken<<<1, 1, 0, s>>>(d);
	printf("launched: %s\n", cudaGetErrorString(cudaGetLastError()));
	cudaLaunchHostFunc(s, function, nullptr);
	cudaStreamAddCallback(s, callback, nullptr, 0);
	printf("stream: %s\n", cudaGetErrorString(cudaStreamSynchronize(s)));
	printf("again: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
	cudaError_t last = cudaGetLastError();
	printf("last: %s, %s\n", cudaGetErrorString(last), cudaGetErrorString(cudaGetLastError()));
	printf("malloc: %s\n", cudaGetErrorString(cudaMalloc(&d, 4)));
	return 0;
}
