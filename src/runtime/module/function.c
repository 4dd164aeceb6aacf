/* What is asked of kernels: their attributes, what they are called, and how many blocks of them fit. */
#include <string.h>

#include "machine/ptx/program.h"
#include "model/hardware/occupancy.h"
#include "runtime/module/module.h"
#include "runtime/stream/queue.h"

enum function_attribute {
	ATTRIBUTE_DYNAMIC_SHARED = 8,
	ATTRIBUTE_CARVEOUT,
	ATTRIBUTE_CLUSTER_MUST_BE_SET,
	ATTRIBUTE_CLUSTER_WIDTH,
	ATTRIBUTE_CLUSTER_HEIGHT,
	ATTRIBUTE_CLUSTER_DEPTH,
	ATTRIBUTE_CLUSTER_UNPORTABLE,
	ATTRIBUTE_CLUSTER_POLICY,
};
#define CARVEOUT_DEFAULT (-1)
#define PERCENT 100
#define CLUSTER_PORTABLE 8
#define CLUSTER_MOST 16

RUNTIME_API int cudaFuncGetAttributes(struct cuda_function_attributes *out, const void *function)
{
	RUNTIME_ENTER(r);
	int error;
	struct cuda_kernel *kernel = out ? runtime_launch_kernel(r, function, &error) : NULL;
	if (!kernel)
		return runtime_leave(out ? error : CUDA_ErrorInvalidValue);
	const struct ptx_kernel *k = kernel->ptx;
	memset(out, 0, runtime_version < 13000 ? offsetof(struct cuda_function_attributes, reserved) : sizeof *out);
	out->shared = ptx_shared_bytes(k);

	out->constant = 0;
	for (int i = 0; i < k->module->n_vars; i++)
		if (k->module->vars[i]->space == SPACE_CONST)
			out->constant += k->module->vars[i]->size;

	out->local = k->local_bytes;
	out->threads_max = k->max_threads ? (int)k->max_threads : BLOCK_THREADS_MAX;
	/* PTX for an older GPU is compiled for this one when it is loaded. */
	out->ptx_version = ptx_built_for(k->module).cc ? ptx_built_for(k->module).cc : r->cc;
	out->binary_version = r->cc;

	/* Its dynamic shared memory: what cudaFuncSetAttribute asked for, or what the default leaves. */
	uint32_t fixed = ptx_shared_bytes(kernel->ptx);
	out->dynamic_shared_max = fixed < RUNTIME_SHARED_UNASKED ? (int)(RUNTIME_SHARED_UNASKED - fixed) : 0;
	if (kernel->dynamic_shared_max)
		out->dynamic_shared_max = (int)kernel->dynamic_shared_max;

	out->carveout = kernel->carveout;
	out->cluster_must_be_set = k->explicit_cluster;
	for (int i = 0; i < 3; i++)
		out->cluster[i] = (int)k->cluster[i];
	out->cluster_unportable = kernel->cluster_unportable;
	return runtime_leave(CUDA_Success);
}

/* An attribute of a kernel, which has been found. */
static int set_kernel_attribute(const struct runtime *r, struct cuda_kernel *kernel, int attribute, int value)
{
	switch (attribute) {
	case ATTRIBUTE_DYNAMIC_SHARED:
		if (value < 0 || (uint32_t)value > occupancy_sm(r->cc)->block_shared - ptx_shared_bytes(kernel->ptx))
			return CUDA_ErrorInvalidValue;
		kernel->dynamic_shared_max = (uint32_t)value;
		return CUDA_Success;
	case ATTRIBUTE_CARVEOUT:
		if (value < CARVEOUT_DEFAULT || value > PERCENT)
			return CUDA_ErrorInvalidValue;
		kernel->carveout = value;
		return CUDA_Success;
	case ATTRIBUTE_CLUSTER_UNPORTABLE: kernel->cluster_unportable = value != 0; return CUDA_Success;
	case ATTRIBUTE_CLUSTER_POLICY: return value < 0 || value > 2 ? CUDA_ErrorInvalidValue : CUDA_Success;
	default: return CUDA_ErrorInvalidValue;
	}
}

RUNTIME_API int cudaFuncSetAttribute(const void *function, int attribute, int value)
{
	RUNTIME_ENTER(r);
	int error;
	struct cuda_kernel *kernel = runtime_launch_kernel(r, function, &error);
	return runtime_leave(kernel ? set_kernel_attribute(r, kernel, attribute, value) : error);
}

RUNTIME_API int cudaKernelSetAttributeForDevice(struct cuda_kernel *handle, int attribute, int value, int device)
{
	RUNTIME_ENTER(r);
	int error;
	if (device < 0 || device >= r->devices)
		return runtime_leave(CUDA_ErrorInvalidDevice);
	struct cuda_kernel *kernel = runtime_launch_kernel(r, handle, &error);
	return runtime_leave(kernel ? set_kernel_attribute(r, kernel, attribute, value) : error);
}

/* What is asked of caches has no effect on what kernels compute. */
RUNTIME_API int cudaFuncSetCacheConfig(const void *function, int config)
{
	RUNTIME_ENTER(r);
	if (config < 0 || config > 3)
		return runtime_leave(CUDA_ErrorInvalidValue);
	return runtime_leave(runtime_kernel(r, function) ? CUDA_Success : CUDA_ErrorInvalidDeviceFunction);
}

RUNTIME_API int cudaFuncSetSharedMemConfig(const void *function, int config)
{
	RUNTIME_ENTER(r);
	if (config < 0 || config > 2)
		return runtime_leave(CUDA_ErrorInvalidValue);
	return runtime_leave(runtime_kernel(r, function) ? CUDA_Success : CUDA_ErrorInvalidDeviceFunction);
}

RUNTIME_API int cudaFuncGetName(const char **name, const void *function)
{
	RUNTIME_ENTER(r);
	const struct cuda_kernel *kernel = runtime_kernel(r, function);
	if (!name || !kernel)
		return runtime_leave(name ? CUDA_ErrorInvalidDeviceFunction : CUDA_ErrorInvalidValue);
	*name = kernel->name;
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaFuncGetParamInfo(const void *function, size_t index, size_t *offset, size_t *size)
{
	RUNTIME_ENTER(r);
	int error;
	struct cuda_kernel *kernel = runtime_launch_kernel(r, function, &error);
	if (!kernel)
		return runtime_leave(error);
	if (!offset || index >= (size_t)ptx_param_count(kernel->ptx))
		return runtime_leave(CUDA_ErrorInvalidValue);
	struct ptx_param p = ptx_kernel_param(kernel->ptx, (int)index);
	*offset = p.offset;
	if (size)
		*size = p.size;
	return runtime_leave(CUDA_Success);
}

/* Handles of kernels are the same for all calls. */
static int get_handle(void **out, const void *function)
{
	RUNTIME_ENTER(r);
	struct cuda_kernel *kernel = runtime_kernel(r, function);
	if (!out || !kernel)
		return runtime_leave(out ? CUDA_ErrorInvalidDeviceFunction : CUDA_ErrorInvalidValue);
	*out = kernel;
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaGetFuncBySymbol(void **out, const void *function)
{
	return get_handle(out, function);
}

RUNTIME_API int cudaGetKernel(void **out, const void *function)
{
	return get_handle(out, function);
}

/* --- occupancy ---------------------------------------------------------------------------------------------------- */

RUNTIME_API int cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
	int *blocks, const void *function, int threads, size_t shared, unsigned int flags)
{
	RUNTIME_ENTER(r);
	int error;
	if (!blocks || threads <= 0 || flags > 1)
		return runtime_leave(CUDA_ErrorInvalidValue);
	struct cuda_kernel *kernel = runtime_launch_kernel(r, function, &error);
	if (!kernel)
		return runtime_leave(error);
	bool fits = shared <= UINT32_MAX && shared + ptx_shared_bytes(kernel->ptx) <= runtime_shared_max(r, kernel);
	struct occupancy o = runtime_occupancy(r, kernel, (uint32_t)threads, fits ? shared : 0);
	*blocks = fits && threads <= BLOCK_THREADS_MAX && o.state == OCCUPANCY_OK ? (int)o.blocks : 0;
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaOccupancyMaxActiveBlocksPerMultiprocessor(
	int *blocks, const void *function, int threads, size_t shared)
{
	return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared, 0);
}

/* The most dynamic shared memory with which so many blocks still fit. */
RUNTIME_API int cudaOccupancyAvailableDynamicSMemPerBlock(size_t *shared, const void *function, int blocks, int threads)
{
	RUNTIME_ENTER(r);
	int error;
	if (!shared || blocks <= 0 || threads <= 0 || threads > BLOCK_THREADS_MAX)
		return runtime_leave(CUDA_ErrorInvalidValue);
	struct cuda_kernel *kernel = runtime_launch_kernel(r, function, &error);
	if (!kernel)
		return runtime_leave(error);
	const struct occupancy_sm *sm = occupancy_sm(r->cc);
	uint32_t fixed = ptx_shared_bytes(kernel->ptx), unit = sm->shared_unit;
	uint32_t each = sm->shared / (uint32_t)blocks / unit * unit;
	each = each > sm->reserved ? each - sm->reserved : 0;
	each = each < sm->block_shared ? each : sm->block_shared;
	struct occupancy o = runtime_occupancy(r, kernel, (uint32_t)threads, 0);
	if (o.state != OCCUPANCY_OK || o.blocks < (uint32_t)blocks || each < fixed)
		return runtime_leave(CUDA_ErrorInvalidValue);
	*shared = each - fixed;
	return runtime_leave(CUDA_Success);
}

/* The kernel and the blocks of a cluster that a launch configuration asks for, 0: none. NULL: an error. */
static struct cuda_kernel *cluster_of(
	struct runtime *r, const void *function, const struct cuda_launch_config *c, uint64_t *blocks, int *error)
{
	struct cuda_kernel *kernel = c ? runtime_launch_kernel(r, function, error) : NULL;
	if (!c || (c->n_attributes && !c->attributes))
		*error = CUDA_ErrorInvalidValue;
	if (!kernel || *error != CUDA_Success)
		return NULL;
	const uint32_t *dims = kernel->ptx->cluster;
	for (unsigned int i = 0; i < c->n_attributes; i++)
		if (c->attributes[i].id == CUDA_LaunchAttributeClusterDimension)
			dims = c->attributes[i].value.dims;
	*blocks = dims[0] ? (uint64_t)dims[0] * (dims[1] ? dims[1] : 1) * (dims[2] ? dims[2] : 1) : 0;
	return kernel;
}

static uint32_t config_threads(const struct cuda_launch_config *c)
{
	uint64_t threads = (uint64_t)c->block.x * c->block.y * c->block.z;
	return threads <= BLOCK_THREADS_MAX ? (uint32_t)threads : 0;
}

RUNTIME_API int cudaOccupancyMaxPotentialClusterSize(
	int *size, const void *function, const struct cuda_launch_config *c)
{
	RUNTIME_ENTER(r);
	int error = CUDA_Success;
	uint64_t blocks;
	struct cuda_kernel *kernel = size ? cluster_of(r, function, c, &blocks, &error) : NULL;
	if (!kernel || !config_threads(c))
		return runtime_leave(size && !kernel ? error : CUDA_ErrorInvalidValue);
	struct occupancy o = runtime_occupancy(r, kernel, config_threads(c), c->shared);
	if (r->cc < 90 || o.state != OCCUPANCY_OK)
		return runtime_leave(r->cc < 90 ? CUDA_ErrorNotSupported : CUDA_ErrorInvalidConfiguration);
	*size = kernel->cluster_unportable ? CLUSTER_MOST : CLUSTER_PORTABLE;
	return runtime_leave(CUDA_Success);
}

/* Those that the SMs hold at a time. Which SMs a cluster may be spread over is not known, so it is what they could hold
 * at most. */
RUNTIME_API int cudaOccupancyMaxActiveClusters(int *clusters, const void *function, const struct cuda_launch_config *c)
{
	RUNTIME_ENTER(r);
	int error = CUDA_Success;
	uint64_t blocks;
	struct cuda_kernel *kernel = clusters ? cluster_of(r, function, c, &blocks, &error) : NULL;
	if (!kernel || !config_threads(c))
		return runtime_leave(clusters && !kernel ? error : CUDA_ErrorInvalidValue);
	if (r->cc < 90)
		return runtime_leave(CUDA_ErrorNotSupported);
	if (blocks > (kernel->cluster_unportable ? CLUSTER_MOST : CLUSTER_PORTABLE))
		return runtime_leave(CUDA_ErrorInvalidClusterSize);
	struct occupancy o = runtime_occupancy(r, kernel, config_threads(c), c->shared);
	uint64_t held = o.state == OCCUPANCY_OK ? (uint64_t)o.blocks * runtime_sms(r) : 0;
	*clusters = (int)(held / (blocks ? blocks : 1));
	return runtime_leave(CUDA_Success);
}
