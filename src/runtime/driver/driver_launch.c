/* Launches by the driver API, and what is asked of functions. */
#include <string.h>

#include "runtime/driver/driver.h"
#include "runtime/module/module.h"
#include "runtime/stream/graph.h"
#include "runtime/stream/queue.h"

/* --- launches ----------------------------------------------------------------------------------------------------- */

static int launch_one(struct launch_request *request, unsigned int shared)
{
	request->config.shared = shared;
	if (!request->args || !request->extra)
		return runtime_launch(request);
	RUNTIME_ENTER(r);
	(void)r;
	return runtime_leave(CUDA_ErrorInvalidValue);
}

int cuLaunchKernel(const void *function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
	unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared,
	struct cuda_stream *stream, void **args, void **extra)
{
	struct launch_request request = {.function = function, .args = args, .extra = extra, .stream = stream};
	request.config.grid = (struct dim3_abi){grid_x, grid_y, grid_z};
	request.config.block = (struct dim3_abi){block_x, block_y, block_z};
	return launch_one(&request, shared);
}

int cuLaunchCooperativeKernel(const void *function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
	unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared,
	struct cuda_stream *stream, void **args)
{
	struct launch_request request = {.function = function, .args = args, .stream = stream};
	request.config.grid = (struct dim3_abi){grid_x, grid_y, grid_z};
	request.config.block = (struct dim3_abi){block_x, block_y, block_z};
	request.config.cooperative = true;
	return launch_one(&request, shared);
}

/* CUlaunchConfig */
struct driver_config {
	struct dim3_abi grid, block;
	unsigned int shared;
	struct cuda_stream *stream;
	const struct cuda_launch_attribute *attributes;
	unsigned int n_attributes;
};

int cuLaunchKernelEx(const struct driver_config *c, const void *function, void **args, void **extra)
{
	struct launch_request request = {.function = function, .args = args, .extra = extra};
	if (!c || (c->n_attributes && !c->attributes) ||
		!runtime_launch_attributes(c->attributes, c->n_attributes, &request.config)) {
		RUNTIME_ENTER(r);
		(void)r;
		return runtime_leave(CUDA_ErrorInvalidValue);
	}
	request.config.grid = c->grid;
	request.config.block = c->block;
	request.stream = c->stream;
	return launch_one(&request, c->shared);
}

/* --- attributes --------------------------------------------------------------------------------------------------- */

/* CUfunction_attribute; those from the dynamic shared memory on are set by the same numbers in the runtime. */
enum {
	FUNCTION_THREADS_MAX,
	FUNCTION_SHARED,
	FUNCTION_CONSTANT,
	FUNCTION_LOCAL,
	FUNCTION_REGISTERS,
	FUNCTION_PTX_VERSION,
	FUNCTION_BINARY_VERSION,
	FUNCTION_CACHE_MODE,
	FUNCTION_DYNAMIC_SHARED,
	FUNCTION_CARVEOUT,
	FUNCTION_CLUSTER_MUST_BE_SET,
	FUNCTION_CLUSTER_WIDTH,
	FUNCTION_CLUSTER_HEIGHT,
	FUNCTION_CLUSTER_DEPTH,
	FUNCTION_CLUSTER_UNPORTABLE,
	FUNCTION_CLUSTER_POLICY,
	FUNCTION_ATTRIBUTES
};

int cuFuncGetAttribute(int *value, int attribute, const void *function)
{
	struct cuda_function_attributes a;
	if (!value || attribute < 0 || attribute >= FUNCTION_ATTRIBUTES)
		return CUDA_ErrorInvalidValue;
	int error = cudaFuncGetAttributes(&a, function);
	if (error != CUDA_Success)
		return error;
	switch (attribute) {
	case FUNCTION_THREADS_MAX: *value = a.threads_max; break;
	case FUNCTION_SHARED: *value = (int)a.shared; break;
	case FUNCTION_CONSTANT: *value = (int)a.constant; break;
	case FUNCTION_LOCAL: *value = (int)a.local; break;
	case FUNCTION_REGISTERS: *value = a.registers; break;
	case FUNCTION_PTX_VERSION: *value = a.ptx_version; break;
	case FUNCTION_BINARY_VERSION: *value = a.binary_version; break;
	case FUNCTION_CACHE_MODE: *value = a.cache_mode; break;
	case FUNCTION_DYNAMIC_SHARED: *value = a.dynamic_shared_max; break;
	case FUNCTION_CARVEOUT: *value = a.carveout; break;
	case FUNCTION_CLUSTER_MUST_BE_SET: *value = a.cluster_must_be_set; break;
	case FUNCTION_CLUSTER_UNPORTABLE: *value = a.cluster_unportable; break;
	case FUNCTION_CLUSTER_POLICY: *value = a.cluster_policy; break;
	default: *value = a.cluster[attribute - FUNCTION_CLUSTER_WIDTH]; break;
	}
	return CUDA_Success;
}

int cuKernelGetAttribute(int *value, int attribute, const void *kernel, int device)
{
	(void)device; /* they are all alike */
	return cuFuncGetAttribute(value, attribute, kernel);
}

int cudaKernelSetAttributeForDevice(struct cuda_kernel *handle, int attribute, int value, int device);

int cuKernelSetAttribute(int attribute, int value, struct cuda_kernel *kernel, int device)
{
	return cudaKernelSetAttributeForDevice(kernel, attribute, value, device);
}

int cudaFuncSetCacheConfig(const void *function, int config);

int cuKernelSetCacheConfig(const void *kernel, int config, int device)
{
	(void)device;
	return cudaFuncSetCacheConfig(kernel, config);
}

/* --- occupancy ---------------------------------------------------------------------------------------------------- */

typedef size_t shared_of_block(int threads);

int cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
	int *blocks, const void *function, int threads, size_t shared, unsigned int flags);

static int find_block_size(
	int out[2], const void *function, shared_of_block *shared_of, size_t shared, int limit, unsigned int flags)
{
	struct cuda_function_attributes a;
	int best = 0, error = cudaFuncGetAttributes(&a, function);
	if (error != CUDA_Success)
		return error;
	int most = limit > 0 && limit < a.threads_max ? limit : a.threads_max;
	for (int n = (most + WARP_SIZE - 1) / WARP_SIZE * WARP_SIZE; n > 0; n -= WARP_SIZE) {
		int threads = n < most ? n : most, blocks = 0;
		error = cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
			&blocks, function, threads, shared_of ? shared_of(threads) : shared, flags);
		if (error != CUDA_Success)
			return error;
		if (blocks * threads <= best)
			continue;
		best = blocks * threads;
		out[0] = blocks;
		out[1] = threads;
	}
	return CUDA_Success;
}

int cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, const void *function, shared_of_block *shared_of,
	size_t shared, int limit, unsigned int flags)
{
	int found[2] = {0, 0};
	if (!grid || !block)
		return CUDA_ErrorInvalidValue;
	int error = find_block_size(found, function, shared_of, shared, limit, flags);
	if (error != CUDA_Success)
		return error;
	RUNTIME_ENTER(r);
	*grid = found[0] * (int)runtime_sms(r);
	*block = found[1];
	return runtime_leave(CUDA_Success);
}

int cuOccupancyMaxPotentialBlockSize(
	int *grid, int *block, const void *function, shared_of_block *shared_of, size_t shared, int limit)
{
	return cuOccupancyMaxPotentialBlockSizeWithFlags(grid, block, function, shared_of, shared, limit, 0);
}

int cudaOccupancyMaxPotentialClusterSize(int *size, const void *function, const struct cuda_launch_config *c);
int cudaOccupancyMaxActiveClusters(int *clusters, const void *function, const struct cuda_launch_config *c);

static struct cuda_launch_config config_of(const struct driver_config *c)
{
	return (struct cuda_launch_config){c->grid, c->block, c->shared, c->stream, c->attributes, c->n_attributes};
}

int cuOccupancyMaxPotentialClusterSize(int *size, const void *function, const struct driver_config *c)
{
	struct cuda_launch_config config = c ? config_of(c) : (struct cuda_launch_config){0};
	return cudaOccupancyMaxPotentialClusterSize(size, function, c ? &config : NULL);
}

int cuOccupancyMaxActiveClusters(int *clusters, const void *function, const struct driver_config *c)
{
	struct cuda_launch_config config = c ? config_of(c) : (struct cuda_launch_config){0};
	return cudaOccupancyMaxActiveClusters(clusters, function, c ? &config : NULL);
}

/* --- nodes of graphs -------------------------------------------------------------------------------------------------
 *
 * Nodes of graphs that launch a kernel, as the driver API has had them since CUDA 12: the rest is the runtime's. */

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
