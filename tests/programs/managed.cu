// Managed memory and variables: a list that host and kernel walk, and a counter without a copy.
// out: sum 4950 of 100 nodes
// out: 10 20 30
#include <cstdio>

struct node {
	int value;
	node *next;
};

__managed__ int sum, nodes;

__global__ void walk(const node *first)
{
	for (const node *n = first; n; n = n->next) {
		sum += n->value;
		nodes++;
	}
}

__global__ void tenfold(int *values)
{
	values[threadIdx.x] *= 10;
}

int main()
{
	node *first = nullptr;
	for (int i = 0; i < 100; i++) {
		node *n;
		cudaMallocManaged(&n, sizeof *n);
		*n = {i, first};
		first = n;
	}
	walk<<<1, 1>>>(first);
	cudaDeviceSynchronize();
	printf("sum %d of %d nodes\n", sum, nodes);
	while (first) {
		node *next = first->next;
		cudaFree(first);
		first = next;
	}
	int *pinned, *seen;
	cudaHostAlloc(&pinned, 3 * sizeof *pinned, cudaHostAllocMapped);
	for (int i = 0; i < 3; i++)
		pinned[i] = i + 1;
	cudaHostGetDevicePointer(&seen, pinned, 0);
	tenfold<<<1, 3>>>(seen);
	cudaDeviceSynchronize();
	printf("%d %d %d\n", pinned[0], pinned[1], pinned[2]);
	cudaFreeHost(pinned);
}
