// Branches of a graph run side by side: kernels hand a number to and fro, twice, in a graph that was captured and one that was built; what
// comes after a launch of it, in its stream or the default one, comes after all of it.
// out: captured: 200 throws, both ends saw the join
// out: again: 400 throws
// out: in the default stream: 600 throws, then 1
// out: built: three in a ring, 30 throws, 5 at the end
#include <cstdio>
#include <cuda_runtime.h>

__global__ void play(volatile int *ball, int me, int players, int throws)
{
	for (int i = 0; i < throws; i++) {
		while (*ball % players != me)
			;
		*ball = *ball + 1;
	}
}

__global__ void join(const int *ball, int *seen)
{
	*seen = *ball;
}

__global__ void after(int *seen, int *last)
{
	*last = *seen > 0;
}

__global__ void count(int *n)
{
	*n += 1;
}

int main()
{
	int *d, h[4];
	cudaStream_t a, b;
	cudaEvent_t fork, end;
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	cudaMalloc(&d, sizeof h);
	cudaMemset(d, 0, sizeof h);
	cudaStreamCreate(&a);
	cudaStreamCreate(&b);
	cudaEventCreate(&fork);
	cudaEventCreate(&end);
	cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal);
	cudaEventRecord(fork, a);
	cudaStreamWaitEvent(b, fork, 0);
	play<<<1, 1, 0, a>>>(d, 0, 2, 100);
	play<<<1, 1, 0, b>>>(d, 1, 2, 100);
	cudaEventRecord(end, b);
	cudaStreamWaitEvent(a, end, 0);
	join<<<1, 1, 0, a>>>(d, d + 1);
	cudaStreamEndCapture(a, &graph);
	cudaGraphInstantiate(&exec, graph, 0);
	cudaGraphLaunch(exec, a);
	cudaStreamSynchronize(a);
	cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	printf("captured: %d throws, both ends saw the join%s\n", h[0], h[0] == h[1] ? "" : " NOT");
	cudaGraphLaunch(exec, b);
	cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost); // waits for b, which is a blocking stream
	printf("again: %d throws\n", h[0]);
	cudaMemset(d + 1, 0, sizeof(int));
	cudaGraphLaunch(exec, 0);
	after<<<1, 1, 0, b>>>(d + 1, d + 2);
	cudaDeviceSynchronize();
	cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	printf("in the default stream: %d throws, then %d\n", h[0], h[2]);
	cudaGraphExecDestroy(exec);
	cudaGraphDestroy(graph);

	// fill -> three players in a ring -> a row of counts that need all of them
	cudaGraphNode_t fill, players[3], last[5];
	cudaGraphCreate(&graph, 0);
	cudaMemsetParams set = {};
	set.dst = d;
	set.elementSize = 4;
	set.width = 4;
	set.height = 1;
	cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &set);
	for (int i = 0; i < 3; i++) {
		int n = 3, throws = 10;
		void *args[] = {&d, &i, &n, &throws};
		cudaKernelNodeParams p = {};
		p.func = (void *)play;
		p.gridDim = p.blockDim = dim3(1);
		p.kernelParams = args;
		cudaGraphAddKernelNode(&players[i], graph, &fill, 1, &p);
	}
	for (int i = 0; i < 5; i++) {
		int *n = d + 3;
		void *args[] = {&n};
		cudaKernelNodeParams p = {};
		p.func = (void *)count;
		p.gridDim = p.blockDim = dim3(1);
		p.kernelParams = args;
		cudaGraphAddKernelNode(&last[i], graph, i ? &last[i - 1] : players, i ? 1 : 3, &p);
	}
	cudaGraphInstantiate(&exec, graph, 0);
	cudaGraphLaunch(exec, a);
	cudaStreamSynchronize(a);
	cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	printf("built: three in a ring, %d throws, %d at the end\n", h[0], h[3]);
	cudaGraphExecDestroy(exec);
	cudaGraphDestroy(graph);
	cudaEventDestroy(fork);
	cudaEventDestroy(end);
	cudaStreamDestroy(a);
	cudaStreamDestroy(b);
	cudaFree(d);
	return 0;
}
