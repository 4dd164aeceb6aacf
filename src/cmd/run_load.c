#include "config.h"
#include "cmd/run.h"

#include <string.h>

#include "base/file.h"
#include "tools/compile/compile.h"

#define PTX_MAX ((size_t)64 << 20)

static bool ends_in(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);
	return n > m && strcmp(text + n - m, end) == 0;
}

static int compile_file(struct run *run)
{
	struct compile_request request = {.path = run->file,
		.cc = run->cc_given ? run->cc : 0,
		.defines = run->defines,
		.n_defines = run->n_defines,
		.folders = run->sources,
		.n_folders = run->n_sources,
		.debug_info = run->debug_info,
		.gpu = run->live ? run_gpu(run) : NULL};
	return run->live && !request.gpu ? EXIT_USAGE : compile_cuda(cmd_compile_ctx(run->ctx), &request, &run->ptx);
}

/* The full name of the launch's kernel. Its arguments may name functions. */
static int find_step_kernel(struct run *run, struct run_step *step)
{
	struct diag *diag = &run->ctx->diag;
	step->launch.kernel = ptx_resolve_kernel(run->module, step->kernel, diag);
	if (!step->launch.kernel || !profile_take_functions(run->module, &step->launch, diag))
		return EXIT_USAGE;
	if (!ptx_find_kernel(run->module, step->launch.kernel, diag))
		return EXIT_FAILED;
	bool asks = ptx_dynamic_shared(run->module, step->launch.kernel) && !step->shared_given;
	if (asks)
		diag_warn(diag, (struct diag_pos){.file = run->ptx_name},
			"%s uses dynamic shared memory, extern __shared__, and has none: --shared BYTES gives it some",
			step->launch.kernel);
	return EXIT_OK;
}

int run_load_ptx(struct run *run)
{
	if (ends_in(run->file, ".cu"))
		return compile_file(run);
	return file_read_text(run->file, PTX_MAX, &run->ptx, &run->ctx->diag) ? EXIT_OK : EXIT_MISSING;
}

int run_load(struct run *run)
{
	struct cmd_ctx *ctx = run->ctx;
	bool cuda = ends_in(run->file, ".cu");
	bool kept = run->launch.kept || run->plain_of;
	int status = kept ? EXIT_OK : run_load_ptx(run);
	if (status != EXIT_OK)
		return status;
	if (!kept)
		run->ptx_name = cuda                  ? arena_printf(ctx->arena, "%s (PTX)", run->file)
			: strcmp(run->file, "-") == 0 ? "standard input"
						      : run->file;
	run->module = ptx_parse(ctx->arena, run->ptx_name, buf_str(&run->ptx), run->ptx.len, &ctx->diag);
	if (!run->module)
		return EXIT_FAILED;
	return run_find_kernels(run);
}

int run_find_kernels(struct run *run)
{
	int status = EXIT_OK;
	for (int i = 0; i < run->n_steps && status == EXIT_OK; i++)
		status = find_step_kernel(run, run->steps[i]);
	if (run->n_steps)
		run->launch.kernel = run->steps[run->step]->launch.kernel;
	return status;
}
