// A graph made by hand: every kind of node, changed, cloned, asked about, launched many times.
// out: 3 nodes, 1 root, 2 edges
// out: node 2 is of type 0 and needs 1
// out: 1000 wrong before, 0 after
// out: five launches: 6 5
// out: with another constant: 16
// out: without its kernel: 0
// out: clone: 2
// out: called 3 times
// out: child: 15
// out: circle: invalid argument
// out: updated: 107; another shape: the graph update was not performed because it included changes which violated constraints specific to instantiated graph update
// out: symbol 42
// out: allocated 1024 10
// out: destroyed once
// out: after destruction: invalid argument
#include <cstdio>
#include <cstring>

__device__ int constant;

__global__ void fill(int *p, int n, int value)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		p[i] = value;
}

__global__ void add(int *p, int value)
{
	atomicAdd(p, value);
}

__global__ void put(int *p)
{
	*p = constant;
}

static int calls;
static void call(void *)
{
	calls++;
}

static int *d, *e;
static const int n = 1000;
static int host[n];

static cudaGraphNode_t kernel(cudaGraph_t g, cudaGraphNode_t after, void *f, dim3 grid, void **args)
{
	cudaGraphNode_t node;
	cudaKernelNodeParams p = {};
	p.func = f;
	p.gridDim = grid;
	p.blockDim = dim3(f == (void *)fill ? 256 : 1);
	p.kernelParams = args;
	cudaError_t error = cudaGraphAddKernelNode(&node, g, &after, after ? 1 : 0, &p);
	if (error)
		printf("kernel node: %s\n", cudaGetErrorString(error));
	return node;
}

static void copies()
{
	cudaGraph_t g;
	cudaGraphNode_t set, run, back, nodes[3];
	cudaGraphExec_t exec;
	cudaGraphCreate(&g, 0);
	cudaMemsetParams m = {};
	m.dst = d;
	m.elementSize = 4;
	m.value = 7;
	m.width = n;
	m.height = 1;
	cudaGraphAddMemsetNode(&set, g, nullptr, 0, &m);
	int count = n, value = 9;
	void *args[] = {&d, &count, &value};
	run = kernel(g, set, (void *)fill, dim3(4), args);
	value = 1; // was taken
	cudaGraphAddMemcpyNode1D(&back, g, &run, 1, host, d, sizeof host, cudaMemcpyDeviceToHost);
	size_t all = 0, roots = 3, edges = 0, needs = 0;
	cudaGraphNodeType type;
	cudaGraphGetNodes(g, nullptr, &all);
	cudaGraphGetRootNodes(g, nodes, &roots);
	cudaGraphGetEdges(g, nullptr, nullptr, nullptr, &edges);
	printf("%zu nodes, %zu root, %zu edges\n", all, roots, edges);
	cudaGraphNodeGetType(run, &type);
	cudaGraphNodeGetDependencies(run, nullptr, nullptr, &needs);
	printf("node 2 is of type %d and needs %zu\n", (int)type, needs);
	cudaGraphInstantiate(&exec, g, nullptr, nullptr, 0);
	int wrong = 0, after = 0;
	for (int v : host)
		wrong += v != 9;
	cudaGraphLaunch(exec, 0);
	cudaDeviceSynchronize();
	for (int v : host)
		after += v != 9;
	printf("%d wrong before, %d after\n", wrong, after);
	cudaGraphExecDestroy(exec);
	cudaGraphDestroy(g);
}

static int value_of(int *p)
{
	int v = -1;
	cudaMemcpy(&v, p, 4, cudaMemcpyDeviceToHost);
	return v;
}

static void changes()
{
	cudaGraph_t g, clone, child, circle;
	cudaGraphExec_t exec, other, outer;
	cudaGraphNode_t run, copy, in_clone, x, y;
	cudaGraphCreate(&g, 0);
	int value = 1;
	void *args[] = {&d, &value};
	run = kernel(g, nullptr, (void *)add, dim3(1), args);
	cudaGraphInstantiate(&exec, g, 0);
	cudaMemset(d, 0, 4);
	cudaStream_t s;
	cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
	cudaDeviceSynchronize();
	for (int i = 0; i < 5; i++)
		cudaGraphLaunch(exec, s);
	cudaStreamSynchronize(s);
	int five = value_of(d);
	cudaGraphLaunch(exec, 0);
	printf("five launches: %d %d\n", value_of(d), five);

	value = 10;
	cudaKernelNodeParams p;
	cudaGraphKernelNodeGetParams(run, &p);
	p.kernelParams = args;
	cudaGraphExecKernelNodeSetParams(exec, run, &p);
	cudaGraphLaunch(exec, 0);
	printf("with another constant: %d\n", value_of(d));
	cudaGraphNodeSetEnabled(exec, run, 0);
	int before = value_of(d);
	cudaGraphLaunch(exec, 0);
	printf("without its kernel: %d\n", value_of(d) - before);

	cudaGraphClone(&clone, g);
	cudaGraphNodeFindInClone(&in_clone, run, clone);
	value = 2;
	cudaGraphKernelNodeSetParams(in_clone, &p);
	cudaGraphInstantiate(&other, clone, 0);
	cudaMemset(d, 0, 4);
	cudaGraphLaunch(other, 0);
	printf("clone: %d\n", value_of(d));

	cudaHostNodeParams h = {call, nullptr};
	cudaGraphNode_t nodes[3];
	cudaGraphCreate(&child, 0);
	for (int i = 0; i < 3; i++)
		cudaGraphAddHostNode(&nodes[i], child, nodes, i, &h);
	cudaGraphAddChildGraphNode(&copy, clone, &in_clone, 1, child);
	cudaGraphInstantiate(&outer, clone, 0);
	cudaGraphLaunch(outer, 0);
	cudaDeviceSynchronize();
	printf("called %d times\n", calls);

	cudaGraph_t parent;
	cudaGraphExec_t ready;
	cudaGraphCreate(&parent, 0);
	cudaGraphAddChildGraphNode(&x, parent, nullptr, 0, g);
	value = 14;
	kernel(parent, x, (void *)add, dim3(1), args);
	cudaGraphInstantiate(&ready, parent, 0);
	cudaMemset(d, 0, 4);
	cudaGraphLaunch(ready, 0);
	printf("child: %d\n", value_of(d));

	cudaGraphCreate(&circle, 0);
	cudaGraphAddEmptyNode(&x, circle, nullptr, 0);
	cudaGraphAddEmptyNode(&y, circle, &x, 1);
	cudaGraphAddDependencies(circle, &y, &x, nullptr, 1);
	printf("circle: %s\n", cudaGetErrorString(cudaGraphInstantiate(&outer, circle, 0)));

	cudaGraphExecUpdateResultInfo info;
	value = 107;
	cudaGraphKernelNodeSetParams(run, &p);
	cudaGraphExecUpdate(exec, g, &info);
	cudaGraphNodeSetEnabled(exec, run, 1);
	cudaMemset(d, 0, 4);
	cudaGraphLaunch(exec, 0);
	int updated = value_of(d);
	printf("updated: %d; another shape: %s\n", updated, cudaGetErrorString(cudaGraphExecUpdate(exec, circle, &info)));
	cudaStreamDestroy(s);
}

static void memory()
{
	cudaGraph_t g;
	cudaGraphExec_t exec;
	cudaGraphNode_t in, alloc, use, out;
	int v = 42;
	cudaGraphCreate(&g, 0);
	cudaGraphAddMemcpyNodeToSymbol(&in, g, nullptr, 0, constant, &v, 4, 0, cudaMemcpyHostToDevice);
	void *args[] = {&d};
	kernel(g, in, (void *)put, dim3(1), args);
	cudaGraphInstantiate(&exec, g, 0);
	cudaGraphDestroy(g);
	cudaGraphLaunch(exec, 0);
	printf("symbol %d\n", value_of(d));

	cudaMemAllocNodeParams a = {};
	a.poolProps.allocType = cudaMemAllocationTypePinned;
	a.poolProps.location.type = cudaMemLocationTypeDevice;
	a.bytesize = 1024;
	cudaGraphCreate(&g, 0);
	cudaGraphAddMemAllocNode(&alloc, g, nullptr, 0, &a);
	int *made = (int *)a.dptr, ten = 10, count = 256, *sink;
	void *fills[] = {&made, &count, &ten};
	use = kernel(g, alloc, (void *)fill, dim3(1), fills);
	cudaHostAlloc(&sink, 1024, 0);
	cudaGraphAddMemcpyNode1D(&out, g, &use, 1, sink, made, 1024, cudaMemcpyDeviceToHost);
	cudaGraphAddMemFreeNode(&in, g, &out, 1, made);
	cudaGraphInstantiate(&exec, g, 0);
	cudaGraphLaunch(exec, 0);
	cudaDeviceSynchronize();
	printf("allocated %zu %d\n", a.bytesize, sink[255]);
	cudaUserObject_t object;
	cudaUserObjectCreate(&object, sink, [](void *) { puts("destroyed once"); }, 1, cudaUserObjectNoDestructorSync);
	cudaGraphRetainUserObject(g, object, 1, cudaGraphUserObjectMove);
	cudaGraphDestroy(g);
	cudaGraphExecDestroy(exec);
	printf("after destruction: %s\n", cudaGetErrorString(cudaGraphLaunch(exec, 0)));
}

int main()
{
	cudaMalloc(&d, n * sizeof *d);
	cudaMalloc(&e, n * sizeof *e);
	copies();
	changes();
	memory();
	return 0;
}
