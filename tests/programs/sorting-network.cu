// A bitonic sorting network in shared memory, ascending and descending blocks, then merges of them through global memory.
// out: 512 keys in order
#include <algorithm>
#include <cstdio>
#include <vector>

const int n = 512, block = 128;

__device__ void exchange(unsigned *keys, int i, int j, bool up)
{
	if (j > i && (keys[i] > keys[j]) == up) {
		unsigned other = keys[i];
		keys[i] = keys[j];
		keys[j] = other;
	}
}

__global__ void sort_blocks(unsigned *keys)
{
	__shared__ unsigned own[block];
	int i = threadIdx.x, at = blockIdx.x * block + i;
	own[i] = keys[at];
	for (int size = 2; size <= block; size *= 2)
		for (int step = size / 2; step > 0; step /= 2) {
			__syncthreads();
			exchange(own, i, i ^ step, !(at & size));
		}
	__syncthreads();
	keys[at] = own[i];
}

__global__ void merge(unsigned *keys, int size, int step)
{
	int i = blockIdx.x * block + threadIdx.x;
	exchange(keys, i, i ^ step, !(i & size));
}

int main()
{
	std::vector<unsigned> keys(n), sorted(n);
	unsigned seed = 7, *d;
	for (auto &key : keys)
		key = seed = seed * 1664525 + 1013904223;
	cudaMalloc(&d, n * sizeof *d);
	cudaMemcpy(d, keys.data(), n * sizeof *d, cudaMemcpyHostToDevice);
	sort_blocks<<<n / block, block>>>(d);
	for (int size = 2 * block; size <= n; size *= 2)
		for (int step = size / 2; step > 0; step /= 2)
			merge<<<n / block, block>>>(d, size, step);
	cudaMemcpy(sorted.data(), d, n * sizeof *d, cudaMemcpyDeviceToHost);
	std::sort(keys.begin(), keys.end());
	printf("%d keys %s\n", n, keys == sorted ? "in order" : "not in order");
}
