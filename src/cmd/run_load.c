#include "config.h"
#include "cmd/run.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/mangled.h"
#include "cmd/compile.h"

#define PTX_MAX ((size_t)64 << 20)
#define SOURCE_MAX ((size_t)16 << 20)

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
		.gpu = run->live ? run_gpu(run) : NULL};
	return run->live && !request.gpu ? EXIT_USAGE : compile_cuda(run->ctx, &request, &run->ptx);
}

int run_load(struct run *run)
{
	struct cmd_ctx *ctx = run->ctx;
	bool cuda = ends_in(run->file, ".cu");
	int status = cuda                                              ? compile_file(run)
		: file_read(run->file, PTX_MAX, &run->ptx, &ctx->diag) ? EXIT_OK
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

/* Only regular files: a name in the PTX must not make us wait on a pipe. */
static bool read_source_file(struct run *run, const char *path)
{
	struct stat info;
	struct buf text = {0};
	struct diag quiet = {0};
	struct arena *arena = run->ctx->arena;
	bool ok = stat(path, &info) == 0 && S_ISREG(info.st_mode) && file_read(path, SOURCE_MAX, &text, &quiet);
	if (ok) {
		run->source = (struct source){.file = run->source_name,
			.text = arena_strndup(arena, buf_str(&text), text.len),
			.len = text.len};
		source_open(arena, &run->source, &quiet); /* a file that is not UTF-8 is shown anyway */
	}
	buf_free(&text);
	diag_free(&quiet);
	return ok;
}

void run_find_source(struct run *run, const char *name)
{
	struct arena *arena = run->ctx->arena;
	const char *slash = strrchr(run->file, '/');
	struct diag quiet = {0};
	if (!name) {
		run->source_name = run->ptx_name;
		run->source = (struct source){.file = run->ptx_name, .text = buf_str(&run->ptx), .len = run->ptx.len};
		source_open(arena, &run->source, &quiet);
		diag_free(&quiet);
		return;
	}
	run->source_name = name;
	const char *folder = slash ? arena_strndup(arena, run->file, (size_t)(slash - run->file) + 1) : ".";
	const char *base = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;
	if (name[0] == '/' ? read_source_file(run, name)
			   : read_source_file(run, path_join(arena, folder, name)) || read_source_file(run, name))
		return;
	read_source_file(run, path_join(arena, folder, base));
}

const char *run_line_text(const struct run *run, int line, size_t *len)
{
	return line >= 1 && line <= run->source.n_lines ? source_line_text(&run->source, line - 1, len) : NULL;
}
