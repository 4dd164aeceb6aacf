// Whole programs with all checks: tests/bench/programs.sh. Prints a result, so that a run on more cores can be compared with one.
//   programs NAME N
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cuda_runtime.h>

__global__ void saxpy(int n, float a, const float *x, float *y)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		y[i] = a * x[i] + y[i];
}

__global__ void histogram(const unsigned char *in, int n, unsigned *bins)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		atomicAdd(&bins[in[i]], 1u);
}

__global__ void histogram_by_blocks(const unsigned char *in, int n, unsigned *bins)
{
	__shared__ unsigned own[256];
	own[threadIdx.x] = 0;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		atomicAdd(&own[in[i]], 1u);
	__syncthreads();
	atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

__global__ void transpose(const float *in, float *out, int n)
{
	__shared__ float tile[32][33];
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
	for (int j = 0; j < 32; j += 8)
		tile[threadIdx.y + j][threadIdx.x] = in[(size_t)(y + j) * n + x];
	__syncthreads();
	x = blockIdx.y * 32 + threadIdx.x;
	y = blockIdx.x * 32 + threadIdx.y;
	for (int j = 0; j < 32; j += 8)
		out[(size_t)(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void sgemm(int n, const float *a, const float *b, float *c)
{
	int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (int k = 0; k < n; k++)
		sum += a[row * n + k] * b[k * n + column];
	c[row * n + column] = sum;
}

__global__ void scan_blocks(const int *in, int *out)
{
	__shared__ int sum[256];
	int i = blockIdx.x * 256 + threadIdx.x;
	sum[threadIdx.x] = in[i];
	__syncthreads();
	for (int apart = 1; apart < 256; apart *= 2) {
		int before = threadIdx.x >= apart ? sum[threadIdx.x - apart] : 0;
		__syncthreads();
		sum[threadIdx.x] += before;
		__syncthreads();
	}
	out[i] = sum[threadIdx.x];
}

template <typename T> static T *on_device(const std::vector<T> &host)
{
	T *device = nullptr;
	if (cudaMalloc(&device, host.size() * sizeof(T)) != cudaSuccess)
		exit(1);
	cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
	return device;
}

template <typename T> static void print(std::vector<T> &host, const T *device)
{
	unsigned sum = 0;
	cudaMemcpy(host.data(), device, host.size() * sizeof(T), cudaMemcpyDeviceToHost);
	for (size_t i = 0; i < host.size(); i++)
		sum = sum * 31 + (unsigned)host[i];
	printf("%08x %s\n", sum, cudaGetErrorString(cudaGetLastError()));
}

int main(int argc, char **argv)
{
	const char *name = argc > 2 ? argv[1] : "";
	int n = argc > 2 ? atoi(argv[2]) : 0;
	bool square = !strcmp(name, "sgemm") || !strcmp(name, "transpose"), bytes = !strncmp(name, "histogram", 9);
	size_t count = square ? (size_t)n * n : (size_t)n;
	std::vector<float> x(bytes ? 0 : count), y(x.size());
	std::vector<int> whole(!strcmp(name, "scan") ? count : 0);
	std::vector<unsigned char> data(bytes ? count : 0);
	std::vector<unsigned> bins(256);
	for (size_t i = 0; i < x.size(); i++)
		x[i] = y[i] = (float)(i % 7);
	for (size_t i = 0; i < whole.size(); i++)
		whole[i] = (int)(i % 3);
	for (size_t i = 0; i < data.size(); i++)
		data[i] = (unsigned char)(i * 7919 >> 3);

	if (!strcmp(name, "saxpy")) {
		float *to = on_device(y);
		saxpy<<<(n + 255) / 256, 256>>>(n, 2, on_device(x), to);
		print(y, to);
	} else if (bytes) {
		unsigned *to = on_device(bins);
		if (strcmp(name, "histogram"))
			histogram_by_blocks<<<256, 256>>>(on_device(data), n, to);
		else
			histogram<<<256, 256>>>(on_device(data), n, to);
		print(bins, to);
	} else if (!strcmp(name, "transpose")) {
		float *to = on_device(y);
		transpose<<<dim3(n / 32, n / 32), dim3(32, 8)>>>(on_device(x), to, n);
		print(y, to);
	} else if (!strcmp(name, "sgemm")) {
		float *to = on_device(y);
		sgemm<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(n, on_device(x), on_device(x), to);
		print(y, to);
	} else if (!strcmp(name, "scan")) {
		int *to = on_device(whole);
		scan_blocks<<<n / 256, 256>>>(on_device(whole), to);
		print(whole, to);
	} else {
		fprintf(stderr, "programs NAME N\n");
		return 2;
	}
	return 0;
}
