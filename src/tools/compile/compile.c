#include "config.h"
#include "tools/compile/compile.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "model/hardware/access.h"
#include "tools/compile/compile_here.h"

bool compile_can_here(const struct compile_ctx *ctx)
{
	struct compile_here here = {.ctx = ctx};
	return compile_here_find(&here) || here.fault;
}

bool compile_can_by(const struct compile_ctx *ctx, const char *compiler)
{
	const struct compile_request request = {.compiler = compiler};
	struct compile_here here = {.ctx = ctx, .request = &request};
	return compile_here_find(&here);
}

int compile_report_none(const struct compile_ctx *ctx, const char *path)
{
	const struct compile_request request = {.path = path};
	struct compile_here here = {.ctx = ctx, .request = &request};
	compile_here_find(&here);
	return compile_here_report_none(&here);
}

int compile_here_report_none(const struct compile_here *h)
{
	const struct compile_ctx *ctx = h->ctx;
	struct diag_pos pos = {.file = h->request->path};
	if (h->fault) {
		diag_error(ctx->diag, pos, "CUDA source needs a compiler, and %s", h->fault);
		return EXIT_MISSING;
	}
	diag_error(ctx->diag, pos, "CUDA source needs a compiler, and there is neither nvcc nor clang");
	diag_note(ctx->diag, (struct diag_pos){0},
		"install clang or NVIDIA's toolkit, or set NVCC or CLANG to its path, "
		"or give PTX made elsewhere: nvcc -ptx -lineinfo FILE.cu");
	return EXIT_MISSING;
}

/* --- with the worker's NVRTC -------------------------------------------------------------------------------------- */

static int compile_by_worker(struct compile_here *h, struct buf *ptx)
{
	const struct compile_ctx *ctx = h->ctx;
	struct compile_request request = *h->request;
	struct wire_message message;
	const struct wire_error *error;
	request.cc = h->cc;
	const struct cuda_source *source = cuda_source_read(
		ctx, request.path, path_join(ctx->arena, ctx->paths->data, "kernels"));
	if (!source)
		return EXIT_FAILED;

	struct wire_header *headers = arena_array(ctx->arena, struct wire_header, (size_t)source->n);
	for (int i = 1; i < source->n; i++)
		headers[i - 1] = (struct wire_header){source->files[i].file, source->files[i].sent};
	message = (struct wire_message){.kind = WIRE_COMPILE};
	message.compile = (struct wire_compile){source->files[0].file, source->files[0].sent, headers, source->n - 1,
		request.defines, request.n_defines, request.cc};

	const struct wire_message *answer = gpu_wait_answer(request.gpu, &message, &error);
	if (!answer) {
		/* The worker has no NVRTC, or does not answer. */
		bool found = compile_here_find(h);
		diag_note(ctx->diag, (struct diag_pos){.file = h->request->path},
			"not compiled by the GPU's worker, but by %s on this machine: %s",
			found ? h->program : "nothing", error->message);
		if (found)
			return compile_here_run(h, ptx);
		diag_note(ctx->diag, (struct diag_pos){0}, "%s", wire_error_remedy(error->code));
		return compile_here_report_none(h);
	}
	const struct wire_compiled *compiled = &answer->compiled;
	if (!compiled->ptx) {
		const char *log = compiled->log;
		/* NVRTC compiles device code alone. */
		bool host = strstr(log, "host functions are not allowed in JIT mode") ||
			strstr(log, "could not open source file") || strstr(log, "cannot open source file");
		if (host && compile_here_find(h))
			return compile_here_run(h, ptx);
		if (!cuda_source_report(ctx, source, log))
			diag_error(ctx->diag, (struct diag_pos){.file = h->request->path},
				"NVRTC cannot compile it: %.*s", (int)strcspn(log, "\n"), log);
		if (host)
			diag_note(ctx->diag, (struct diag_pos){0},
				"NVRTC compiles only device code: exclude host code with #ifndef "
				"__CUDACC_RTC__, or install nvcc on this machine");
		return EXIT_FAILED;
	}
	cuda_source_report(ctx, source, compiled->log);
	buf_append(ptx, compiled->ptx, compiled->ptx_len);
	return EXIT_OK;
}

struct compile_needs compile_read_needs(const char *source)
{
	struct compile_needs out = {0};
	for (const char *at = source; at && *at;) {
		struct compile_needs read = {0};
		/* sscanf looks for the end of what it is given: of the whole file, for each of its lines */
		char line[64];
		size_t len = strcspn(at, "\r\n");
		int cc_end = 0, end = 0;
		snprintf(line, sizeof line, "%.*s", len < sizeof line ? (int)len : 0, at);
		at += at[len] ? len + 1 : len;
		if (sscanf(line, "// needs: sm_%3d%n", &read.cc, &cc_end) == 1 && line[cc_end] == 'a') {
			read.own = true;
			cc_end++;
		}
		if (cc_end && sscanf(line + cc_end, ", PTX %2d.%2d%n", &read.major, &read.minor, &end) == 2)
			end += cc_end;
		if (end > cc_end && !line[end])
			out = read;
	}
	return out;
}

int compile_cuda(const struct compile_ctx *ctx, const struct compile_request *request, struct buf *ptx)
{
	struct compile_here here = {.ctx = ctx, .request = request, .cc = request->cc};
	const struct wire_error *error;
	const struct wire_gpu *gpu = NULL;
	if (!request->text && !file_exists(request->path)) {
		diag_error(ctx->diag, (struct diag_pos){.file = request->path}, "cannot be read: %s", strerror(errno));
		return EXIT_MISSING;
	}
	if (request->gpu && !request->debug_info)
		gpu = gpu_wait_info(request->gpu, &error); /* whoever measures reports why there is none */
	if (gpu && (!here.cc || gpu->cc < here.cc))
		here.cc = gpu->cc;
	if (gpu && here.cc < request->least)
		here.cc = request->least;
	if (gpu)
		return compile_by_worker(&here, ptx);
	here.cc = here.cc ? here.cc : request->least > MODEL_CC_DEFAULT ? request->least : MODEL_CC_DEFAULT;
	return compile_here_find(&here) ? compile_here_run(&here, ptx) : compile_here_report_none(&here);
}
