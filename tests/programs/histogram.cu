// Letters counted in shared memory by each block, then added up in global memory.
// out: e 14, o 17, t 3, z 1
#include <cstdio>
#include <cstring>

__global__ void count(const char *text, int n, unsigned *counts)
{
	__shared__ unsigned own[26];
	if (threadIdx.x < 26)
		own[threadIdx.x] = 0;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		if (text[i] >= 'a' && text[i] <= 'z')
			atomicAdd(&own[text[i] - 'a'], 1u);
	__syncthreads();
	if (threadIdx.x < 26)
		atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}

int main()
{
	static const char text[] = "the lazy fox once more does not jump over the brown dog, so one cow goes home before noon, even slower";
	char *d;
	unsigned *dc, counts[26], host[26] = {};
	cudaMalloc(&d, sizeof text);
	cudaMalloc(&dc, sizeof counts);
	cudaMemset(dc, 0, sizeof counts);
	cudaMemcpy(d, text, sizeof text, cudaMemcpyHostToDevice);
	count<<<2, 32>>>(d, sizeof text - 1, dc);
	cudaMemcpy(counts, dc, sizeof counts, cudaMemcpyDeviceToHost);
	for (char c : text)
		if (c >= 'a' && c <= 'z')
			host[c - 'a']++;
	printf("e %u, o %u, t %u, z %u\n", counts[4], counts[14], counts[19], counts[25]);
	return memcmp(counts, host, sizeof host) != 0;
}
