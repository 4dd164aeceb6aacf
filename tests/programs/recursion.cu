// Functions that call themselves on the device: towers of Hanoi, Ackermann's function, quicksort of a thread's own array.
// out: 31 moves, Ackermann 61, sorted 1
#include <cstdio>

__device__ int hanoi(int n, int from, int to)
{
	return n == 0 ? 0 : hanoi(n - 1, from, 6 - from - to) + 1 + hanoi(n - 1, 6 - from - to, to);
}

__device__ int ackermann(int m, int n)
{
	return m == 0 ? n + 1 : ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

__device__ void sort(int *a, int low, int high)
{
	if (low >= high)
		return;
	int pivot = a[(low + high) / 2], i = low, j = high;
	while (i <= j) {
		while (a[i] < pivot)
			i++;
		while (a[j] > pivot)
			j--;
		if (i <= j) {
			int t = a[i];
			a[i++] = a[j];
			a[j--] = t;
		}
	}
	sort(a, low, j);
	sort(a, i, high);
}

__global__ void all(int *out)
{
	int own[20], sorted = 1;
	for (int i = 0; i < 20; i++)
		own[i] = (i * 7 + 3) % 20;
	sort(own, 0, 19);
	for (int i = 1; i < 20; i++)
		sorted &= own[i - 1] <= own[i];
	out[0] = hanoi(5, 1, 3);
	out[1] = ackermann(2, 29);
	out[2] = sorted;
}

int main()
{
	int *d, h[3];
	cudaDeviceSetLimit(cudaLimitStackSize, 32768); /* the 1024 bytes of a GPU are not enough */
	cudaMalloc(&d, sizeof h);
	all<<<1, 1>>>(d);
	cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	printf("%d moves, Ackermann %d, sorted %d\n", h[0], h[1], h[2]);
}
