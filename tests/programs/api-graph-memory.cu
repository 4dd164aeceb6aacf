// Memory of graphs: allocated and freed by nodes and by capture, its addresses used again, what a device has for it, and what CUDA refuses.
// out: captured: sum 499500, again 499500
// out: freed before: the same address; beside it: another
// out: nodes: sum 1998000
// out: params: 4096 bytes, its address
// out: reserved: 0 before a launch, more after it, the same after the next, 0 trimmed
// out: unfreed: launched, invalid argument, freed and launched
// out: of another graph: no error, then invalid argument
// out: freed on launch: no error, no error, 7
// out: clone: operation not supported
// out: child: operation not supported
// out: made ready twice: operation not supported
// out: destroyed: operation not supported
// out: freed twice: invalid argument
// out: freed before it is allocated: no error, invalid argument
// out: no graph's: invalid argument
// says: the graph has a node that frees it already
// says: does not come after the one that allocates it; add a dependency
// says: the launch before has left 4096 bytes
// says: where nothing is allocated now
// says: no allocation node, and no capture, has given that address
#include <cstdio>

__global__ void fill(int *p, int n, int factor)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		p[i] = i * factor;
}

__global__ void add(const int *p, int n, int *sum)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		atomicAdd(sum, p[i]);
}

static const char *text(cudaError_t error)
{
	return cudaGetErrorString(error);
}

static unsigned long long reserved()
{
	unsigned long long bytes = 1;
	cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &bytes);
	return bytes;
}

static cudaMemAllocNodeParams bytes_of(size_t bytes)
{
	cudaMemAllocNodeParams p = {};
	p.poolProps.allocType = cudaMemAllocationTypePinned;
	p.poolProps.location.type = cudaMemLocationTypeDevice;
	p.bytesize = bytes;
	return p;
}

static cudaGraphNode_t kernel(cudaGraph_t graph, cudaGraphNode_t after, void *function, void **args)
{
	cudaGraphNode_t node;
	cudaKernelNodeParams p = {};
	p.func = function;
	p.gridDim = dim3(4);
	p.blockDim = dim3(256);
	p.kernelParams = args;
	cudaGraphAddKernelNode(&node, graph, &after, 1, &p);
	return node;
}

int main()
{
	int n = 1000, factor = 4, sum = 0, again = 0, *total;
	cudaStream_t s;
	cudaGraph_t g, other;
	cudaGraphExec_t ready, second;
	cudaStreamCreate(&s);
	cudaMalloc(&total, sizeof *total);

	int *p, *q, *r;
	unsigned long long before = reserved();
	cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
	cudaMemsetAsync(total, 0, sizeof *total, s);
	cudaMallocAsync(&p, 4096, s);
	fill<<<4, 256, 0, s>>>(p, n, 2);
	cudaFreeAsync(p, s);
	cudaMallocAsync(&q, 4096, s);
	cudaMallocAsync(&r, 4096, s);
	fill<<<4, 256, 0, s>>>(q, n, 1);
	cudaMemcpyAsync(r, q, 4000, cudaMemcpyDeviceToDevice, s);
	add<<<4, 256, 0, s>>>(r, n, total);
	cudaFreeAsync(r, s);
	cudaFreeAsync(q, s);
	cudaStreamEndCapture(s, &g);
	cudaGraphInstantiate(&ready, g, 0);
	bool none = before == 0 && reserved() == 0;
	cudaGraphLaunch(ready, s);
	cudaStreamSynchronize(s);
	cudaMemcpy(&sum, total, sizeof sum, cudaMemcpyDeviceToHost);
	unsigned long long once = reserved();
	cudaGraphLaunch(ready, s);
	cudaStreamSynchronize(s);
	cudaMemcpy(&again, total, sizeof sum, cudaMemcpyDeviceToHost);
	printf("captured: sum %d, again %d\n", sum, again);
	printf("freed before: %s; beside it: %s\n", p == q ? "the same address" : "another",
		r == q ? "the same address" : "another");
	bool same = once && reserved() == once;
	cudaDeviceGraphMemTrim(0);
	unsigned long long trimmed = reserved();
	cudaGraphExecDestroy(ready);
	cudaGraphDestroy(g);

	cudaGraphNode_t a, f, k, node;
	cudaMemAllocNodeParams params = bytes_of(4096), got;
	cudaGraphCreate(&g, 0);
	cudaGraphAddMemAllocNode(&a, g, NULL, 0, &params);
	void *fill_args[] = {&params.dptr, &n, &factor}, *add_args[] = {&params.dptr, &n, &total};
	k = kernel(g, a, (void *)fill, fill_args);
	k = kernel(g, k, (void *)add, add_args);
	cudaGraphAddMemFreeNode(&f, g, &k, 1, params.dptr);
	cudaMemset(total, 0, sizeof *total);
	cudaGraphInstantiate(&ready, g, 0);
	cudaGraphLaunch(ready, s);
	cudaStreamSynchronize(s);
	cudaMemcpy(&sum, total, sizeof sum, cudaMemcpyDeviceToHost);
	printf("nodes: sum %d\n", sum);
	cudaGraphMemAllocNodeGetParams(a, &got);
	printf("params: %zu bytes, %s\n", got.bytesize, got.dptr == params.dptr ? "its address" : "another");
	printf("reserved: %s before a launch, %s after it, %s after the next, %llu trimmed\n", none ? "0" : "some",
		once ? "more" : "none", same ? "the same" : "another", trimmed);

	/* what a launch leaves */
	cudaMemAllocNodeParams left = bytes_of(4096);
	cudaGraphCreate(&other, 0);
	cudaGraphAddMemAllocNode(&node, other, NULL, 0, &left);
	void *left_args[] = {&left.dptr, &n, &factor};
	kernel(other, node, (void *)fill, left_args);
	cudaGraphInstantiate(&second, other, 0);
	printf("unfreed: %s", cudaGraphLaunch(second, s) ? "not launched" : "launched");
	printf(", %s", text(cudaGraphLaunch(second, s)));
	cudaFreeAsync(left.dptr, s);
	printf(", %s\n", cudaGraphLaunch(second, s) ? "not launched" : "freed and launched");
	cudaGraph_t frees;
	cudaGraphExec_t freeing;
	cudaGraphCreate(&frees, 0);
	cudaGraphAddMemFreeNode(&node, frees, NULL, 0, left.dptr);
	cudaGraphInstantiate(&freeing, frees, 0);
	printf("of another graph: %s", text(cudaGraphLaunch(freeing, s)));
	printf(", then %s\n", text(cudaGraphLaunch(freeing, s)));
	cudaGraphExecDestroy(second);
	cudaGraphInstantiate(&second, other, cudaGraphInstantiateFlagAutoFreeOnLaunch);
	printf("freed on launch: %s", text(cudaGraphLaunch(second, s)));
	printf(", %s", text(cudaGraphLaunch(second, s)));
	cudaMemcpy(&sum, (int *)left.dptr + 7, sizeof sum, cudaMemcpyDeviceToHost);
	printf(", %d\n", sum / factor);
	cudaFree(left.dptr);

	/* what is refused */
	cudaGraph_t copy, parent;
	cudaGraphCreate(&parent, 0);
	printf("clone: %s\n", text(cudaGraphClone(&copy, g)));
	printf("child: %s\n", text(cudaGraphAddChildGraphNode(&node, parent, NULL, 0, g)));
	printf("made ready twice: %s\n", text(cudaGraphInstantiate(&freeing, g, 0)));
	printf("destroyed: %s\n", text(cudaGraphDestroyNode(k)));
	printf("freed twice: %s\n", text(cudaGraphAddMemFreeNode(&node, g, &f, 1, params.dptr)));
	params = bytes_of(64);
	cudaGraphAddMemAllocNode(&a, parent, NULL, 0, &params);
	printf("freed before it is allocated: %s, ",
		text(cudaGraphAddMemFreeNode(&node, parent, NULL, 0, params.dptr)));
	printf("%s\n", text(cudaGraphInstantiate(&freeing, parent, 0)));
	printf("no graph's: %s\n", text(cudaGraphAddMemFreeNode(&node, parent, &a, 1, total)));
	cudaFree(total);
	return 0;
}
