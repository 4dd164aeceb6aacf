// A tiled product with dynamic shared memory, in a template, compared with the host's.
// out: 0 of 4096 differ
#include <cstdio>
#include <vector>

template <int T> __global__ void product(const float *a, const float *b, float *c, int n)
{
	extern __shared__ float tiles[];
	float *ta = tiles, *tb = tiles + T * T, sum = 0;
	int x = blockIdx.x * T + threadIdx.x, y = blockIdx.y * T + threadIdx.y;
	for (int k = 0; k < n; k += T) {
		ta[threadIdx.y * T + threadIdx.x] = a[y * n + k + threadIdx.x];
		tb[threadIdx.y * T + threadIdx.x] = b[(k + threadIdx.y) * n + x];
		__syncthreads();
		for (int i = 0; i < T; i++)
			sum += ta[threadIdx.y * T + i] * tb[i * T + threadIdx.x];
		__syncthreads();
	}
	c[y * n + x] = sum;
}

int main()
{
	const int n = 64, tile = 16;
	std::vector<float> a(n * n), b(n * n), c(n * n);
	for (int i = 0; i < n * n; i++) {
		a[i] = static_cast<float>(i % 7);
		b[i] = static_cast<float>(i % 5 - 2);
	}
	float *da, *db, *dc;
	size_t bytes = n * n * sizeof(float);
	cudaMalloc(&da, bytes);
	cudaMalloc(&db, bytes);
	cudaMalloc(&dc, bytes);
	cudaMemcpy(da, a.data(), bytes, cudaMemcpyHostToDevice);
	cudaMemcpy(db, b.data(), bytes, cudaMemcpyHostToDevice);
	product<tile><<<dim3(n / tile, n / tile), dim3(tile, tile), 2 * tile * tile * sizeof(float)>>>(da, db, dc, n);
	cudaMemcpy(c.data(), dc, bytes, cudaMemcpyDeviceToHost);
	int wrong = 0;
	for (int y = 0; y < n; y++)
		for (int x = 0; x < n; x++) {
			float sum = 0;
			for (int k = 0; k < n; k++)
				sum += a[y * n + k] * b[k * n + x];
			wrong += sum != c[y * n + x];
		}
	printf("%d of %d differ\n", wrong, n * n);
}
