// As early-return.cu, with a flag in shared memory, which is a race; the result is right nevertheless.
#include <cstdio>

__global__ void seek(const float *a, float wanted, int *where, int n)
{
	__shared__ bool done;
	__shared__ int from;
	from = 0;
	done = false;
	__syncthreads();
	int left = n;
	while (left && !done) {
		int step = (left + 63) / 64, i = step * threadIdx.x + from;
		if (i < n) {
			int j = min(i + step, n - 1);
			if (fabsf(wanted - a[i]) < 1e-6) {
				*where = i;
				done = true;
				return;
			} else if (wanted > a[i] && wanted < a[j])
				from = i;
		}
		left /= 64;
		__syncthreads();
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
