/* Fuzz target of the worker's side of the protocol: each line is a request. Each gets an answer that can be sent and
 * read, with its id; only `quit` and `cancel` get none.
 *
 * The functions of gpu/worker/session.h and nvrtc.h here take the place of those in the library: a GPU with 1 MiB of
 * memory whose kernels do nothing and whose counters are locked, and no compiler. */
#include "config.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/worker/nvrtc.h"
#include "gpu/worker/serve.h"
#include "gpu/worker/session.h"

#define MEMORY ((size_t)1 << 20)

bool session_open(struct session *session, int device, struct wire_error *error)
{
	(void)error;
	memset(session, 0, sizeof *session);
	session->arena = arena_new();
	session->device = device;
	session->gpu = (struct wire_gpu){"stand-in", "GH100", "GPU-0", 90, 132, 13000, "580", true, 26, "13.0", false,
		WIRE_NO_PERMISSION, "locked"};
	setenv("SIMTTUTOR_QUEUE_DIR", "/dev/null/none", 1);
	turn_init(&session->turn, "stand-in");
	return true;
}

void session_open_counters(struct session *session)
{
	session->profiler_tried = true;
}

bool session_prepare(struct session *session, struct arena *arena, const struct wire_job *job,
	struct session_launch *out, struct wire_error *error)
{
	size_t total = 0;
	for (int i = 0; i < job->launch.n_args; i++)
		total += launch_arg_bytes(&job->launch.args[i]);
	*out = (struct session_launch){.session = session, .arena = arena, .launch = &job->launch};
	out->filled = arena_array(arena, void *, (size_t)job->launch.n_args + 1);
	*error = (struct wire_error){WIRE_OUT_OF_MEMORY, "the GPU's memory is full"};
	for (int i = 0; total <= MEMORY && i < job->launch.n_args; i++) {
		out->filled[i] = arena_alloc(arena, launch_arg_bytes(&job->launch.args[i]) + 1);
		launch_arg_fill(&job->launch.args[i], out->filled[i]);
	}
	return total <= MEMORY;
}

bool session_run(void *launch, struct wire_error *error)
{
	return session_fill(launch, error) && session_go(launch, error);
}

bool session_fill(struct session_launch *launch, struct wire_error *error)
{
	(void)launch, (void)error;
	return true;
}

bool session_go(void *launch, struct wire_error *error)
{
	(void)launch, (void)error;
	return true;
}

void session_rest(struct session *session)
{
	(void)session;
}

bool session_go_ahead(struct session *session)
{
	(void)session;
	return false;
}

enum profiler_replay session_replay(const char *ptx, size_t ptx_len)
{
	(void)ptx, (void)ptx_len;
	return PROFILER_REPLAY_US;
}

int session_registers(const struct session_launch *launch)
{
	(void)launch;
	return 16;
}

bool session_read(const struct session_launch *launch, int index, void *out, struct wire_error *error)
{
	(void)error;
	memcpy(out, launch->filled[index], launch_arg_bytes(&launch->launch->args[index]));
	return true;
}

bool session_read_memory(const struct session_launch *launch, int index, void *out, struct wire_error *error)
{
	(void)error;
	memset(out, 0, launch->launch->memory[index].bytes);
	return true;
}

bool nvrtc_open(struct arena *arena, struct nvrtc *nvrtc, int driver_cuda, struct wire_error *error)
{
	(void)arena, (void)nvrtc, (void)driver_cuda;
	*error = (struct wire_error){WIRE_NO_NVRTC, "there is no NVRTC"};
	return false;
}

bool nvrtc_compile(struct arena *arena, const struct nvrtc *nvrtc, const struct wire_compile *request,
	struct wire_compiled *out, struct wire_error *error)
{
	(void)arena, (void)nvrtc, (void)request, (void)out, (void)error;
	abort(); /* it was never opened */
}

static int sent;

static void take(const struct wire_message *message)
{
	struct arena *arena = arena_new();
	struct buf line = {0};
	struct diag diag = {0};
	struct wire_message again;
	wire_write(message, &line);
	if (!wire_read(arena, line.data, line.len - 1, &again, &diag) || again.kind != message->kind ||
		again.id != message->id)
		abort();
	sent++;
	buf_free(&line);
	diag_free(&diag);
	arena_free(arena);
}

/* What the line is, as the protocol has it. */
static enum wire_kind kind_of(const char *line, size_t len)
{
	struct arena *arena = arena_new();
	struct diag diag = {0};
	struct wire_message message;
	enum wire_kind kind = wire_read(arena, line, len, &message, &diag) ? message.kind : WIRE_ERROR_REPLY;
	diag_free(&diag);
	arena_free(arena);
	return kind;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct server server = {.send = take};
	const char *line = (const char *)data, *all = line + size;
	for (const char *end; line < all; line = end + 1) {
		end = memchr(line, '\n', (size_t)(all - line));
		end = end ? end : all;
		enum wire_kind kind = kind_of(line, (size_t)(end - line));
		sent = 0;
		enum served how = serve_message(&server, line, (size_t)(end - line));
		if (sent != (kind != WIRE_QUIT && kind != WIRE_CANCEL) ||
			how != (kind == WIRE_QUIT ? SERVED_QUIT : SERVED))
			abort();
	}
	return 0;
}

#include "replay.h"
