// Multiplies the numbers 0 to n - 1 on the GPU, in two halves, and prints the last product and the sum of all.
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

extern "C" __global__ void scale(const int *in, int *out, int factor, size_t n)
{
	size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = factor * in[i];
}

static void check(cudaError_t error)
{
	if (error == cudaSuccess)
		return;
	printf("%s\n", cudaGetErrorString(error));
	exit(0);
}

int main(int argc, char **argv)
{
	size_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000;
	int factor = argc > 2 ? atoi(argv[2]) : 3, *words, *in, *out;

	check(cudaMalloc(&in, n * sizeof *in));
	check(cudaMalloc(&out, n * sizeof *out));
	check(cudaMallocHost(&words, n * sizeof *words));
	for (size_t i = 0; i < n; i++)
		words[i] = (int)i;

	cudaStream_t stream[2];
	for (int half = 0; half < 2; half++) {
		size_t first = half ? n / 2 : 0, count = half ? n - n / 2 : n / 2;
		check(cudaStreamCreate(&stream[half]));
		check(cudaMemcpyAsync(in + first, words + first, count * sizeof *in, cudaMemcpyHostToDevice, stream[half]));
		scale<<<(unsigned)((count + 255) / 256), 256, 0, stream[half]>>>(in + first, out + first, factor, count);
		check(cudaGetLastError());
		check(cudaMemcpyAsync(words + first, out + first, count * sizeof *out, cudaMemcpyDeviceToHost, stream[half]));
	}

	check(cudaStreamSynchronize(stream[0]));
	check(cudaStreamSynchronize(stream[1]));
	printf("last %d\n", words[n - 1]);
	long long sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += words[i];
	printf("sum %lld\n", sum);

	for (int half = 0; half < 2; half++)
		check(cudaStreamDestroy(stream[half]));
	check(cudaFreeHost(words));
	check(cudaFree(out));
	check(cudaFree(in));
	return 0;
}
