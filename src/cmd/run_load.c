#include "config.h"
#include "cmd/run.h"

#include <string.h>

#include "base/file.h"
#include "cmd/compile.h"

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
		.gpu = run->live ? run_gpu(run) : NULL};
	return run->live && !request.gpu ? EXIT_USAGE : compile_cuda(run->ctx, &request, &run->ptx);
}

int run_load(struct run *run)
{
	struct cmd_ctx *ctx = run->ctx;
	bool cuda = ends_in(run->file, ".cu");
	int status = cuda                                                   ? compile_file(run)
		: file_read_text(run->file, PTX_MAX, &run->ptx, &ctx->diag) ? EXIT_OK
									    : EXIT_MISSING;
	if (status != EXIT_OK)
		return status;
	run->ptx_name = cuda                  ? arena_printf(ctx->arena, "%s (PTX)", run->file)
		: strcmp(run->file, "-") == 0 ? "standard input"
					      : run->file;
	run->module = ptx_parse(ctx->arena, run->ptx_name, buf_str(&run->ptx), run->ptx.len, &ctx->diag);
	if (!run->module)
		return EXIT_FAILED;
	run->launch.kernel = ptx_resolve_kernel(run->module, run->kernel, &ctx->diag);
	if (!run->launch.kernel)
		return EXIT_USAGE;
	return ptx_find_kernel(run->module, run->launch.kernel, &ctx->diag) ? EXIT_OK : EXIT_FAILED;
}
