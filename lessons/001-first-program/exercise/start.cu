// Adds a times x to y, if the number of elements is right.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

__global__ void axpy(float a, const float *x, float *y, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	y[i] = a * x[i] + y[i];
}

int main(int argc, char **argv)
{
	unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) : 1024;
	size_t bytes = n * sizeof(float);
	std::vector<float> numbers(n);
	for (unsigned i = 0; i < n; i++)
		numbers[i] = i + 1;

	float *x, *y;
	cudaMalloc(&x, bytes);
	cudaMalloc(&y, bytes);
	cudaMemcpy(x, numbers.data(), bytes, cudaMemcpyHostToDevice);
	cudaMemcpy(y, numbers.data(), bytes, cudaMemcpyHostToDevice);
	axpy<<<n / 256, 256>>>(1, x, y, n);
	cudaMemcpy(numbers.data(), y, bytes, cudaMemcpyDeviceToHost);

	double sum = 0;
	for (float number : numbers)
		sum += number;
	printf("%u elements\nsum %.0f\n", n, sum);
	return 0;
}
