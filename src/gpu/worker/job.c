#include "gpu/worker/serve.h"

#include "base/portable.h"
#include "gpu/worker/session.h"

#define BUFFERS_MAX ((size_t)8 << 30) /* bytes of all buffers of a launch, in this process and on the GPU */

/* --- the GPU and our turn on it ----------------------------------------------------------------------------------- */

/* Opens the GPU at the first request that needs it. A failure may have been of the moment, so the next one tries
 * again. */
bool job_open_gpu(struct server *server, struct wire_error *error)
{
	static struct session session;
	if (server->session)
		return true;
	if (session.arena)
		arena_free(session.arena);
	if (!session_open(&session, server->device, error))
		return false;
	server->session = &session;
	return true;
}

struct waiter {
	const struct server *server;
	int64_t id;
};

static void report_waiting(void *ctx, int before)
{
	const struct waiter *waiter = ctx;
	if (waiter->id)
		waiter->server->send(&(struct wire_message){
			.kind = WIRE_PROGRESS, .id = waiter->id, .progress = {.waiting = before}});
}

static bool is_canceled(void *ctx)
{
	const struct waiter *waiter = ctx;
	return waiter->id && waiter->server->is_canceled && waiter->server->is_canceled(waiter->id);
}

void job_give_way(struct session *session)
{
	if (!turn_is_wanted(&session->turn))
		return;
	session_rest(session);
	turn_leave(&session->turn);
}

bool job_take_gpu(struct server *server, int64_t id, struct wire_error *error)
{
	if (!job_open_gpu(server, error))
		return false;
	struct session *session = server->session;
	struct waiter waiter = {server, id};
	struct turn_stuck stuck;
	if (server->counts_lines)
		return true;
	if (clock_ms() - server->turn_since >= JOB_TURN_MS)
		job_give_way(session);
	int patience_ms = turn_patience_ms();
	bool had = session->turn.has;
	if (turn_take(&session->turn, &(struct turn_wait){patience_ms, report_waiting, &waiter, is_canceled}, &stuck)) {
		if (!had)
			server->turn_since = clock_ms();
		return true;
	}
	if (stuck.given_up) {
		*error = (struct wire_error){WIRE_CANCELED, "it was canceled in the queue for the GPU"};
		return false;
	}
	const char *who = stuck.holder ? arena_printf(session->arena, "process %d has", (int)stuck.holder)
		: stuck.before         ? "another process has"
				       : "a stalled queue has";
	*error = (struct wire_error){WIRE_BUSY,
		arena_printf(session->arena, "%s kept this GPU for %d s without yielding it", who, patience_ms / 1000)};
	return false;
}

/* --- the launch --------------------------------------------------------------------------------------------------- */

/* Why no GPU is given the argument; NULL: it is. */
static const char *machine_alone(const struct launch_arg *arg)
{
	const char *why;
	if (arg->texture)
		return "textures and surfaces are the machine's alone";
	if (arg->n_pointers)
		return "addresses in arguments are for the machine alone";
	return !arg->tensor || tensor_is_known(arg, &why) ? NULL : why;
}

bool job_prepare(struct job *job, struct wire_error *error)
{
	struct launch *launch = &job->wire->launch;
	struct diag diag = {0};
	for (int i = 0; i < launch->n_args; i++) {
		const char *text = launch->args[i].text;
		if (launch_arg_parse(job->arena, NULL, text, &launch->args[i], &diag)) {
			const char *why = machine_alone(&launch->args[i]);
			if (!why)
				continue;
			diag_error(&diag, (struct diag_pos){0}, "%s", why);
		}
		*error = (struct wire_error){WIRE_BAD_REQUEST,
			arena_printf(job->arena, "argument %d, \"%.60s\": %s", i, text,
				diag.count ? diag.entries[0].message : "cannot be read")};
		diag_free(&diag);
		return false;
	}

	/* Each buffer has a limit of its own, but there may be many, and all are filled here first. */
	size_t total = 0;
	for (int i = 0; i < launch->n_args; i++)
		total += launch_arg_bytes(&launch->args[i]);
	for (int i = 0; i < launch->n_memory; i++)
		total += launch->memory[i].bytes;
	if (total > BUFFERS_MAX) {
		*error = (struct wire_error){WIRE_OUT_OF_MEMORY,
			arena_printf(job->arena, "the buffers hold %zu MiB together; at most %zu are taken",
				total >> 20, BUFFERS_MAX >> 20)};
		return false;
	}

	return job_take_gpu(job->server, job->id, error) &&
		session_prepare(job->server->session, job->arena, job->wire, &job->ready, error) &&
		session_run(&job->ready, error);
}

/* Room for so much more of an answer, NULL: it would be too long for one message. */
static void *answer_room(struct job *job, size_t *total, size_t size, struct wire_error *error)
{
	*total += size;
	if (*total <= WIRE_BUFFERS_MAX)
		return arena_alloc(job->arena, size + 1);
	*error = (struct wire_error){WIRE_BAD_REQUEST, "the buffers asked for do not fit in one message"};
	return NULL;
}

static bool read_memory(struct job *job, struct wire_measurement *out, size_t *total, struct wire_error *error)
{
	const struct launch *launch = &job->wire->launch;
	size_t n = (size_t)launch->n_memory;
	size_t *bytes = arena_array(job->arena, size_t, n + 1);
	out->memory = arena_array(job->arena, const void *, n + 1);
	out->memory_bytes = bytes;
	out->n_memory = launch->n_memory;
	for (size_t i = 0; i < n; i++) {
		bytes[i] = launch->memory[i].bytes;
		void *copy = answer_room(job, total, bytes[i], error);
		if (!copy || !session_read_memory(&job->ready, (int)i, copy, error))
			return false;
		out->memory[i] = copy;
	}
	return true;
}

bool job_read_buffers(struct job *job, struct wire_measurement *out, struct wire_error *error)
{
	const struct launch *launch = &job->wire->launch;
	size_t n = (size_t)launch->n_args, total = 0;
	size_t *bytes = arena_array(job->arena, size_t, n + 1);
	out->buffers = arena_array(job->arena, const void *, n + 1);
	out->buffer_bytes = bytes;
	out->n_buffers = launch->n_args;
	for (size_t i = 0; i < n; i++) {
		if (!launch->args[i].buffer)
			continue;
		bytes[i] = launch_arg_bytes(&launch->args[i]);
		void *copy = answer_room(job, &total, bytes[i], error);
		if (!copy || !session_read(&job->ready, (int)i, copy, error))
			return false;
		out->buffers[i] = copy;
	}
	return read_memory(job, out, &total, error);
}
