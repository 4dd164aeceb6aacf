// Calls as they were before CUDA 13, in which books and courses have them: simttutor's own headers, with clang alone, take both forms.
// out: clocks: yes
// out: prefetched: 4
// out: graph: 6, updated: 2 times
// out: 1 edge, 1 dependency, 1 dependent node
// out: synchronized: no error
// gpu: nvcc 13 knows the newer forms alone
#include <cstdio>
#if !defined(__NVCC__)
static bool clocks(int device)
{
	cudaDeviceProp prop;
	cudaGetDeviceProperties(&prop, device);
	int clock, memory;
	cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, device);
	cudaDeviceGetAttribute(&memory, cudaDevAttrMemoryClockRate, device);
	return clock > 0 && prop.clockRate == clock && prop.memoryClockRate == memory && prop.deviceOverlap == 1;
}
#else
#define clocks(device) true
#define cudaThreadSynchronize cudaDeviceSynchronize
static cudaMemLocation place(int device)
{
	return {device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice, device == cudaCpuDeviceId ? 0 : device};
}
#define cudaMemPrefetchAsync(pointer, bytes, device, stream) cudaMemPrefetchAsync(pointer, bytes, place(device), 0, stream)
#define cudaMemAdvise(pointer, bytes, advice, device) cudaMemAdvise(pointer, bytes, advice, place(device))
static cudaError_t update(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResult *result)
{
	cudaGraphExecUpdateResultInfo info;
	cudaError_t error = cudaGraphExecUpdate(exec, graph, &info);
	*result = info.result;
	return error;
}
#define cudaGraphExecUpdate(exec, graph, node, result) update(exec, graph, result)
#define cudaGraphGetEdges(graph, from, to, n) cudaGraphGetEdges(graph, from, to, nullptr, n)
#define cudaGraphNodeGetDependencies(node, nodes, n) cudaGraphNodeGetDependencies(node, nodes, nullptr, n)
#define cudaGraphNodeGetDependentNodes(node, nodes, n) cudaGraphNodeGetDependentNodes(node, nodes, nullptr, n)
#define cudaGraphAddDependencies(graph, from, to, n) cudaGraphAddDependencies(graph, from, to, nullptr, n)
#endif

__global__ void add(int *p, int v)
{
	*p += v;
}

int main()
{
	int *p, device = 0, updates = 0;
	cudaMallocManaged(&p, sizeof *p);
	printf("clocks: %s\n", clocks(device) ? "yes" : "no");
	*p = 1;
	cudaMemAdvise(p, sizeof *p, cudaMemAdviseSetPreferredLocation, device);
	cudaMemPrefetchAsync(p, sizeof *p, device, nullptr);
	add<<<1, 1>>>(p, 3);
	cudaMemPrefetchAsync(p, sizeof *p, cudaCpuDeviceId, nullptr);
	cudaDeviceSynchronize();
	printf("prefetched: %d\n", *p);
	*p = 0;
	cudaStream_t s;
	cudaGraph_t g;
	cudaGraphExec_t exec = nullptr;
	cudaStreamCreate(&s);
	for (int i = 1; i <= 3; i++) {
		cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
		add<<<1, 1, 0, s>>>(p, i);
		cudaStreamEndCapture(s, &g);
		cudaGraphNode_t wrong;
		cudaGraphExecUpdateResult result = cudaGraphExecUpdateError;
		if (!exec)
			cudaGraphInstantiate(&exec, g, nullptr, nullptr, 0);
		else
			cudaGraphExecUpdate(exec, g, &wrong, &result);
		updates += result == cudaGraphExecUpdateSuccess;
		cudaGraphDestroy(g);
		cudaGraphLaunch(exec, s);
		cudaStreamSynchronize(s);
	}
	printf("graph: %d, updated: %d times\n", *p, updates);
	cudaGraphNode_t first, second;
	size_t edges = 0, before = 0, after = 0;
	cudaGraphCreate(&g, 0);
	cudaGraphAddEmptyNode(&first, g, nullptr, 0);
	cudaGraphAddEmptyNode(&second, g, nullptr, 0);
	cudaGraphAddDependencies(g, &first, &second, 1);
	cudaGraphGetEdges(g, nullptr, nullptr, &edges);
	cudaGraphNodeGetDependencies(second, nullptr, &before);
	cudaGraphNodeGetDependentNodes(first, nullptr, &after);
	printf("%zu edge, %zu dependency, %zu dependent node\n", edges, before, after);
	printf("synchronized: %s\n", cudaGetErrorString(cudaThreadSynchronize()));
	cudaGraphDestroy(g);
	cudaGraphExecDestroy(exec);
	cudaStreamDestroy(s);
	cudaFree(p);
}
