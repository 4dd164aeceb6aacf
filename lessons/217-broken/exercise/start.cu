// Multiplies the numbers 0 to n - 1 on the GPU, in two halves, and prints the last product and the sum of all.
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

extern "C" __global__ void scale(const int *in, int *out, const int *factor, size_t n)
{
	size_t i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = *factor * in[i];
}

int main(int argc, char **argv)
{
	size_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000;
	int factor = argc > 2 ? atoi(argv[2]) : 3, *words, *in, *out;

	cudaMalloc(&in, n * sizeof *in);
	cudaMalloc(&out, n * sizeof *out);
	cudaMallocHost(&words, n * sizeof *words);
	for (size_t i = 0; i < n; i++)
		words[i] = (int)i;

	cudaStream_t stream[2];
	for (int half = 0; half < 2; half++) {
		size_t first = half ? n / 2 : 0, count = half ? n - n / 2 : n / 2;
		cudaStreamCreate(&stream[half]);
		cudaMemcpyAsync(in + first, words + first, count * sizeof *in, cudaMemcpyHostToDevice, stream[half]);
		scale<<<1, count, 0, stream[half]>>>(in + first, out + first, &factor, count);
		cudaMemcpyAsync(words + first, out + first, count * sizeof *out, cudaMemcpyDeviceToHost, stream[half]);
	}

	printf("last %d\n", words[n - 1]);
	cudaStreamSynchronize(stream[0]);
	long long sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += words[i];
	printf("sum %lld\n", sum);

	for (int half = 0; half < 2; half++)
		cudaStreamDestroy(stream[half]);
	cudaFreeHost(words);
	cudaFree(out);
	cudaFree(in);
	return 0;
}
