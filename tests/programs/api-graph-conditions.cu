// Conditional nodes of graphs: what a kernel sets decides whether a body runs, which of several, and how often.
// out: while: 5 steps, then 5 more, 1 after it each time
// out: if 1: 10, if 0: 0; else 1: 10, else 0: 20
// out: switch 0 to 3: 100, 101, 102, 0
// out: Collatz of 27 has 111 steps, of 7 16, of 1 0
// out: a copy of such a graph: operation not supported; as a child: operation not supported; a used handle: invalid argument
#include <cstdio>
#include <cuda_runtime.h>

__global__ void step(cudaGraphConditionalHandle handle, int *n)
{
	*n += 1;
	cudaGraphSetConditional(handle, *n % 5 != 0);
}

__global__ void put(int *at, int value)
{
	*at = value;
}

__global__ void add(int *at, int value)
{
	*at += value;
}

__global__ void decide(cudaGraphConditionalHandle handle, const int *by)
{
	cudaGraphSetConditional(handle, *by);
}

// While n is not 1: if it is odd 3n + 1, else n / 2
__global__ void is_one(cudaGraphConditionalHandle goes_on, const int *n)
{
	cudaGraphSetConditional(goes_on, *n != 1);
}

__global__ void is_odd(cudaGraphConditionalHandle odd, const int *n)
{
	cudaGraphSetConditional(odd, *n % 2);
}

__global__ void triple(int *n)
{
	*n = 3 * *n + 1;
}

__global__ void halve(int *n)
{
	*n /= 2;
}

static cudaGraph_t *conditional(
	cudaGraph_t graph, cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type, unsigned size,
	cudaGraphNode_t *node, cudaGraphNode_t *after = nullptr)
{
	cudaGraphNodeParams p = {};
	p.type = cudaGraphNodeTypeConditional;
	p.conditional.handle = handle;
	p.conditional.type = type;
	p.conditional.size = size;
	cudaError_t error = cudaGraphAddNode(node, graph, after, nullptr, after ? 1 : 0, &p);
	if (error != cudaSuccess)
		printf("%s\n", cudaGetErrorString(error));
	return p.conditional.phGraph_out;
}

template <typename... T>
static cudaGraphNode_t kernel(cudaGraph_t graph, cudaGraphNode_t *after, void (*function)(T...), T... values)
{
	cudaGraphNode_t node;
	void *args[] = {&values...};
	cudaKernelNodeParams p = {};
	p.func = (void *)function;
	p.gridDim = p.blockDim = dim3(1);
	p.kernelParams = args;
	cudaError_t error = cudaGraphAddKernelNode(&node, graph, after, after ? 1 : 0, &p);
	if (error != cudaSuccess)
		printf("%s\n", cudaGetErrorString(error));
	return node;
}

static int run(cudaGraph_t graph, const int *d)
{
	cudaGraphExec_t exec;
	int h = -1;
	cudaGraphInstantiate(&exec, graph, 0);
	cudaGraphLaunch(exec, 0);
	cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
	cudaGraphExecDestroy(exec);
	return h;
}

int main()
{
	int *d, h[4];
	cudaGraph_t graph, *body, *inner;
	cudaGraphExec_t exec;
	cudaGraphConditionalHandle handle, other;
	cudaGraphNode_t node, last;
	cudaStream_t s;
	cudaMalloc(&d, sizeof h);
	cudaMemset(d, 0, sizeof h);
	cudaStreamCreate(&s);

	// A loop whose body is captured, and what comes after it; launched twice.
	cudaGraphCreate(&graph, 0);
	cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault);
	body = conditional(graph, handle, cudaGraphCondTypeWhile, 1, &node);
	cudaStreamBeginCaptureToGraph(s, body[0], nullptr, nullptr, 0, cudaStreamCaptureModeRelaxed);
	step<<<1, 1, 0, s>>>(handle, d);
	cudaStreamEndCapture(s, nullptr);
	last = kernel(graph, &node, add, d + 1, 1);
	cudaGraphInstantiate(&exec, graph, 0);
	cudaGraphLaunch(exec, s);
	cudaStreamSynchronize(s);
	cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	printf("while: %d steps, ", h[0]);
	cudaGraphLaunch(exec, s);
	cudaStreamSynchronize(s);
	cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	printf("then %d more, %d after it each time\n", h[0] - 5, h[1] / 2);
	cudaGraphExecDestroy(exec);
	cudaGraphDestroy(graph);

	// One body, or one of two.
	for (unsigned size = 1; size <= 2; size++) {
		cudaGraphCreate(&graph, 0);
		cudaGraphConditionalHandleCreate(&handle, graph, 0, 0);
		node = kernel(graph, nullptr, put, d + 1, 0);
		last = kernel(graph, &node, decide, handle, (const int *)d);
		body = conditional(graph, handle, cudaGraphCondTypeIf, size, &node, &last);
		for (unsigned i = 0; i < size; i++)
			kernel(body[i], nullptr, put, d + 1, int(10 * (i + 1)));
		for (int value = 1; value >= 0; value--) {
			cudaMemcpy(d, &value, sizeof value, cudaMemcpyHostToDevice);
			printf("%s %d: %d%s", size == 1 ? "if" : "else", value, run(graph, d + 1), value ? ", " : size == 1 ? "; " : "\n");
		}
		cudaGraphDestroy(graph);
	}

	// One of three.
	cudaGraphCreate(&graph, 0);
	cudaGraphConditionalHandleCreate(&handle, graph, 0, 0);
	node = kernel(graph, nullptr, put, d + 1, 0);
	last = kernel(graph, &node, decide, handle, (const int *)d);
	body = conditional(graph, handle, cudaGraphCondTypeSwitch, 3, &node, &last);
	for (int i = 0; i < 3; i++)
		kernel(body[i], nullptr, put, d + 1, 100 + i);
	printf("switch 0 to 3:");
	for (int value = 0; value < 4; value++) {
		cudaMemcpy(d, &value, sizeof value, cudaMemcpyHostToDevice);
		printf(" %d%s", run(graph, d + 1), value < 3 ? "," : "\n");
	}
	cudaGraphDestroy(graph);

	// A loop with a choice in it.
	cudaGraphCreate(&graph, 0);
	cudaGraphConditionalHandleCreate(&handle, graph, 0, 0);
	node = kernel(graph, nullptr, is_one, handle, (const int *)d);
	body = conditional(graph, handle, cudaGraphCondTypeWhile, 1, &last, &node);
	cudaGraphConditionalHandleCreate(&other, body[0], 0, 0);
	node = kernel(body[0], nullptr, is_odd, other, (const int *)d);
	inner = conditional(body[0], other, cudaGraphCondTypeIf, 2, &last, &node);
	kernel(inner[0], nullptr, triple, d);
	kernel(inner[1], nullptr, halve, d);
	last = kernel(body[0], &last, add, d + 1, 1);
	kernel(body[0], &last, is_one, handle, (const int *)d);
	printf("Collatz of");
	for (int n : {27, 7, 1}) {
		int begin[2] = {n, 0};
		cudaMemcpy(d, begin, sizeof begin, cudaMemcpyHostToDevice);
		printf(" %d %s%d%s", n, n == 27 ? "has " : "", run(graph, d + 1), n == 27 ? " steps, of" : n == 1 ? "\n" : ", of");
	}

	cudaGraph_t clone;
	cudaGraph_t parent;
	cudaGraphCreate(&parent, 0);
	printf("a copy of such a graph: %s; ", cudaGetErrorString(cudaGraphClone(&clone, graph)));
	printf("as a child: %s; ", cudaGetErrorString(cudaGraphAddChildGraphNode(&node, parent, nullptr, 0, graph)));
	cudaGraphNodeParams p = {};
	p.type = cudaGraphNodeTypeConditional;
	p.conditional.handle = handle;
	p.conditional.size = 1;
	printf("a used handle: %s\n", cudaGetErrorString(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &p)));
	cudaGetLastError();
	cudaGraphDestroy(parent);
	cudaGraphDestroy(graph);
	cudaStreamDestroy(s);
	cudaFree(d);
	return 0;
}
