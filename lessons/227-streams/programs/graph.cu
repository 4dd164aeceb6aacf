// Eight small kernels, three times: launched one by one, or as a graph.
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

__global__ void step(float *a)
{
	unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
	a[i] = a[i] * 0.5f + 1;
}

const int N = 1024, KERNELS = 8, TIMES = 3;

static void all(float *a, cudaStream_t s)
{
	for (int k = 0; k < KERNELS; k++)
		step<<<N / 256, 256, 0, s>>>(a);
}

// argument: 0 one by one, 1 as a graph
int main(int argc, char **argv)
{
	bool as_graph = argc > 1 && atoi(argv[1]);
	float *a, last;
	cudaMalloc(&a, N * sizeof(float));
	cudaMemset(a, 0, N * sizeof(float));
	cudaStream_t s;
	cudaStreamCreate(&s);
	cudaGraph_t graph = NULL;
	cudaGraphExec_t ready = NULL;
	if (as_graph) {
		cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
		all(a, s);
		cudaStreamEndCapture(s, &graph);
		cudaGraphInstantiate(&ready, graph, 0);
	}

	for (int i = 0; i < TIMES; i++)
		if (as_graph)
			cudaGraphLaunch(ready, s);
		else
			all(a, s);
	cudaStreamSynchronize(s);
	cudaMemcpy(&last, a + N - 1, sizeof last, cudaMemcpyDeviceToHost);
	printf("the last is %g\n", last);

	if (as_graph) {
		cudaGraphExecDestroy(ready);
		cudaGraphDestroy(graph);
	}
	cudaStreamDestroy(s);
	cudaFree(a);
	return 0;
}
