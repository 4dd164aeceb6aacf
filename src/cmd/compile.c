#include "config.h"
#include "cmd/compile.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/process.h"
#include "cmd/cuda_source.h"
#include "cmd/measure.h"
#include "model/access.h"

#define PTX_MAX ((size_t)64 << 20)
#define LIST_MAX ((size_t)1 << 20)
#define ARGS_MAX (32 + 2 * WIRE_DEFINES_MAX)
#define ARCHS_MAX 64

/* The arguments that are always the same, as in kernels/make-ptx. */
static const char *const nvcc_args[] = {"-lineinfo", "-ptx", NULL};
static const char *const clang_args[] = {"-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib",
	"-Wno-unknown-cuda-version", "-O2", "-gline-tables-only", "-S", NULL};
static const char *const nvcc_list[] = {"--list-gpu-arch", NULL};
static const char *const clang_list[] = {"--target=nvptx64-nvidia-cuda", "-print-supported-cpus", NULL};

static void nvcc_target(struct arena *arena, int arch, const char **argv, int *n)
{
	argv[(*n)++] = arena_printf(arena, "-arch=compute_%d", arch);
}

/* The oldest PTX that knows the target; clang by itself takes the newest that its toolkit, which is not used, would. */
static void clang_target(struct arena *arena, int arch, const char **argv, int *n)
{
	static const struct {
		int arch, ptx;
	} versions[] = {{75, 63}, {80, 70}, {86, 71}, {87, 74}, {90, 78}, {100, 86}};
	size_t i = 0;
	while (i + 1 < sizeof versions / sizeof *versions && versions[i].arch < arch)
		i++;
	argv[(*n)++] = arena_printf(arena, "--cuda-gpu-arch=sm_%d", arch);
	for (int k = 0; k < 4; k++)
		argv[(*n)++] = k % 2 == 0 ? "-Xclang"
			: k == 1          ? "-target-feature"
					  : arena_printf(arena, "+ptx%d", versions[i].ptx);
}

static const struct compiler {
	const char *variable, *names[8]; /* looked for in this order */
	const char *const *args, *const *list;
	const char *prefix; /* of the targets that `list` prints */
	void (*target)(struct arena *arena, int arch, const char **argv, int *n);
	const char *prelude; /* in the folder of simt.h, read before the source; NULL: none */
} compilers[] = {
	{"NVCC", {"nvcc"}, nvcc_args, nvcc_list, "compute_", nvcc_target, NULL},
	{"CLANG", {"clang", "clang-19", "clang-18", "clang-17", "clang-16", "clang-15", "clang-14"}, clang_args,
		clang_list, "sm_", clang_target, "clang.h"},
};
#define N_COMPILERS (sizeof compilers / sizeof *compilers)

/* One compilation with a program that is here. */
struct local_compilation {
	struct cmd_ctx *ctx;
	const struct compile_request *request;
	const struct compiler *compiler;
	const char *program, *folder; /* for what it writes */
	int cc;
};

/* --- with a program here ---------------------------------------------------------------------------------------------- */

/* The newest target of a list that is not newer than `cc`, else the oldest; `cc` itself of a list that has none. */
static int choose_arch(const char *list, const char *prefix, int cc)
{
	int best = 0, oldest = 0;
	for (const char *at = list; (at = strstr(at, prefix)) != NULL;) {
		at += strlen(prefix);
		int arch = 0;
		for (; *at >= '0' && *at <= '9' && arch < 1000; at++)
			arch = arch * 10 + *at - '0';
		if (arch && (!oldest || arch < oldest))
			oldest = arch;
		if (arch <= cc && arch > best)
			best = arch;
	}
	return best ? best : oldest ? oldest : cc;
}

static int find_arch(const struct local_compilation *h)
{
	const char *argv[8] = {h->program};
	struct buf list = {0};
	for (int i = 0; h->compiler->list[i]; i++)
		argv[i + 1] = h->compiler->list[i];
	if (!process_succeeded(process_collect(argv, LIST_MAX, &list)))
		buf_clear(&list);
	int arch = choose_arch(buf_str(&list), h->compiler->prefix, h->cc);
	buf_free(&list);
	if (arch > h->cc)
		diag_note(&h->ctx->diag, (struct diag_pos){0},
			"%s compiles for compute capability %d.%d or later, so the kernel is compiled for that",
			h->program, arch / 10, arch % 10);
	return arch;
}

static int run_compiler(const struct local_compilation *h, const char *output)
{
	struct arena *arena = h->ctx->arena;
	const char *argv[ARGS_MAX] = {h->program}, *path = h->request->path;
	const char *source = path[0] == '-' ? path_join(arena, ".", path) : path;
	const char *folder = path_join(arena, h->ctx->paths.data, "kernels");
	int n = 1;
	for (int i = 0; h->compiler->args[i]; i++)
		argv[n++] = h->compiler->args[i];
	h->compiler->target(arena, find_arch(h), argv, &n);
	for (int i = 0; i < h->request->n_defines; i++)
		argv[n++] = arena_printf(arena, "-D%s", h->request->defines[i]);
	argv[n++] = "-I";
	argv[n++] = folder;
	if (h->compiler->prelude) {
		argv[n++] = "-include";
		argv[n++] = path_join(arena, folder, h->compiler->prelude);
	}
	argv[n++] = "-o";
	argv[n++] = output;
	argv[n++] = source;
	int status = process_run(argv, STDERR_FILENO);
	if (process_succeeded(status))
		return EXIT_OK;
	struct diag_pos pos = {.file = path};
	if (status == -1)
		diag_error(&h->ctx->diag, pos, "%s cannot be started: %s", h->program, strerror(errno));
	else
		diag_error(&h->ctx->diag, pos, "%s cannot compile it; its messages are above", h->program);
	return EXIT_FAILED;
}

static int compile_here(struct local_compilation *h, struct buf *ptx)
{
	h->folder = file_make_scratch(h->ctx->arena, &h->ctx->diag);
	if (!h->folder)
		return EXIT_MISSING;
	const char *output = path_join(h->ctx->arena, h->folder, "kernel.ptx");
	int status = run_compiler(h, output);
	if (status == EXIT_OK && !file_read(output, PTX_MAX, ptx, &h->ctx->diag))
		status = EXIT_FAILED;
	unlink(output);
	rmdir(h->folder);
	return status;
}

/* Finds a compiler; false without. */
static bool find_compiler(struct local_compilation *h)
{
	for (size_t i = 0; i < N_COMPILERS && !h->program; i++) {
		h->compiler = &compilers[i];
		h->program = process_find(h->ctx->arena, compilers[i].variable, compilers[i].names);
	}
	return h->program != NULL;
}

bool compile_can_here(struct cmd_ctx *ctx)
{
	struct local_compilation here = {.ctx = ctx};
	return find_compiler(&here);
}

static int report_no_compiler(struct cmd_ctx *ctx, const char *path)
{
	diag_error(&ctx->diag, (struct diag_pos){.file = path},
		"CUDA source needs a compiler, and there is neither nvcc nor clang");
	diag_note(&ctx->diag, (struct diag_pos){0},
		"install clang or NVIDIA's toolkit, or set NVCC or CLANG to its path, "
		"or give PTX made elsewhere: nvcc -ptx -lineinfo FILE.cu");
	return EXIT_MISSING;
}

/* --- with the worker's NVRTC ------------------------------------------------------------------------------------------ */

static void fill_message(struct arena *arena, const struct cuda_source *source, const struct compile_request *request,
	struct wire_message *out)
{
	struct wire_header *headers = arena_array(arena, struct wire_header, (size_t)source->n);
	for (int i = 1; i < source->n; i++)
		headers[i - 1] = (struct wire_header){source->files[i].file, source->files[i].sent};
	*out = (struct wire_message){.kind = WIRE_COMPILE};
	out->compile = (struct wire_compile){source->files[0].file, source->files[0].sent, headers, source->n - 1,
		request->defines, request->n_defines, request->cc};
}

/* NVRTC compiles device code alone. */
static bool has_host_code(const char *log)
{
	return strstr(log, "host functions are not allowed in JIT mode") || strstr(log, "could not open source file") ||
		strstr(log, "cannot open source file");
}

static int report_rejection(
	struct local_compilation *h, const struct cuda_source *source, const char *log, struct buf *ptx)
{
	struct cmd_ctx *ctx = h->ctx;
	bool host = has_host_code(log);
	if (host && find_compiler(h))
		return compile_here(h, ptx);
	if (!cuda_source_report(ctx, source, log))
		diag_error(&ctx->diag, (struct diag_pos){.file = h->request->path}, "NVRTC cannot compile it: %.*s",
			(int)strcspn(log, "\n"), log);
	if (host)
		diag_note(&ctx->diag, (struct diag_pos){0},
			"NVRTC compiles only device code: exclude host code with #ifndef "
			"__CUDACC_RTC__, or install nvcc on this machine");
	return EXIT_FAILED;
}

/* The worker has no NVRTC, or does not answer. */
static int compile_here_instead(struct local_compilation *h, const struct wire_error *error, struct buf *ptx)
{
	struct cmd_ctx *ctx = h->ctx;
	bool found = find_compiler(h);
	diag_note(&ctx->diag, (struct diag_pos){.file = h->request->path},
		"not compiled by the GPU's worker, but by %s on this machine: %s", found ? h->program : "nothing",
		error->message);
	if (found)
		return compile_here(h, ptx);
	diag_note(&ctx->diag, (struct diag_pos){0}, "%s", wire_error_remedy(error->code));
	return report_no_compiler(ctx, h->request->path);
}

static int compile_by_worker(struct local_compilation *h, struct buf *ptx)
{
	struct cmd_ctx *ctx = h->ctx;
	struct compile_request request = *h->request;
	struct wire_message message;
	const struct wire_error *error;
	request.cc = h->cc;
	const struct cuda_source *source = cuda_source_read(
		ctx, request.path, path_join(ctx->arena, ctx->paths.data, "kernels"));
	if (!source)
		return EXIT_FAILED;
	fill_message(ctx->arena, source, &request, &message);
	const struct wire_message *answer = measure_ask(request.gpu, &message, &error);
	if (!answer)
		return compile_here_instead(h, error, ptx);
	const struct wire_compiled *compiled = &answer->compiled;
	if (!compiled->ptx)
		return report_rejection(h, source, compiled->log, ptx);
	cuda_source_report(ctx, source, compiled->log);
	buf_append(ptx, compiled->ptx, compiled->ptx_len);
	return EXIT_OK;
}

int compile_cuda(struct cmd_ctx *ctx, const struct compile_request *request, struct buf *ptx)
{
	struct local_compilation here = {.ctx = ctx, .request = request, .cc = request->cc};
	const struct wire_error *error;
	const struct wire_gpu *gpu = NULL;
	if (!file_exists(request->path)) {
		diag_error(&ctx->diag, (struct diag_pos){.file = request->path}, "cannot be read: %s", strerror(errno));
		return EXIT_MISSING;
	}
	if (request->gpu)
		gpu = measure_probe(request->gpu, &error); /* whoever measures reports why there is none */
	if (gpu && (!here.cc || gpu->cc < here.cc))
		here.cc = gpu->cc;
	if (gpu)
		return compile_by_worker(&here, ptx);
	here.cc = here.cc ? here.cc : MODEL_CC_DEFAULT;
	return find_compiler(&here) ? compile_here(&here, ptx) : report_no_compiler(ctx, request->path);
}
