// The first launch is one of the nine.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

__global__ void axpy(float a, const float *x, float *y, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		y[i] = a * x[i] + y[i];
}

// 320,000 multiply-adds, one after the other. Each takes four cycles, so about how long this takes is known: half a
// millisecond or more.
__global__ void chain(float *out)
{
	float a = threadIdx.x;
	#pragma unroll 1
	for (unsigned step = 0; step < 40000; step++)
		#pragma unroll
		for (unsigned k = 0; k < 8; k++)
			a = a * 0.5f + 1;
	out[threadIdx.x] = a;
}

// The times of nine launches, in microseconds.
template <typename Launch> static std::vector<double> measure(Launch launch)
{
	cudaEvent_t begin, end;
	cudaEventCreate(&begin);
	cudaEventCreate(&end);
	std::vector<double> times;
	for (int run = 0; run < 9; run++) {
		cudaEventRecord(begin);
		launch();
		cudaEventRecord(end);
		cudaEventSynchronize(end);
		float ms = 0;
		cudaEventElapsedTime(&ms, begin, end);
		times.push_back(1000 * ms);
	}
	cudaEventDestroy(begin);
	cudaEventDestroy(end);
	return times;
}

// What is reported of an odd number of times: their median.
static double typical(std::vector<double> times)
{
	std::sort(times.begin(), times.end());
	return times[times.size() / 2];
}

// What axpy must move.
static size_t bytes_of(unsigned n)
{
	return 3 * n * sizeof(float);
}

int main(int argc, char **argv)
{
	if (argc > 1) {
		std::vector<double> given;
		for (int k = 1; k < argc; k++)
			given.push_back(atof(argv[k]));
		printf("typical %g\n", typical(given));
		return 0;
	}

	unsigned n = 65536;
	std::vector<float> numbers(n), ones(n, 1);
	for (unsigned i = 0; i < n; i++)
		numbers[i] = i % 1000;
	float *x, *y;
	cudaMalloc(&x, n * sizeof *x);
	cudaMalloc(&y, n * sizeof *y);
	cudaMemcpy(x, numbers.data(), n * sizeof *x, cudaMemcpyHostToDevice);
	cudaMemcpy(y, ones.data(), n * sizeof *y, cudaMemcpyHostToDevice);

	std::vector<double> known = measure([&] { chain<<<1, 32>>>(y); });
	cudaMemcpy(y, ones.data(), n * sizeof *y, cudaMemcpyHostToDevice);
	std::vector<double> times = measure([&] { axpy<<<(n + 255) / 256, 256>>>(2, x, y, n); });
	cudaMemcpy(y, ones.data(), n * sizeof *y, cudaMemcpyHostToDevice);
	axpy<<<(n + 255) / 256, 256>>>(2, x, y, n);
	double time = typical(known);
	printf("clock %s\n", time < 200 ? "too early" : time > 2000 ? "too late" : "right");
	printf("times %zu\nbytes %zu\n", times.size(), bytes_of(n));
	fprintf(stderr, "%.2f us, %.2f GB/s\n", typical(times), 0.001 * bytes_of(n) / typical(times));

	cudaError_t error = cudaMemcpy(numbers.data(), y, n * sizeof *y, cudaMemcpyDeviceToHost);
	if (error != cudaSuccess) {
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
		return 1;
	}
	double sum = 0;
	for (float number : numbers)
		sum += number;
	printf("sum %.0f\n", sum);
	cudaFree(x);
	cudaFree(y);
	return 0;
}
