/* Launches, and what the reader is told of them. */
#include <stdlib.h>
#include <string.h>

#include "base/mangled.h"
#include "runtime/state.h"

#define DEFECTS 16
#define STEPS_MAX ((uint64_t)1 << 62)
#define THREADS_MAX ((uint64_t)1 << 48)
#define SHARED_UNASKED (48u << 10) /* bytes of a block, unless cudaFuncSetAttribute asked for more */
#define QUIET_MS 60000             /* of a core, without an end of any block */

struct cuda_configuration {
	struct dim3_abi grid, block;
	size_t shared;
	void *stream;
};

/* Between <<< >>> and the call of the kernel's stub; arguments may launch, too. */
#define CONFIGURATIONS 16
static _Thread_local struct cuda_configuration pushed[CONFIGURATIONS];
static _Thread_local int n_pushed;

RUNTIME_API unsigned __cudaPushCallConfiguration(
	struct dim3_abi grid, struct dim3_abi block, size_t shared, void *stream)
{
	if (n_pushed == CONFIGURATIONS)
		return 1;
	pushed[n_pushed++] = (struct cuda_configuration){grid, block, shared, stream};
	return 0;
}

RUNTIME_API int __cudaPopCallConfiguration(struct dim3_abi *grid, struct dim3_abi *block, size_t *shared, void *stream)
{
	if (!n_pushed)
		return runtime_enter(), runtime_leave(CUDA_ErrorMissingConfiguration);
	const struct cuda_configuration *c = &pushed[--n_pushed];
	*grid = c->grid;
	*block = c->block;
	*shared = c->shared;
	*(void **)stream = c->stream;
	return CUDA_Success;
}

/* --- a launch ----------------------------------------------------------------------------------------------------- */

/* What kernels print is kept until the launch has ended, in the order of blocks. */
static void print(void *ctx, const char *text, size_t len)
{
	buf_append(ctx, text, len);
}

static void *print_apart(void *ctx)
{
	(void)ctx;
	return base_calloc(1, sizeof(struct buf));
}

static void drop_print(void *ctx, void *part)
{
	(void)ctx;
	buf_free(part);
	free(part);
}

static void join_print(void *ctx, void *part)
{
	struct buf *text = part;
	buf_append(ctx, text->data, text->len);
	drop_print(ctx, part);
}

/* What a GPU makes of it: nothing of races and of uninitialized reads. */
static int error_of(enum simt_defect_kind kind)
{
	switch (kind) {
	case SIMT_DEFECT_NONE:
	case SIMT_RACE:
	case SIMT_UNINITIALIZED: return CUDA_Success;
	case SIMT_OUT_OF_BOUNDS: return CUDA_ErrorIllegalAddress;
	case SIMT_MISALIGNED: return CUDA_ErrorMisalignedAddress;
	case SIMT_ASSERTION: return CUDA_ErrorAssert;
	default: return CUDA_ErrorLaunchFailure;
	}
}

static void tell(const struct cuda_kernel *kernel, const struct simt_launch *launch, const struct ptx_place *place,
	const char *message)
{
	char at[PTX_PLACE_TEXT];
	size_t len;
	const char *name = mangled_source(kernel->name, strlen(kernel->name), &len);
	if (!name) {
		name = kernel->name;
		len = strlen(name);
	}
	runtime_say("%.*s<<<(%u, %u, %u), (%u, %u, %u)>>>: %s: %s", (int)len, name, launch->grid[0], launch->grid[1],
		launch->grid[2], launch->block[0], launch->block[1], launch->block[2], ptx_place_text(place, at),
		message);
}

static void tell_refused(const struct cuda_kernel *kernel, const struct cuda_configuration *c, const char *why)
{
	size_t len;
	const char *name = mangled_source(kernel->name, strlen(kernel->name), &len);
	runtime_say("%.*s<<<(%u, %u, %u), (%u, %u, %u), %zu>>> is not launched: %s",
		name ? (int)len : (int)strlen(kernel->name), name ? name : kernel->name, c->grid.x, c->grid.y,
		c->grid.z, c->block.x, c->block.y, c->block.z, c->shared, why);
}

/* The first fault that a GPU reports, too, is the launch's. */
static int judge(const struct cuda_kernel *kernel, const struct simt_launch *launch, const struct simt_result *result)
{
	const struct simt_report *report = launch->report;
	int error = result->outcome == SIMT_LIMIT ? CUDA_ErrorLaunchTimeout : CUDA_Success;
	for (uint32_t i = 0; i < report->n; i++) {
		const struct simt_defect *d = &report->defects[i];
		tell(kernel, launch, &d->here.place, d->message);
		error = error == CUDA_Success ? error_of(d->kind) : error;
	}
	if (result->outcome == SIMT_LIMIT || result->outcome == SIMT_ERROR)
		tell(kernel, launch, &result->place, result->message);
	return error;
}

static int run(struct runtime *r, struct cuda_kernel *kernel, const struct cuda_configuration *c, void **args)
{
	const struct ptx_kernel *ptx = runtime_load(r, kernel);
	if (!ptx)
		return kernel->module->ptx ? CUDA_ErrorInvalidDeviceFunction : CUDA_ErrorInvalidPtx;
	uint64_t threads = (uint64_t)c->block.x * c->block.y * c->block.z;
	if (!threads || threads > 1024 || !c->grid.x || !c->grid.y || !c->grid.z) {
		tell_refused(kernel, c, threads > 1024 ? "a block has 1024 threads at most" : "a dimension is 0");
		return CUDA_ErrorInvalidConfiguration;
	}
	if (c->shared + ptx_shared_bytes(ptx) > (kernel->dynamic_shared_max ? SIMT_SHARED_DEFAULT : SHARED_UNASKED) ||
		(kernel->dynamic_shared_max && c->shared > kernel->dynamic_shared_max)) {
		tell_refused(kernel, c,
			"more shared memory than a block may have; past 48 KiB cudaFuncSetAttribute has to ask for it");
		return CUDA_ErrorInvalidValue;
	}
	struct buf printed = {0};
	uint8_t *params = base_calloc(ptx_param_bytes(ptx) + 1, 1);
	struct simt_listener listener = {
		.ctx = &printed, .print = print, .fork = print_apart, .join = join_print, .drop = drop_print};
	struct simt_defect defects[DEFECTS];
	struct simt_report report = {.defects = defects, .cap = DEFECTS};
	struct simt_result result;
	struct simt_launch launch = {.kernel = ptx,
		.grid = {c->grid.x, c->grid.y, c->grid.z},
		.block = {c->block.x, c->block.y, c->block.z},
		.dynamic_shared = (uint32_t)c->shared,
		.params = params,
		.limits = {.steps = STEPS_MAX, .threads = THREADS_MAX, .quiet_ms = QUIET_MS},
		.listener = &listener,
		.checks = r->checks,
		.report = &report,
		.variables = kernel->module->variables};
	for (int i = 0; i < ptx_param_count(ptx); i++) {
		struct ptx_param p = ptx_kernel_param(ptx, i);
		memcpy(params + p.offset, args[i], p.size);
	}
	simt_run(&launch, r->memory, &result);
	free(params);
	if (printed.len)
		runtime_print(&printed);
	buf_free(&printed);
	r->launches++;
	r->failed = judge(kernel, &launch, &result);
	r->defects += report.n;
	return result.outcome == SIMT_ERROR ? CUDA_ErrorInvalidConfiguration : CUDA_Success;
}

static int launch_kernel(const void *function, const struct cuda_configuration *c, void **args)
{
	struct runtime *r = runtime_enter();
	struct cuda_kernel *kernel = runtime_kernel(r, function);
	if (r->failed != CUDA_Success)
		return runtime_leave(runtime_wait(r, CUDA_Success));
	if (!kernel)
		return runtime_leave(CUDA_ErrorInvalidDeviceFunction);
	if (c->shared > UINT32_MAX)
		return runtime_leave(CUDA_ErrorInvalidValue);
	return runtime_leave(run(r, kernel, c, args));
}

RUNTIME_API int cudaLaunchKernel(const void *function, struct dim3_abi grid, struct dim3_abi block, void **args,
	size_t shared, struct cuda_stream *stream)
{
	return launch_kernel(function, &(struct cuda_configuration){grid, block, shared, stream}, args);
}

RUNTIME_API int __cudaLaunchKernel(struct cuda_kernel *kernel, struct dim3_abi grid, struct dim3_abi block, void **args,
	size_t shared, struct cuda_stream *stream)
{
	return launch_kernel(kernel, &(struct cuda_configuration){grid, block, shared, stream}, args);
}
