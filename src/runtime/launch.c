/* Launches, and what the reader is told of them. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/mangled.h"
#include "model/occupancy.h"
#include "runtime/state.h"

#define DEFECTS 16
#define STEPS_MAX ((uint64_t)1 << 62)
#define THREADS_MAX ((uint64_t)1 << 48)
#define QUIET_MS 60000 /* of a core, without an end of any block */

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

/* "kernel<<<(1, 1, 1), (32, 1, 1)>>>" and the rest. */
static void tell(const struct cuda_kernel *kernel, const struct cuda_configuration *c, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
static void tell(const struct cuda_kernel *kernel, const struct cuda_configuration *c, const char *format, ...)
{
	struct buf text = {0};
	size_t len = strlen(kernel->name);
	const char *source = mangled_source(kernel->name, len, &len);
	va_list args;
	va_start(args, format);
	buf_vprintf(&text, format, args);
	va_end(args);
	runtime_say("%.*s<<<(%u, %u, %u), (%u, %u, %u)>>>%s", (int)len, source ? source : kernel->name, c->grid.x,
		c->grid.y, c->grid.z, c->block.x, c->block.y, c->block.z, buf_str(&text));
	buf_free(&text);
}

static void tell_defect(const struct cuda_kernel *kernel, const struct cuda_configuration *c,
	const struct ptx_place *place, const char *message)
{
	char at[PTX_PLACE_TEXT];
	tell(kernel, c, ": %s: %s", ptx_place_text(place, at), message);
}

/* The first fault that a GPU reports, too, is the launch's. */
static int judge(const struct cuda_kernel *kernel, const struct cuda_configuration *c, const struct simt_result *result,
	const struct simt_report *report)
{
	int error = result->outcome == SIMT_LIMIT ? CUDA_ErrorLaunchTimeout : CUDA_Success;
	for (uint32_t i = 0; i < report->n; i++) {
		const struct simt_defect *d = &report->defects[i];
		tell_defect(kernel, c, &d->here.place, d->message);
		error = error == CUDA_Success ? error_of(d->kind) : error;
	}
	if (result->outcome == SIMT_LIMIT || result->outcome == SIMT_ERROR)
		tell_defect(kernel, c, &result->place, result->message);
	return error;
}

/* What cudaLaunchKernel refuses. */
static int check(const struct runtime *r, const struct cuda_kernel *kernel, const struct cuda_configuration *c)
{
	uint64_t threads = (uint64_t)c->block.x * c->block.y * c->block.z,
		 shared = c->shared + ptx_shared_bytes(kernel->ptx);
	uint32_t asked = kernel->dynamic_shared_max;
	uint32_t shared_max = asked ? occupancy_sm(r->cc)->block_shared : RUNTIME_SHARED_UNASKED;
	if (!threads || threads > BLOCK_THREADS_MAX || !c->grid.x || !c->grid.y || !c->grid.z) {
		tell(kernel, c, " is not launched: %s",
			threads > BLOCK_THREADS_MAX ? "a block has 1024 threads at most" : "a dimension is 0");
		return CUDA_ErrorInvalidConfiguration;
	}
	if (shared > shared_max || (asked && c->shared > asked)) {
		tell(kernel, c,
			" is not launched with %zu bytes of shared memory: it is more than a block may have; past 48 KiB "
			"cudaFuncSetAttribute has to ask for it",
			c->shared);
		return CUDA_ErrorInvalidValue;
	}
	return CUDA_Success;
}

static uint8_t *copy_params(const struct ptx_kernel *kernel, void **args)
{
	uint8_t *params = base_calloc(ptx_param_bytes(kernel) + 1, 1);
	for (int i = 0; i < ptx_param_count(kernel); i++) {
		struct ptx_param p = ptx_kernel_param(kernel, i);
		memcpy(params + p.offset, args[i], p.size);
	}
	return params;
}

static int run(struct runtime *r, struct cuda_kernel *kernel, const struct cuda_configuration *c, void **args)
{
	if (!runtime_load(r, kernel))
		return kernel->module->ptx ? CUDA_ErrorInvalidDeviceFunction : CUDA_ErrorInvalidPtx;
	int refused = check(r, kernel, c);
	if (refused != CUDA_Success)
		return refused;
	struct buf printed = {0};
	uint8_t *params = copy_params(kernel->ptx, args);
	struct simt_listener listener = {
		.ctx = &printed, .print = print, .fork = print_apart, .join = join_print, .drop = drop_print};
	struct simt_defect defects[DEFECTS];
	struct simt_report report = {.defects = defects, .cap = DEFECTS};
	struct simt_result result;
	struct simt_launch launch = {.kernel = kernel->ptx,
		.grid = {c->grid.x, c->grid.y, c->grid.z},
		.block = {c->block.x, c->block.y, c->block.z},
		.dynamic_shared = (uint32_t)c->shared,
		.params = params,
		.limits = {.steps = STEPS_MAX, .threads = THREADS_MAX, .quiet_ms = QUIET_MS},
		.listener = &listener,
		.checks = r->checks,
		.report = &report,
		.variables = kernel->module->variables};
	simt_run(&launch, r->memory, &result);
	free(params);
	if (printed.len)
		runtime_print(&printed);
	buf_free(&printed);
	r->failed = judge(kernel, c, &result, &report);
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
