#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

extern "C" __global__ void twice(const unsigned *in, unsigned *out, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i <= n)
		out[i] = 2 * in[i];
}

int main(int argc, char **argv)
{
	unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) : 1024, sum = 0, *in, *out;
	std::vector<unsigned> words(n);
	for (unsigned i = 0; i < n; i++)
		words[i] = i;
	cudaMalloc(&in, n * sizeof *in);
	cudaMalloc(&out, n * sizeof *out);
	cudaMemcpy(in, words.data(), n * sizeof *in, cudaMemcpyHostToDevice);
	twice<<<(n + 255) / 256, 256>>>(in, out, n);
	cudaError_t error = cudaMemcpy(words.data(), out, n * sizeof *out, cudaMemcpyDeviceToHost);
	if (error != cudaSuccess) {
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
		return 1;
	}
	for (unsigned word : words)
		sum += word;
	cudaFree(in);
	cudaFree(out);
	printf(argc > 2 || argc == 1 ? "n %u\nsum %u\n" : "n %u   sum %u\n", n, sum);
	return 0;
}
