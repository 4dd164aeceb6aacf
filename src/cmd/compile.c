#include "config.h"
#include "cmd/compile.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"

#define PTX_MAX ((size_t)64 << 20)
#define ARGS_MAX 24

extern char **environ;

/* Arguments of the compilers, as in kernels/make-ptx; the folder of simt.h, the output and the source follow. */
static const char *const nvcc_args[] = {"-arch=compute_75", "-lineinfo", "-ptx", NULL};
static const char *const clang_args[] = {"-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib",
	"--cuda-gpu-arch=sm_75", "-Wno-unknown-cuda-version", "-Xclang", "-target-feature", "-Xclang", "+ptx63", "-O2",
	"-gline-tables-only", "-S", NULL};

static const struct compiler {
	const char *variable, *names[8]; /* looked for in this order */
	const char *const *args;
} compilers[] = {
	{"NVCC", {"nvcc"}, nvcc_args},
	{"CLANG", {"clang", "clang-19", "clang-18", "clang-17", "clang-16", "clang-15", "clang-14"}, clang_args},
};
#define N_COMPILERS (sizeof compilers / sizeof *compilers)

/* The path of a program, looked for in PATH when its name has no slash; NULL when there is none. */
static const char *find_program(struct arena *arena, const char *name)
{
	const char *path = getenv("PATH");
	if (strchr(name, '/'))
		return access(name, X_OK) == 0 ? name : NULL;
	while (path && *path) {
		size_t len = strcspn(path, ":");
		const char *full = path_join(arena, len ? arena_strndup(arena, path, len) : ".", name);
		if (access(full, X_OK) == 0)
			return full;
		path += len + (path[len] == ':');
	}
	return NULL;
}

/* A variable that is set decides: a program that is not there (":", as configure writes it) means none. */
static const char *find_compiler(struct arena *arena, const struct compiler *compiler)
{
	const char *named = getenv(compiler->variable), *found = NULL;
	if (named && *named)
		return find_program(arena, named);
	for (int i = 0; !found && compiler->names[i]; i++)
		found = find_program(arena, compiler->names[i]);
	return found;
}

/* Runs it, its output to our standard error. Its wait status, or -1 when it cannot be started. An interrupt is the
 * compiler's: it ends, and we live to remove what it wrote. */
static int spawn(const char *const *argv)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t defaults;
	pid_t pid;
	int status = -1;
	void (*interrupt)(int) = signal(SIGINT, SIG_IGN);

	sigemptyset(&defaults);
	sigaddset(&defaults, SIGINT);
	sigaddset(&defaults, SIGPIPE);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigdefault(&attributes, &defaults);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
	int error = posix_spawn(&pid, argv[0], &files, &attributes, (char **)argv, environ);
	while (!error && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&files);
	signal(SIGINT, interrupt);
	errno = error;
	return status;
}

static int run_compiler(struct cmd_ctx *ctx, const char *program, const struct compiler *compiler, const char *path,
	const char *output)
{
	const char *argv[ARGS_MAX] = {program};
	const char *source = path[0] == '-' ? path_join(ctx->arena, ".", path) : path;
	int n = 1;
	for (int i = 0; compiler->args[i]; i++)
		argv[n++] = compiler->args[i];
	argv[n++] = "-I";
	argv[n++] = path_join(ctx->arena, ctx->paths.data, "kernels");
	argv[n++] = "-o";
	argv[n++] = output;
	argv[n++] = source;
	int status = spawn(argv);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
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
	const char *root = getenv("TMPDIR");
	char *folder = path_join(ctx->arena, root && *root ? root : "/tmp", "simttutor-XXXXXX");
	if (!mkdtemp(folder)) {
		diag_error(&ctx->diag, (struct diag_pos){.file = folder}, "cannot be made: %s", strerror(errno));
		return EXIT_MISSING;
	}
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
		const char *program = find_compiler(ctx->arena, &compilers[i]);
		if (program)
			return compile_in(ctx, program, &compilers[i], path, ptx);
	}
	diag_error(&ctx->diag, (struct diag_pos){.file = path}, "CUDA source needs a compiler, and there is neither nvcc nor clang");
	diag_note(&ctx->diag, (struct diag_pos){0}, "install clang or NVIDIA's toolkit, say where it is with NVCC or CLANG, "
		"or give PTX made elsewhere: nvcc -ptx -lineinfo FILE.cu");
	return EXIT_MISSING;
}
