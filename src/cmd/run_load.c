#include "config.h"
#include "cmd/run.h"

#include <string.h>

#include "base/file.h"
#include "base/mangled.h"
#include "cmd/compile.h"

#define PTX_MAX ((size_t)64 << 20)

static bool ends_in(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);
	return n > m && strcmp(text + n - m, end) == 0;
}

static bool is_mangled(const char *mangled, const char *name)
{
	size_t len;
	const char *source = mangled_source(mangled, strlen(mangled), &len);
	return source && len == strlen(name) && memcmp(source, name, len) == 0;
}

/* Several entries have the requested name in the source: overloads, or instances of a template. */
static void report_ambiguous_kernel(const struct run *run)
{
	struct buf names = {0};
	for (int i = 0, n = 0; i < ptx_kernel_count(run->module); i++)
		if (is_mangled(ptx_kernel_name(run->module, i), run->kernel))
			buf_printf(&names, "%s%s", n++ ? ", " : "", ptx_kernel_name(run->module, i));
	diag_error(&run->ctx->diag, (struct diag_pos){.file = run->ptx_name}, "which %s? There are %s", run->kernel,
		buf_str(&names));
	buf_free(&names);
}

/* The entry with the requested full name, or the only one with that name in the source, or the only one there is. `*fits`
 * is how many fit; ptx_find_kernel reports when none does. */
static const char *find_entry(const struct run *run, int *fits)
{
	int n = ptx_kernel_count(run->module);
	const char *found = NULL;
	*fits = 0;
	for (int i = 0; i < n; i++) {
		const char *name = ptx_kernel_name(run->module, i);
		if (run->kernel && strcmp(name, run->kernel) == 0)
			return name;
		if (run->kernel ? is_mangled(name, run->kernel) : n == 1) {
			found = name;
			++*fits;
		}
	}
	return *fits == 1 ? found : NULL;
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
	int fits;
	run->launch.kernel = find_entry(run, &fits);
	if (!run->launch.kernel && fits > 1) {
		report_ambiguous_kernel(run);
		return EXIT_USAGE;
	}
	const char *name = run->launch.kernel ? run->launch.kernel : run->kernel;
	if (ptx_find_kernel(run->module, name, &ctx->diag))
		return EXIT_OK;
	return run->launch.kernel ? EXIT_FAILED : EXIT_USAGE;
}
