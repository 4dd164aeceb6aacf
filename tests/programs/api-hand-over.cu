// Kernels of two streams that wait for each other: a ball to and fro, and all the ways in which a kernel waits for what another one writes.
// out: 2000 throws, 999000 and 1000000
// out: 8 ways to wait, by 1 and by 256 threads: 16 ended
// out: an event, a copy and a fill in other streams: 7, 9, 3
#include <cstdio>
#include <cuda_runtime.h>

__global__ void play(volatile int *ball, int me, int rounds, int *sum)
{
	for (int i = 0; i < rounds; i++) {
		while (*ball % 2 != me)
			;
		*sum += *ball;
		__threadfence();
		*ball = *ball + 1;
	}
}

__global__ void waits(int how, volatile int *flag, int *ended, int *count)
{
	__shared__ int seen;
	long long spins = 0, began = clock64();
	switch (how) {
	case 0:
		while (!*flag)
			spins++;
		break;
	case 1:
		while (!*flag)
			__nanosleep(100);
		break;
	case 2:
		while (atomicAdd((int *)flag, 0) == 0)
			;
		break;
	case 3:
		while (!*flag && clock64() - began < (1ll << 60))
			spins++;
		break;
	case 4: // one thread looks, the others wait at a barrier
		do {
			__syncthreads();
			if (threadIdx.x == 0)
				seen = *flag;
			__syncthreads();
		} while (!seen);
		break;
	case 5: // and counts in memory
		while (!*flag)
			atomicAdd(count, 1);
		break;
	case 6:
		while (atomicCAS((int *)flag, 1, 1) != 1)
			;
		break;
	case 7: // and computes
		while (!*flag) {
			float x = spins;
			for (int i = 0; i < 1000; i++)
				x = x * 0.5f + 1;
			spins += x > 3;
		}
	}
	if (threadIdx.x == 0 && blockIdx.x == 0)
		atomicAdd(ended, spins < 0 ? 2 : 1);
}

__global__ void sets(int *flag)
{
	int n = 1;
	for (int i = 0; i < 1000; i++) // takes its time
		n = n * 3 + i;
	__threadfence();
	if (n != 0x7fffffff && threadIdx.x == 0 && blockIdx.x == gridDim.x - 1)
		atomicExch(flag, 1);
}

__global__ void needs(volatile int *at, int value)
{
	while (*at != value)
		;
}

int main()
{
	int *d, h[8];
	cudaStream_t a, b, c;
	cudaEvent_t e;
	cudaMalloc(&d, sizeof h);
	cudaMemset(d, 0, sizeof h);
	cudaStreamCreate(&a);
	cudaStreamCreate(&b);
	cudaStreamCreateWithFlags(&c, cudaStreamNonBlocking);
	cudaEventCreate(&e);
	play<<<1, 1, 0, a>>>(d, 0, 1000, d + 1);
	play<<<1, 1, 0, b>>>(d, 1, 1000, d + 2);
	cudaDeviceSynchronize();
	cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	printf("%d throws, %d and %d\n", h[0], h[1], h[2]);
	for (int threads = 1; threads <= 256; threads += 255)
		for (int how = 0; how < 8; how++) {
			cudaMemset(d, 0, sizeof(int));
			waits<<<threads == 1 ? 1 : 4, threads == 1 ? 1 : 64, 0, a>>>(how, d, d + 3, d + 4);
			sets<<<4, 32, 0, b>>>(d);
			cudaDeviceSynchronize();
		}
	cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	printf("8 ways to wait, by 1 and by 256 threads: %d ended\n", h[3]);

	// What it waits for is a copy behind an event of a third stream, and a fill.
	static int seven = 7, nine = 9;
	cudaMemset(d, 0, sizeof h);
	cudaDeviceSynchronize();
	needs<<<1, 1, 0, a>>>(d, 7);
	needs<<<1, 1, 0, a>>>(d + 1, 9);
	cudaMemcpyAsync(d, &seven, sizeof seven, cudaMemcpyHostToDevice, c);
	cudaEventRecord(e, c);
	cudaStreamWaitEvent(b, e, 0);
	cudaMemcpyAsync(d + 1, &nine, sizeof nine, cudaMemcpyHostToDevice, b);
	cudaMemsetAsync((char *)(d + 2), 3, 1, c);
	cudaStreamSynchronize(a);
	cudaDeviceSynchronize();
	cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	printf("an event, a copy and a fill in other streams: %d, %d, %d\n", h[0], h[1], h[2]);
	cudaEventDestroy(e);
	cudaStreamDestroy(a);
	cudaStreamDestroy(b);
	cudaStreamDestroy(c);
	cudaFree(d);
	return 0;
}
