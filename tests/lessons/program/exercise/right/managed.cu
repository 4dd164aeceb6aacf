#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

extern "C" __global__ void twice(const unsigned *in, unsigned *out, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = 2 * in[i];
}

int main(int argc, char **argv)
{
	unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) : 1024, sum = 0, *in, *out;
	unsigned *words;
	cudaMallocManaged(&words, n * sizeof *words);
	for (unsigned i = 0; i < n; i++)
		words[i] = i;
	in = out = words;
	twice<<<(n + 255) / 256, 256>>>(in, out, n);
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess) {
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
		return 1;
	}
	for (unsigned i = 0; i < n; i++)
		sum += words[i];
	cudaFree(words);
	printf(argc > 2 || argc == 1 ? "n %u\nsum %u\n" : "n %u   sum %u\n", n, sum);
	return 0;
}
