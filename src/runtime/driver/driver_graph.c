/* Nodes of graphs that launch a kernel, as the driver API has had them since CUDA 12: the rest is the runtime's. */
#include "runtime/driver/driver.h"
#include "runtime/stream/graph.h"

/* CUDA_KERNEL_NODE_PARAMS, which begins as the runtime's cudaKernelNodeParams. */
struct driver_node {
	struct graph_kernel launch;
	void *kernel; /* where the launch names no function */
	struct cuda_context *context;
};

int cudaGraphAddKernelNode(void **out, void *graph, void *const *needs, size_t n, const struct graph_kernel *p);
int cudaGraphKernelNodeSetParams(void *node, const struct graph_kernel *p);
int cudaGraphExecKernelNodeSetParams(void *exec, void *node, const struct graph_kernel *p);
int cudaGraphKernelNodeGetParams(struct graph_node *node, struct graph_kernel *out);

static struct graph_kernel launch_of(const struct driver_node *p)
{
	struct graph_kernel launch = p->launch;
	if (!launch.function)
		launch.function = p->kernel;
	return launch;
}

int cuGraphAddKernelNode_v2(void **out, void *graph, void *const *needs, size_t n, const struct driver_node *p)
{
	if (!p)
		return CUDA_ErrorInvalidValue;
	struct graph_kernel launch = launch_of(p);
	return cudaGraphAddKernelNode(out, graph, needs, n, &launch);
}

int cuGraphKernelNodeSetParams_v2(void *node, const struct driver_node *p)
{
	if (!p)
		return CUDA_ErrorInvalidValue;
	struct graph_kernel launch = launch_of(p);
	return cudaGraphKernelNodeSetParams(node, &launch);
}

int cuGraphExecKernelNodeSetParams_v2(void *exec, void *node, const struct driver_node *p)
{
	if (!p)
		return CUDA_ErrorInvalidValue;
	struct graph_kernel launch = launch_of(p);
	return cudaGraphExecKernelNodeSetParams(exec, node, &launch);
}

int cuGraphKernelNodeGetParams_v2(struct graph_node *node, struct driver_node *out)
{
	int error = out ? cudaGraphKernelNodeGetParams(node, &out->launch) : CUDA_ErrorInvalidValue;
	if (error == CUDA_Success) {
		out->kernel = NULL;
		out->context = NULL;
	}
	return error;
}
