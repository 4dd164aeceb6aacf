// A reversal in shared memory without a barrier: right by luck on the machine, and a race all the same.
// check: all
// out: done
// says: missing-barrier.cu:14: race: thread
// says: __syncthreads() is missing
#include <cstdio>

__global__ void reverse(int *p)
{
	__shared__ int tile[256];
	int i = threadIdx.x;
	tile[i] = p[i];
	__syncwarp();
	p[255 - i] = tile[i];
	p[i] = tile[255 - i];
}

int main()
{
	int h[256], *d;
	for (int i = 0; i < 256; i++)
		h[i] = i;
	cudaMalloc(&d, sizeof h);
	cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
	reverse<<<1, 256>>>(d);
	cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	puts("done");
}
