#include <cstdio>
#include <cstdlib>

__global__ void sum(const int *in, int *out, int n)
{
	__shared__ int part[256];
	int i = blockIdx.x * 256 + threadIdx.x;
	part[threadIdx.x] = i < n ? in[i] : 0;
	for (int step = 128; step > 0; step /= 2) {
		if (threadIdx.x < step)
			part[threadIdx.x] += part[threadIdx.x + step];
		__syncthreads();
	}
	if (threadIdx.x == 0)
		atomicAdd(out, part[0]);
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 256, *in, *out, result;
	int *ones = (int *)malloc(n * sizeof(int));
	for (int i = 0; i < n; i++)
		ones[i] = 1;
	cudaMalloc(&in, n * sizeof(int));
	cudaMalloc(&out, sizeof(int));
	cudaMemcpy(in, ones, n * sizeof(int), cudaMemcpyHostToDevice);
	cudaMemset(out, 0, sizeof(int));
	sum<<<(n + 255) / 256, 256>>>(in, out, n);
	cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost);
	printf("%d\n", result);
	cudaFree(in);
	cudaFree(out);
	free(ones);
}
