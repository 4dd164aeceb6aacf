// Graphs by the driver API: a fill, a launch and a copy that depend on each other; one that is captured.
// out: 3 nodes, 2 edges
// out: 6 7 8 0
// out: changed: 16 17 18 0
// out: captured: 30 31 32 0
#include "driver.h"

struct kernel_node {
	void *f;
	unsigned int grid[3], block[3], shared;
	void **args, **extra;
	void *kernel, *context;
};
struct fill_node {
	uint64_t at;
	size_t pitch;
	unsigned int value, element;
	size_t width, height;
};
struct end {
	size_t x, y, z, level;
	int type;
	const void *host;
	uint64_t device;
	void *array, *none;
	size_t pitch, rows;
};
struct box {
	struct end from, to;
	size_t width, height, depth;
};

static int out[4];

static void run(void *ready, const char *before)
{
	memset(out, 0xFF, sizeof out);
	CALL(cuGraphLaunch, ready, NULL);
	CALL(cuCtxSynchronize, 0);
	printf("%s%d %d %d %d\n", before, out[0], out[1], out[2], out[3]);
}

int main(void)
{
	void *module, *f, *graph, *ready, *nodes[3], *context, *stream;
	uint64_t memory;
	unsigned int value = 6;
	size_t n_nodes = 0, n_edges = 0;
	begin();
	CALL(cuCtxGetCurrent, &context);
	CALL(cuModuleLoadData, &module, PTX ADD);
	CALL(cuModuleGetFunction, &f, module, "add");
	CALL(cuMemAlloc_v2, &memory, SIZE 16);
	CALL(cuGraphCreate, &graph, 0);
	struct fill_node fill = {memory, 0, 0, 4, 4, 1};
	void *args[] = {&memory, &value};
	struct kernel_node launch = {f, {1, 1, 1}, {3, 1, 1}, 0, args, NULL, NULL, NULL};
	struct box copy;
	memset(&copy, 0, sizeof copy);
	copy.from = (struct end){.type = 2, .device = memory, .pitch = 16, .rows = 1};
	copy.to = (struct end){.type = 1, .host = out, .pitch = 16, .rows = 1};
	copy.width = 16, copy.height = 1, copy.depth = 1;
	CALL(cuGraphAddMemsetNode, &nodes[0], graph, NULL, SIZE 0, &fill, context);
	CALL(cuGraphAddKernelNode_v2, &nodes[1], graph, &nodes[0], SIZE 1, &launch);
	CALL(cuGraphAddMemcpyNode, &nodes[2], graph, &nodes[1], SIZE 1, &copy, context);
	CALL(cuGraphGetNodes, graph, NULL, &n_nodes);
	CALL(cuGraphGetEdges_v2, graph, NULL, NULL, NULL, &n_edges);
	printf("%zu nodes, %zu edges\n", n_nodes, n_edges);
	CALL(cuGraphInstantiateWithFlags, &ready, graph, AT 0);
	run(ready, "");
	value = 16;
	CALL(cuGraphExecKernelNodeSetParams_v2, ready, nodes[1], &launch);
	run(ready, "changed: ");
	CALL(cuGraphExecDestroy, ready);
	CALL(cuGraphDestroy, graph);

	CALL(cuStreamCreate, &stream, 1);
	CALL(cuStreamBeginCapture_v2, stream, 0);
	CALL(cuMemsetD32Async, AT memory, 0, SIZE 4, stream);
	value = 30;
	CALL(cuLaunchKernel, f, 1, 1, 1, 3, 1, 1, 0, stream, args, NULL);
	CALL(cuMemcpyDtoHAsync_v2, out, AT memory, SIZE 16, stream);
	CALL(cuStreamEndCapture, stream, &graph);
	CALL(cuGraphInstantiateWithFlags, &ready, graph, AT 0);
	run(ready, "captured: ");
	return 0;
}
