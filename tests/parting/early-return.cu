// A thread that found what it sought says so and returns; the others go on to the barrier of the loop. clang merges the return with
// the way of those that stay, so the lane comes to a reconvergence point at which the others never arrive.
#include <cstdio>

__global__ void seek(const float *a, float wanted, int *where, int n)
{
	__shared__ int from;
	if (threadIdx.x == 0)
		from = 0;
	__syncthreads();
	bool stop = false;
	int left = n;
	while (left && !stop) {
		int step = (left + 63) / 64, i = step * threadIdx.x + from;
		if (i < n) {
			int j = min(i + step, n - 1);
			if (fabsf(wanted - a[i]) < 1e-6) {
				*where = i;
				stop = true;
				return;
			} else if (wanted > a[i] && wanted < a[j])
				*where = -2;
		}
		left /= 64;
		__syncthreads();
		stop = from > 0;
	}
}

int main()
{
	float h[64], *a;
	int *w, r = -1;
	for (int i = 0; i < 64; i++)
		h[i] = 3 * i;
	cudaMalloc(&a, sizeof h);
	cudaMalloc(&w, sizeof r);
	cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
	cudaMemcpy(w, &r, sizeof r, cudaMemcpyHostToDevice);
	seek<<<1, 64>>>(a, 60, w, 64);
	cudaError_t e = cudaMemcpy(&r, w, sizeof r, cudaMemcpyDeviceToHost);
	printf("%d %s\n", r, cudaGetErrorString(e));
	cudaFree(a);
	cudaFree(w);
}
