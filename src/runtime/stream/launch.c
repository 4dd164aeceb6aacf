/* Launches: what the program asks for, and what of it is refused at once. */
#include "runtime/stream/queue.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "machine/ptx/program.h"
#include "model/hardware/occupancy.h"
#include "runtime/report/report.h"

enum { EXTRA_END, EXTRA_BUFFER, EXTRA_BYTES };

/* Between <<< >>> and the call of the kernel's stub; arguments may launch, too. */
#define CONFIGURATIONS 16
struct pushed_config {
	struct cuda_config config;
	void *stream;
};
static _Thread_local struct pushed_config pushed[CONFIGURATIONS];
static _Thread_local int n_pushed;

RUNTIME_API unsigned __cudaPushCallConfiguration(
	struct dim3_abi grid, struct dim3_abi block, size_t shared, void *stream)
{
	if (n_pushed == CONFIGURATIONS)
		return 1;
	pushed[n_pushed++] = (struct pushed_config){{.grid = grid, .block = block, .shared = shared}, stream};
	return 0;
}

RUNTIME_API int __cudaPopCallConfiguration(struct dim3_abi *grid, struct dim3_abi *block, size_t *shared, void *stream)
{
	if (!n_pushed) {
		RUNTIME_ENTER(r);
		return runtime_leave(CUDA_ErrorMissingConfiguration);
	}
	const struct pushed_config *c = &pushed[--n_pushed];
	*grid = c->config.grid;
	*block = c->config.block;
	*shared = c->config.shared;
	*(void **)stream = c->stream;
	return CUDA_Success;
}

/* --- what is refused ---------------------------------------------------------------------------------------------- */

void runtime_put_name(const char *mangled, struct buf *out)
{
	struct arena *arena = arena_new();
	struct demangled d;
	buf_puts(out, demangle(arena, mangled, &d) ? d.name : mangled);
	arena_free(arena);
}

static void put_dim(const struct dim3_abi *d, struct buf *out)
{
	if (d->z > 1 || !d->y || !d->z)
		buf_printf(out, "(%u, %u, %u)", d->x, d->y, d->z);
	else if (d->y > 1)
		buf_printf(out, "(%u, %u)", d->x, d->y);
	else
		buf_printf(out, "%u", d->x);
}

void runtime_put_launch(const struct cuda_kernel *kernel, const struct cuda_config *c, struct buf *out)
{
	runtime_put_name(kernel->name, out);
	buf_puts(out, "<<<");
	put_dim(&c->grid, out);
	buf_puts(out, ", ");
	put_dim(&c->block, out);
	if (c->shared)
		buf_printf(out, ", %zu", c->shared);
	buf_puts(out, ">>>");
}

void runtime_launch_fault(const struct cuda_kernel *kernel, const struct cuda_config *c, const char *format, ...)
{
	struct buf text = {0};
	va_list args;
	runtime_put_launch(kernel, c, &text);
	va_start(args, format);
	buf_vprintf(&text, format, args);
	va_end(args);
	report_problem(NULL, REPORT_LAUNCH, NULL, "%s", buf_str(&text));
	buf_free(&text);
}

uint32_t runtime_sms(const struct runtime *r)
{
	return occupancy_sms(r->cc, NULL);
}

uint32_t runtime_shared_max(const struct runtime *r, const struct cuda_kernel *kernel)
{
	return kernel->dynamic_shared_max ? occupancy_sm(r->cc)->block_shared : RUNTIME_SHARED_UNASKED;
}

struct occupancy runtime_occupancy(
	const struct runtime *r, const struct cuda_kernel *kernel, uint32_t threads, size_t dynamic_shared)
{
	struct occupancy_block block = {
		.threads = threads, .shared = (uint32_t)(ptx_shared_bytes(kernel->ptx) + dynamic_shared)};
	return occupancy(r->cc, &block);
}

static int refuse_launch(const struct cuda_kernel *kernel, const struct cuda_config *c, int error, const char *why)
{
	runtime_launch_fault(kernel, c, " is not launched: %s", why);
	return error;
}

/* The documents have cudaErrorInvalidConfiguration for the limits. Verified: H100, H200, CUDA 13.0
 * (doc/hardware.md). */
static int check_launch(struct runtime *r, const struct cuda_kernel *kernel, const struct cuda_config *c)
{
	uint64_t threads = (uint64_t)c->block.x * c->block.y * c->block.z;
	const struct ptx_kernel *k = kernel->ptx;
	if (kernel->needs) {
		runtime_launch_fault(kernel, c, " is not launched: %s is not emulated", kernel->needs);
		return CUDA_ErrorNotSupported;
	}
	if (!threads || !c->grid.x || !c->grid.y || !c->grid.z)
		return refuse_launch(kernel, c, CUDA_ErrorInvalidValue, "a dimension is 0");
	if (threads > BLOCK_THREADS_MAX)
		return refuse_launch(kernel, c, CUDA_ErrorInvalidValue, "a block has 1024 threads at most");
	if (c->block.z > 64 || c->block.x > BLOCK_THREADS_MAX || c->block.y > BLOCK_THREADS_MAX)
		return refuse_launch(kernel, c, CUDA_ErrorInvalidValue,
			"a block is at most 1024 threads wide and high, and 64 deep");
	if (c->grid.x > INT32_MAX || c->grid.y > 65535 || c->grid.z > 65535)
		return refuse_launch(kernel, c, CUDA_ErrorInvalidValue,
			"a grid is at most 2147483647 blocks wide, and 65535 high and deep");
	if (k->max_threads && threads > k->max_threads)
		return refuse_launch(kernel, c, CUDA_ErrorInvalidValue,
			"its blocks have more threads than its __launch_bounds__ allow");
	if (k->required[0] &&
		(k->required[0] != c->block.x || k->required[1] != c->block.y || k->required[2] != c->block.z))
		return refuse_launch(kernel, c, CUDA_ErrorInvalidValue, "it was compiled for blocks of another size");

	/* Shared memory: what it has at most, and what the program has asked for. */
	uint64_t shared = c->shared + ptx_shared_bytes(k);
	uint32_t asked = kernel->dynamic_shared_max;
	if (c->shared > UINT32_MAX || shared > runtime_shared_max(r, kernel) || (asked && c->shared > asked)) {
		runtime_launch_fault(kernel, c,
			" is not launched with %zu bytes of shared memory: it is more than a block may have; past 48 KiB "
			"cudaFuncSetAttribute has to ask for it",
			c->shared);
		return CUDA_ErrorInvalidValue;
	}

	if (!runtime_take_window(r, &c->window))
		return refuse_launch(kernel, c, CUDA_ErrorInvalidValue, "its access policy window is none");

	/* Clusters: of the launch, or as the kernel says. */
	uint32_t dims[3] = {c->cluster.x, c->cluster.y, c->cluster.z};
	const uint32_t *cluster = dims[0] ? dims : k->cluster;
	if (!cluster[0] && k->explicit_cluster)
		return refuse_launch(kernel, c, CUDA_ErrorInvalidClusterSize,
			"it needs clusters, and the launch names no size of them");
	if (cluster[0] && r->cc < 90)
		return refuse_launch(kernel, c, CUDA_ErrorNotSupported, "clusters need compute capability 9.0");
	uint64_t n = (uint64_t)cluster[0] * (cluster[1] ? cluster[1] : 1) * (cluster[2] ? cluster[2] : 1);
	if (n > (kernel->cluster_unportable ? 16 : 8))
		return refuse_launch(kernel, c, CUDA_ErrorInvalidClusterSize,
			"a cluster has 8 blocks at most, or 16 where cudaFuncSetAttribute allows it");
	if (cluster[0] &&
		(c->grid.x % cluster[0] || (cluster[1] && c->grid.y % cluster[1]) ||
			(cluster[2] && c->grid.z % cluster[2])))
		return refuse_launch(
			kernel, c, CUDA_ErrorInvalidClusterSize, "the grid cannot be divided into its clusters");

	/* All blocks of a cooperative launch are resident at the same time. */
	uint64_t blocks = (uint64_t)c->grid.x * c->grid.y * c->grid.z;
	struct occupancy o = runtime_occupancy(r, kernel, (uint32_t)threads, c->shared);
	if (c->cooperative && o.state != OCCUPANCY_UNKNOWN_CC && blocks > (uint64_t)o.blocks * runtime_sms(r)) {
		runtime_launch_fault(kernel, c,
			" is not launched: a cooperative launch has at most as many blocks as the device holds at a time, %u on each "
			"of %u SMs",
			o.blocks, runtime_sms(r));
		return CUDA_ErrorCooperativeLaunchTooLarge;
	}
	return CUDA_Success;
}

/* --- work --------------------------------------------------------------------------------------------------------- */

uint8_t *work_params(const struct cuda_kernel *kernel, const uint8_t *params)
{
	size_t bytes = ptx_param_bytes(kernel->ptx);
	uint8_t *out = base_calloc(bytes + 1, 1);
	memcpy(out, params, bytes);
	return out;
}

struct cuda_kernel *runtime_launch_kernel(struct runtime *r, const void *function, int *error)
{
	struct cuda_kernel *kernel = runtime_kernel(r, function);
	*error = CUDA_ErrorInvalidDeviceFunction;
	if (!kernel)
		return NULL;
	if (!kernel->ptx || !kernel->module->variables[runtime_device()]) {
		runtime_pause(r);
		kernel->looked_up = kernel->ptx != NULL;
		if (!runtime_load(r, kernel)) {
			*error = kernel->module->ptx ? CUDA_ErrorInvalidDeviceFunction : CUDA_ErrorInvalidPtx;
			return NULL;
		}
	}
	*error = CUDA_Success;
	return kernel;
}

static bool make_work(struct runtime *r, struct cuda_kernel *kernel, const struct cuda_config *config,
	struct cuda_work *out, int *error)
{
	*error = check_launch(r, kernel, config);
	if (*error != CUDA_Success)
		return false;
	*out = (struct cuda_work){.kind = WORK_LAUNCH,
		.launch = {.kernel = kernel,
			.config = *config,
			.params = base_calloc(ptx_param_bytes(kernel->ptx) + 1u, 1),
			.device = runtime_device()}};
	return true;
}

bool runtime_launch_work(struct runtime *r, struct cuda_kernel *kernel, const struct cuda_config *config, void **args,
	struct cuda_work *out, int *error)
{
	if (ptx_param_count(kernel->ptx) && !args) {
		*error = CUDA_ErrorInvalidValue;
		return false;
	}
	if (!make_work(r, kernel, config, out, error))
		return false;
	for (int i = 0; i < ptx_param_count(kernel->ptx); i++) {
		struct ptx_param p = ptx_kernel_param(kernel->ptx, i);
		memcpy(out->launch.params + p.offset, args[i], p.size);
	}
	return true;
}

bool runtime_launch_packed(struct runtime *r, struct cuda_kernel *kernel, const struct cuda_config *config,
	const void *params, size_t bytes, struct cuda_work *out, int *error)
{
	if (bytes > ptx_param_bytes(kernel->ptx)) {
		*error = CUDA_ErrorInvalidValue;
		return false;
	}
	if (!make_work(r, kernel, config, out, error))
		return false;
	memcpy(out->launch.params, params, bytes);
	return true;
}

bool runtime_launch_extra(struct runtime *r, struct cuda_kernel *kernel, const struct cuda_config *config, void **extra,
	struct cuda_work *out, int *error)
{
	const void *buffer = NULL;
	size_t bytes = 0;
	for (int i = 0; (uintptr_t)extra[i] != EXTRA_END; i += 2)
		if ((uintptr_t)extra[i] == EXTRA_BUFFER)
			buffer = extra[i + 1];
		else if ((uintptr_t)extra[i] == EXTRA_BYTES)
			bytes = *(const size_t *)extra[i + 1];
	return runtime_launch_packed(r, kernel, config, buffer, bytes, out, error);
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

int runtime_launch(const struct launch_request *request)
{
	RUNTIME_ENTER(r);
	int error;
	struct cuda_work work;
	if (r->failure_known)
		return runtime_leave(r->failed);
	struct cuda_stream *stream = queue_stream(r, request->stream);
	if (!stream)
		return runtime_leave(CUDA_ErrorInvalidResourceHandle);
	struct cuda_kernel *kernel = runtime_launch_kernel(r, request->function, &error);
	if (!kernel)
		return runtime_leave(error);
	bool good = request->extra ? runtime_launch_extra(r, kernel, &request->config, request->extra, &work, &error)
				   : runtime_launch_work(r, kernel, &request->config, request->args, &work, &error);
	return runtime_leave(good ? queue_submit(r, stream, &work) : error);
}

RUNTIME_API int cudaLaunchKernel(const void *function, struct dim3_abi grid, struct dim3_abi block, void **args,
	size_t shared, struct cuda_stream *stream)
{
	return runtime_launch(&(struct launch_request){.function = function,
		.config = {.grid = grid, .block = block, .shared = shared},
		.args = args,
		.stream = stream});
}

RUNTIME_API int __cudaLaunchKernel(struct cuda_kernel *kernel, struct dim3_abi grid, struct dim3_abi block, void **args,
	size_t shared, struct cuda_stream *stream)
{
	return runtime_launch(&(struct launch_request){.function = kernel,
		.config = {.grid = grid, .block = block, .shared = shared},
		.args = args,
		.stream = stream});
}

RUNTIME_API int cudaLaunchCooperativeKernel(const void *function, struct dim3_abi grid, struct dim3_abi block,
	void **args, size_t shared, struct cuda_stream *stream)
{
	return runtime_launch(&(struct launch_request){.function = function,
		.config = {.grid = grid, .block = block, .shared = shared, .cooperative = true},
		.args = args,
		.stream = stream});
}

bool runtime_launch_attributes(
	const struct cuda_launch_attribute *attributes, unsigned int n, struct cuda_config *config)
{
	for (unsigned int i = 0; i < n; i++) {
		const struct cuda_launch_attribute *a = &attributes[i];
		if (a->id == CUDA_LaunchAttributeCooperative)
			config->cooperative = a->value.number != 0;
		else if (a->id == CUDA_LaunchAttributeClusterDimension)
			config->cluster = (struct dim3_abi){a->value.dims[0], a->value.dims[1], a->value.dims[2]};
		else if (a->id == CUDA_LaunchAttributeAccessPolicyWindow)
			config->window = a->value.window;
		else if (a->id < 0 || a->id > CUDA_LaunchAttributePreferredSharedMemoryCarveout)
			return false;
	}
	return true;
}

RUNTIME_API int cudaLaunchKernelExC(const struct cuda_launch_config *c, const void *function, void **args)
{
	struct launch_request request = {.function = function, .args = args};
	if (!c || (c->n_attributes && !c->attributes) ||
		!runtime_launch_attributes(c->attributes, c->n_attributes, &request.config)) {
		RUNTIME_ENTER(r);
		return runtime_leave(CUDA_ErrorInvalidValue);
	}
	request.config.grid = c->grid;
	request.config.block = c->block;
	request.config.shared = c->shared;
	request.stream = c->stream;
	return runtime_launch(&request);
}
