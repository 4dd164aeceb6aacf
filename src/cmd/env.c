/* simttutor env: a shell's variables by which build systems find simttutor cc as nvcc. */
#include "config.h"
#include "cmd/cmd.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "cmd/confined.h"

static int run_env(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);

static void needs_of_env(struct cmd_needs *needs, const struct cmd_parsed *args, int n)
{
	(void)args, (void)n;
	cmd_needs_reading(needs, needs->ctx->paths.runtime);
}

const struct cmd_entry cmd_env_entry = {
	.name = "env",
	.usage = "",
	.summary = N_("print shell commands after which nvcc is simttutor cc"),
	.details = N_(
		"eval \"$(simttutor env)\" in a shell, and Makefiles and CMake projects that call nvcc build, as they are, programs "
		"that need no GPU: then make; ./PROGRAM. It puts a folder first in PATH whose nvcc is simttutor cc, names that "
		"toolkit in CUDA_PATH, CUDA_HOME and CUDAToolkit_ROOT, and says to compilers and linkers of host code where its "
		"headers and its runtime are (CPLUS_INCLUDE_PATH, C_INCLUDE_PATH, LIBRARY_PATH, LD_RUN_PATH, LD_LIBRARY_PATH). All of that ends with the shell. "
		"simttutor cc itself still uses NVIDIA's nvcc where PATH has it, and clang where it has not, or with NVCC=:. "
		"A Makefile that sets CUDA_PATH itself takes another on its command line: make CUDA_PATH=\"$CUDA_PATH\"."),
	.run = run_env,
	.needs = needs_of_env,
};

/* export NAME='FOLDER', or before what NAME has, unless it begins so already. */
static void put_folder(struct buf *out, const char *name, const char *folder, bool before)
{
	const char *value = before ? getenv(name) : NULL;
	size_t len = strlen(folder);
	if (value && strncmp(value, folder, len) == 0 && (!value[len] || value[len] == ':'))
		return;
	buf_printf(out, "export %s=", name);

	/* In single quotation marks, which a shell leaves alone. */
	const char *text = folder;
	buf_putc(out, '\'');
	for (; *text; text++)
		if (*text == '\'')
			buf_puts(out, "'\\''");
		else
			buf_putc(out, *text);
	buf_putc(out, '\'');

	if (before)
		buf_printf(out, "\"${%s:+:$%s}\"", name, name);
	buf_putc(out, '\n');
}

static int run_env(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	(void)args;
	if (n)
		return cmd_usage(ctx, &cmd_env_entry, "it takes no arguments");
	char real[PATH_MAX];
	const char *root = realpath(ctx->paths.runtime, real) ? real : ctx->paths.runtime;
	const char *bin = path_join(ctx->arena, root, "bin"), *include = path_join(ctx->arena, root, "include");
	const char *library = path_join(ctx->arena, root, "lib64");
	if (access(path_join(ctx->arena, bin, "nvcc"), X_OK) != 0) {
		diag_error(&ctx->diag, (struct diag_pos){.file = bin},
			"there is no nvcc of simttutor's: make, or install, it first");
		return EXIT_MISSING;
	}
	struct buf out = {0};
	if (isatty(STDOUT_FILENO))
		buf_puts(&out, "# for a shell: eval \"$(simttutor env)\"\n");
	put_folder(&out, "PATH", bin, true);
	put_folder(&out, "CUDA_PATH", root, false);
	put_folder(&out, "CUDA_HOME", root, false);
	put_folder(&out, "CUDAToolkit_ROOT", root, false);
	put_folder(&out, "CPLUS_INCLUDE_PATH", include, true);
	put_folder(&out, "C_INCLUDE_PATH", include, true);
	put_folder(&out, "LIBRARY_PATH", library, true);
	put_folder(&out, "LD_RUN_PATH", library, true);
	put_folder(&out, "LD_LIBRARY_PATH", path_join(ctx->arena, root, "lib"), true);
	bool ok = cmd_print(ctx, &out);
	buf_free(&out);
	return ok ? EXIT_OK : EXIT_FAILED;
}
