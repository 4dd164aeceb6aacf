// fault: kernel 11 line 6:
#include <cstdio>
struct list { int value; list *next; };
__global__ void last(list *l, int *out)
{
	while (l->value) l = l->next; *out = l->value;
}
int main()
{
	list *l; int *out; cudaMalloc(&out, 4); cudaMallocManaged(&l, sizeof *l); l->value = 1; l->next = nullptr;
	last<<<1, 1>>>(l, out);
	cudaDeviceSynchronize();
	cudaGetLastError();
	cudaFree(l);
	return 0;
}
