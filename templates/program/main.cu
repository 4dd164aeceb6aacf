// A whole CUDA program: it adds two arrays on the GPU and checks the sum. `make run` runs it; `make check` has simttutor look at what
// its kernel and its host code do, without a GPU; `make debug` steps its first launch.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

// Every call of the runtime returns an error, which one has to look at.
static void check(cudaError_t error, const char *what)
{
	if (error == cudaSuccess)
		return;
	fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
	exit(1);
}

__global__ void add(const float *a, const float *b, float *sum, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		sum[i] = a[i] + b[i];
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1000;
	if (n < 1)
		n = 1;
	std::vector<float> a(n), b(n), sum(n);
	for (int i = 0; i < n; i++) {
		a[i] = float(i);
		b[i] = float(2 * i);
	}

	size_t bytes = n * sizeof(float);
	float *on_gpu[3];
	for (float *&p : on_gpu)
		check(cudaMalloc((void **)&p, bytes), "cudaMalloc");
	check(cudaMemcpy(on_gpu[0], a.data(), bytes, cudaMemcpyHostToDevice), "copy of a");
	check(cudaMemcpy(on_gpu[1], b.data(), bytes, cudaMemcpyHostToDevice), "copy of b");

	int threads = 256, blocks = (n + threads - 1) / threads;
	add<<<blocks, threads>>>(on_gpu[0], on_gpu[1], on_gpu[2], n);
	check(cudaGetLastError(), "launch");
	check(cudaMemcpy(sum.data(), on_gpu[2], bytes, cudaMemcpyDeviceToHost), "copy of the sum"); // waits for the kernel

	int wrong = 0;
	for (int i = 0; i < n; i++)
		wrong += sum[i] != a[i] + b[i];
	printf("%d sums, %d wrong\n", n, wrong);
	for (float *p : on_gpu)
		check(cudaFree(p), "cudaFree");
	return wrong != 0;
}
