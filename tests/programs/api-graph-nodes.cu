// A graph of kernels, a fill, a copy and a function of the host, built node by node; one kernel's arguments change before the second launch.
// out: after 1: 10 11 12 13
// out: after 2: 30 31 32 33
// out: called 2 times
// out: 4 threads
#include <cstdio>

static int called;

__global__ void add(int *p, int value)
{
	p[threadIdx.x] += value;
}

__global__ void iota(int *p)
{
	p[threadIdx.x] += threadIdx.x;
}

static void count(void *times)
{
	++*(int *)times;
}

int main()
{
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	cudaGraphNode_t fill, first, second, copy, host;
	int *p, out[4], value = 10;
	cudaMalloc(&p, sizeof out);
	cudaGraphCreate(&graph, 0);
	cudaMemsetParams zero = {};
	zero.dst = p, zero.elementSize = 4, zero.width = 4, zero.height = 1;
	cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &zero);
	void *add_args[] = {&p, &value}, *iota_args[] = {&p};
	cudaKernelNodeParams params = {};
	params.func = (void *)add, params.gridDim = dim3(1), params.blockDim = dim3(4), params.kernelParams = add_args;
	cudaGraphAddKernelNode(&first, graph, &fill, 1, &params);
	cudaKernelNodeParams other = params;
	other.func = (void *)iota, other.kernelParams = iota_args;
	cudaGraphAddKernelNode(&second, graph, &first, 1, &other);
	cudaGraphAddMemcpyNode1D(&copy, graph, &second, 1, out, p, sizeof out, cudaMemcpyDeviceToHost);
	cudaHostNodeParams call = {count, &called};
	cudaGraphAddHostNode(&host, graph, &copy, 1, &call);
	cudaGraphInstantiate(&exec, graph, 0);
	for (int launch = 1; launch <= 2; launch++) {
		cudaGraphLaunch(exec, 0);
		cudaDeviceSynchronize();
		printf("after %d: %d %d %d %d\n", launch, out[0], out[1], out[2], out[3]);
		value = 30;
		cudaGraphExecKernelNodeSetParams(exec, first, &params);
	}
	printf("called %d times\n", called);
	other = {};
	cudaGraphKernelNodeGetParams(second, &other);
	printf("%u threads\n", other.blockDim.x);
	cudaGraphExecDestroy(exec);
	cudaGraphDestroy(graph);
	cudaFree(p);
	return 0;
}
