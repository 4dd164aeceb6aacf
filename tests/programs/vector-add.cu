// Allocations, copies, one launch, symbols, events.
// out: 3 5 7 9 ... 9
// out: 1000 counted
// out: no error
#include <cstdio>
#include <vector>

__constant__ float scale[4];
__device__ int counted = 0;

__global__ void add(const float *a, const float *b, float *c, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	c[i] = a[i] + b[i] * scale[i & 3];
	atomicAdd(&counted, 1);
}

int main()
{
	const int n = 1000;
	std::vector<float> a(n, 1), b(n, 2), c(n);
	const float factors[4] = {1, 2, 3, 4};
	float *da, *db, *dc, ms = -1;
	int count;
	cudaEvent_t begin, end;
	cudaMalloc(&da, n * sizeof(float));
	cudaMalloc(&db, n * sizeof(float));
	cudaMalloc(&dc, n * sizeof(float));
	cudaMemcpyToSymbol(scale, factors, sizeof factors);
	cudaMemcpy(da, a.data(), n * sizeof(float), cudaMemcpyHostToDevice);
	cudaMemcpy(db, b.data(), n * sizeof(float), cudaMemcpyHostToDevice);
	cudaEventCreate(&begin);
	cudaEventCreate(&end);
	cudaEventRecord(begin);
	add<<<(n + 255) / 256, 256>>>(da, db, dc, n);
	cudaEventRecord(end);
	cudaEventSynchronize(end);
	cudaEventElapsedTime(&ms, begin, end);
	cudaMemcpy(c.data(), dc, n * sizeof(float), cudaMemcpyDeviceToHost);
	cudaMemcpyFromSymbol(&count, counted, sizeof count);
	printf("%g %g %g %g ... %g\n%d counted\n", c[0], c[1], c[2], c[3], c[n - 1], count);
	puts(ms >= 0 ? cudaGetErrorString(cudaGetLastError()) : "no time");
	cudaFree(da);
	cudaFree(db);
	cudaFree(dc);
}
