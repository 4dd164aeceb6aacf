#include "config.h"
#include "tools/compile/cc.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/file.h"
#include "base/text.h"
#include "cmd/confined.h"

#define PROGRAM_MAX ((size_t)256 << 20)

static int run_cc(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);

static const char *object_name(struct arena *arena, const char *source)
{
	const char *name = path_last(source), *dot = strrchr(name, '.');
	return arena_printf(arena, "%.*s.o", (int)(dot ? (size_t)(dot - name) : strlen(name)), name);
}

static const char *output_name(struct cmd_ctx *ctx, const struct cc_line *line, int i)
{
	return line->output          ? line->output
		: line->compile_only ? object_name(ctx->arena, line->request.inputs[i].path)
		: line->device_link  ? "a_dlink.o"
				     : "a.out";
}

static void needs_of_cc(struct cmd_needs *needs, const struct cmd_parsed *args, int n)
{
	struct diag quiet = needs->ctx->diag;
	struct cc_line *line = arena_alloc(needs->ctx->arena, sizeof *line);
	needs->ctx->diag = (struct diag){0};
	if (cc_read(needs->ctx, args, n, line)) {
		build_needs(needs, &line->request);
		cmd_needs_output(needs, output_name(needs->ctx, line, 0));
	}
	diag_free(&needs->ctx->diag);
	needs->ctx->diag = quiet;
	needs->tools = true;
}

const struct cmd_entry cmd_cc_entry = {
	.name = "cc",
	.usage = "[OPTION]... FILE... [-o PROGRAM]",
	.summary = N_("compile a whole CUDA program, which then runs on the machine"),
	.details = N_(
		"Compiles and links as nvcc would, so that Makefiles can say NVCC=\"simttutor cc\", and CMake has it by a toolchain "
		"file, whose name --cmake prints: after export CMAKE_TOOLCHAIN_FILE=$(simttutor cc --cmake) projects are configured as ever. "
		"CMake's own detection, with CUDACXX or CMAKE_CUDA_COMPILER, knows nvcc and clang alone. It makes a program whose "
		"kernels the SIMT machine runs, without a GPU: ./PROGRAM, or simttutor run PROGRAM. The compiler is nvcc "
		"where it is installed, or named by NVCC; else clang 14 or later, or CLANG, alone, without anything of "
		"NVIDIA's, with CUDA headers of simttutor's own: the runtime's API, vector types, mathematics, atomics, "
		"warp intrinsics, cuda_fp16.h, cuda_bf16.h, cooperative_groups.h and cuda/atomic. NVCC=: passes over nvcc. What "
		"needs CUB, Thrust or NVIDIA's other libraries needs nvcc. g++, or the "
		"program that CUDAHOSTCXX names, links what nvcc compiled. Mathematics of kernels that clang compiled is "
		"the host's library's, within the errors that NVIDIA publishes and not to its last bits. Device code is "
		"PTX with line tables, optimized.\n"
		"Files are CUDA (.cu), C++ (.cpp, .cc, .cxx), C (.c), and objects, archives and libraries (.o, .a, .so). "
		"With -rdc=true kernels and __device__ functions call __device__ functions and use variables of other files; their "
		"PTX is linked when the program begins, and not when it is made: what is missing is reported then. "
		"Compilers run in a private folder and confined, as for simttutor run."),
	.verbatim = cc_help,
	.run = run_cc,
	.needs = needs_of_cc,
};

/* What was made goes to the reader's file; a program can be executed by whom the umask lets. */
static bool keep(struct cmd_ctx *ctx, const char *from, const char *to, bool is_program)
{
	struct buf bytes = {0};
	bool ok = file_read(from, PROGRAM_MAX, &bytes, &ctx->diag) && file_write(to, bytes.data, bytes.len, &ctx->diag);
	buf_free(&bytes);
	int fd = ok && is_program ? open(to, O_RDONLY | O_CLOEXEC) : -1;
	struct stat info;
	if (fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode)) {
		mode_t mask = umask(0);
		umask(mask);
		fchmod(fd, info.st_mode | (0111 & ~mask));
	}
	if (fd >= 0)
		close(fd);
	return ok;
}

/* What an earlier compilation has made, or nothing: a source whose name was given for -o is not lost. */
static bool may_replace(struct cmd_ctx *ctx, const char *to)
{
	struct stat info;
	char mark[4];
	if (stat(to, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size == 0)
		return true;
	int fd = open(to, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool is_made = fd >= 0 && file_get_all(fd, mark, sizeof mark) && memcmp(mark, "\177ELF", sizeof mark) == 0;
	if (fd >= 0)
		close(fd);
	if (!is_made)
		diag_error(&ctx->diag, (struct diag_pos){.file = to},
			"there is a file already that is neither program nor object; it is not replaced");
	return is_made;
}

static bool may_replace_all(struct cmd_ctx *ctx, const struct cc_line *line)
{
	int n = line->compile_only ? line->request.n_inputs : 1;
	for (int i = 0; i < n; i++)
		if ((!line->compile_only || line->request.inputs[i].kind != BUILD_LINKED) &&
			!may_replace(ctx, output_name(ctx, line, i)))
			return false;
	return true;
}

static bool make(struct build *build, const struct cc_line *line)
{
	struct cmd_ctx *ctx = build->ctx;
	bool ok = true;
	const char *from;
	if (line->device_link)
		return (from = build_device_link(build)) != NULL && keep(ctx, from, output_name(ctx, line, 0), false);
	if (!line->compile_only)
		return (from = build_program(build)) != NULL && keep(ctx, from, output_name(ctx, line, 0), true);
	for (int i = 0; i < line->request.n_inputs && ok; i++)
		if (line->request.inputs[i].kind != BUILD_LINKED)
			ok = (from = build_object(build, i)) != NULL &&
				keep(ctx, from, output_name(ctx, line, i), false);
	return ok;
}

static const char *toolchain(struct cmd_ctx *ctx)
{
	return path_join(ctx->arena, ctx->paths.data, "cmake/simttutor.cmake");
}

static bool names_word(const struct cmd_parsed *args, int n, const char *word)
{
	for (int i = 0; i < n; i++)
		if (strcmp(args[i].value, word) == 0)
			return true;
	return false;
}

/* CMake's own detection knows nvcc and clang with NVIDIA's toolkit and no third compiler, however it answers. Of a compiler that makes
 * nothing of this source it shows what that printed, when it was content. */
static int explain_to_cmake(struct cmd_ctx *ctx)
{
	struct buf out = {0};
	escape_line(&out, "CMake cannot find out by itself about simttutor cc. Say in the shell, and configure again:");
	escape_line(&out, "    export CMAKE_TOOLCHAIN_FILE=%s", toolchain(ctx));
	bool ok = cmd_print(ctx, &out);
	buf_free(&out);
	return ok ? EXIT_OK : EXIT_FAILED;
}

static int print_toolchain(struct cmd_ctx *ctx)
{
	struct buf out = {0};
	escape_line(&out, "%s", toolchain(ctx));
	bool ok = cmd_print(ctx, &out);
	buf_free(&out);
	return ok ? EXIT_OK : EXIT_FAILED;
}

static int run_cc(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	if (n == 1 && names_word(args, n, "--cmake"))
		return print_toolchain(ctx);
	if (n > 1 && names_word(args, n, "-v") && names_word(args, n, "CMakeCUDACompilerId.cu"))
		return explain_to_cmake(ctx);
	struct cc_line *line = arena_alloc(ctx->arena, sizeof *line);
	struct build *build = arena_alloc(ctx->arena, sizeof *build);
	if (!cc_read(ctx, args, n, line))
		return EXIT_USAGE;
	if (!may_replace_all(ctx, line))
		return EXIT_FAILED;
	int status = build_begin(build, ctx, &line->request);
	if (status == EXIT_OK && !make(build, line))
		status = EXIT_FAILED;
	build_end(build);
	return status;
}
