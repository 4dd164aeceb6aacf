#include "config.h"
#include "cmd/compile.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cmd/program.h"

#define PTX_MAX ((size_t)64 << 20)
#define ARGS_MAX 24

/* Arguments of the compilers, as in kernels/make-ptx; the folder of simt.h, the output and the source follow. */
static const char *const nvcc_args[] = {"-arch=compute_75", "-lineinfo", "-ptx", NULL};
static const char *const clang_args[] = {"-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib",
	"--cuda-gpu-arch=sm_75", "-Wno-unknown-cuda-version", "-Xclang", "-target-feature", "-Xclang", "+ptx63", "-O2",
	"-gline-tables-only", "-S", NULL};

static const struct compiler {
	const char *variable, *names[8]; /* looked for in this order */
	const char *const *args;
	const char *prelude; /* in the folder of simt.h, read before the source; NULL: none */
} compilers[] = {
	{"NVCC", {"nvcc"}, nvcc_args, NULL},
	{"CLANG", {"clang", "clang-19", "clang-18", "clang-17", "clang-16", "clang-15", "clang-14"}, clang_args,
		"clang.h"},
};
#define N_COMPILERS (sizeof compilers / sizeof *compilers)

static int run_compiler(struct cmd_ctx *ctx, const char *program, const struct compiler *compiler, const char *path,
	const char *output)
{
	const char *argv[ARGS_MAX] = {program};
	const char *source = path[0] == '-' ? path_join(ctx->arena, ".", path) : path;
	const char *folder = path_join(ctx->arena, ctx->paths.data, "kernels");
	int n = 1;
	for (int i = 0; compiler->args[i]; i++)
		argv[n++] = compiler->args[i];
	argv[n++] = "-I";
	argv[n++] = folder;
	if (compiler->prelude) {
		argv[n++] = "-include";
		argv[n++] = path_join(ctx->arena, folder, compiler->prelude);
	}
	argv[n++] = "-o";
	argv[n++] = output;
	argv[n++] = source;
	int status = program_run(argv, STDERR_FILENO);
	if (program_ended_well(status))
		return EXIT_OK;
	struct diag_pos pos = {.file = path};
	if (status == -1)
		diag_error(&ctx->diag, pos, "%s cannot be started: %s", program, strerror(errno));
	else
		diag_error(&ctx->diag, pos, "%s makes no PTX of it; what it says stands above", program);
	return EXIT_FAILED;
}

static int compile_in(struct cmd_ctx *ctx, const char *program, const struct compiler *compiler, const char *path,
	struct buf *ptx)
{
	const char *folder = program_folder(ctx);
	if (!folder)
		return EXIT_MISSING;
	const char *output = path_join(ctx->arena, folder, "kernel.ptx");
	int status = run_compiler(ctx, program, compiler, path, output);
	if (status == EXIT_OK && !file_read(output, PTX_MAX, ptx, &ctx->diag))
		status = EXIT_FAILED;
	unlink(output);
	rmdir(folder);
	return status;
}

int compile_cuda(struct cmd_ctx *ctx, const char *path, struct buf *ptx)
{
	if (!file_exists(path)) {
		diag_error(&ctx->diag, (struct diag_pos){.file = path}, "cannot be read: %s", strerror(errno));
		return EXIT_MISSING;
	}
	for (size_t i = 0; i < N_COMPILERS; i++) {
		const char *program = program_find(ctx->arena, compilers[i].variable, compilers[i].names);
		if (program)
			return compile_in(ctx, program, &compilers[i], path, ptx);
	}
	diag_error(&ctx->diag, (struct diag_pos){.file = path}, "CUDA source needs a compiler, and there is neither nvcc nor clang");
	diag_note(&ctx->diag, (struct diag_pos){0}, "install clang or NVIDIA's toolkit, say where it is with NVCC or CLANG, "
		"or give PTX made elsewhere: nvcc -ptx -lineinfo FILE.cu");
	return EXIT_MISSING;
}
