// What is said of a lock, of a value that two threads store alike, and of printf(): -D BARE has the lock without its fences.
#include <cstdio>
#ifdef BARE
#define FENCE()
#else
#define FENCE() __threadfence_block()
#endif
__global__ void locked(const int *in, int *out)
{
	__shared__ int lock, sum;
	if (threadIdx.x == 0)
		lock = sum = 0;
	__syncthreads();
	for (bool done = false; !done;)
		if (atomicCAS(&lock, 0, 1) == 0) {
			FENCE();
			sum += in[threadIdx.x];
			FENCE();
			atomicExch(&lock, 0);
			done = true;
		}
	__syncthreads();
	if (threadIdx.x == 0)
		*out = sum;
}
__global__ void alike(const int *in, int *out)
{
	for (int i = threadIdx.x % 32; i < 40; i += 32)
		out[i] = in[i] + 1;
	if (threadIdx.x == 0)
		printf("%d and %d\n", out[1], in[33]);
}
int main()
{
	int *in, *out, sum = 0;
	cudaMalloc(&in, 256);
	cudaMalloc(&out, 256);
	cudaMemset(in, 1, 256);
	locked<<<1, 64>>>(in, out);
	cudaMemcpy(&sum, out, 4, cudaMemcpyDeviceToHost);
	alike<<<1, 64>>>(in, out);
	printf("%x %s\n", sum, cudaGetErrorString(cudaDeviceSynchronize()));
	cudaFree(in);
	cudaFree(out);
}
