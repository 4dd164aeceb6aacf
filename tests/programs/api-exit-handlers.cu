// Exit handlers use the device: the last registered first, and before the report.
// gpu: NVIDIA's runtime has ended by then, and says "driver shutting down"
// out: waited: no error
// out: the other handler has 31 words of 5
// status: 3
#include <cstdio>
#include <cstdlib>

static int *words;

__global__ void fill(int *p, int value)
{
	p[threadIdx.x] = value;
}

static void count()
{
	int copy[32], n = 0;
	cudaMemcpy(copy, words, sizeof copy, cudaMemcpyDeviceToHost);
	for (int word : copy)
		n += word == 5;
	printf("the other handler has %d words of 5\n", n);
	cudaFree(words);
}

static void change()
{
	fill<<<1, 31>>>(words, 5);
	printf("waited: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}

int main()
{
	atexit(count);
	atexit(change);
	cudaMalloc(&words, 32 * sizeof *words);
	fill<<<1, 32>>>(words, 4);
	return 3;
}
