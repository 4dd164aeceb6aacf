// Lists that threads make with malloc and new, walked by a second kernel, and freed by a third.
// out: 32 lists, 496 nodes, sum 4960
#include <cstdio>

struct node {
	int value;
	node *next;
};

__device__ node *lists[32];

__global__ void make()
{
	for (int i = 0; i < threadIdx.x; i++) {
		node *n = i % 2 ? new node : (node *)malloc(sizeof(node));
		n->value = i;
		n->next = lists[threadIdx.x];
		lists[threadIdx.x] = n;
	}
}

__global__ void walk(int *nodes, int *sum)
{
	for (const node *n = lists[threadIdx.x]; n; n = n->next) {
		atomicAdd(nodes, 1);
		atomicAdd(sum, n->value);
	}
}

__global__ void release()
{
	for (node *n = lists[threadIdx.x], *next; n; n = next) {
		next = n->next;
		free(n);
	}
}

int main()
{
	int *d, h[2];
	cudaMalloc(&d, sizeof h);
	cudaMemset(d, 0, sizeof h);
	make<<<1, 32>>>();
	walk<<<1, 32>>>(d, d + 1);
	release<<<1, 32>>>();
	cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	printf("32 lists, %d nodes, sum %d\n", h[0], h[1]);
	return cudaGetLastError();
}
