#include "worker/serve.h"

#include <string.h>

#include "base/clock.h"
#include "worker/session.h"

#define STUCK_MS 30000 /* longer than any front end lets a measurement take */
#define IDLE_MS 50
#define BUFFERS_MAX ((size_t)8 << 30) /* bytes of all buffers of a launch, in this process and on the GPU */

static void send_error(const struct server *server, int64_t id, const struct wire_error *error)
{
	server->send(&(struct wire_message){.kind = WIRE_ERROR_REPLY, .id = id, .error = *error});
}

/* Opens the GPU at the first request that needs it. A failure may have been of the moment, so the next one tries again. */
static bool open_session(struct server *server, struct wire_error *error)
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

/* --- turns -------------------------------------------------------------------------------------------------------- */

struct waiter {
	const struct server *server;
	int64_t id;
};

static void tell_waiting(void *ctx, int before)
{
	const struct waiter *waiter = ctx;
	if (waiter->id)
		waiter->server->send(&(struct wire_message){.kind = WIRE_PROGRESS, .id = waiter->id,
			.progress = {.waiting = before}});
}

/* The turn is kept as long as nobody else wants it, because enabling the profiler again costs 150 ms. */
static void give_way(struct session *session)
{
	if (!turn_is_wanted(&session->turn))
		return;
	profiler_rest(&session->profiler);
	turn_leave(&session->turn);
}

int serve_idle(struct server *server)
{
	if (!server->session)
		return -1;
	give_way(server->session);
	return server->session->turn.has ? IDLE_MS : -1;
}

static bool take_turn(const struct server *server, int64_t id, struct wire_error *error)
{
	struct session *session = server->session;
	struct waiter waiter = {server, id};
	struct turn_stuck stuck;
	give_way(session);
	if (turn_take(&session->turn, &(struct turn_wait){STUCK_MS, tell_waiting, &waiter}, &stuck))
		return true;
	const char *who = stuck.holder ? arena_printf(session->arena, "process %d has", (int)stuck.holder)
		: stuck.before ? "another process has" : "nobody gets the turn, which has";
	*error = (struct wire_error){WIRE_BUSY, arena_printf(session->arena,
		"%s kept this GPU for %d s without giving way", who, STUCK_MS / 1000)};
	return false;
}

bool serve_probe(struct server *server, int64_t id)
{
	struct wire_error error;
	if (!open_session(server, &error) || !take_turn(server, id, &error)) {
		send_error(server, id, &error);
		return false;
	}
	session_open_counters(server->session);
	server->send(&(struct wire_message){.kind = WIRE_RESULT_PROBE, .id = id, .gpu = server->session->gpu});
	return true;
}

/* --- measuring ---------------------------------------------------------------------------------------------------- */

struct job {
	struct server *server;
	struct arena *arena;
	struct wire_message *request;
	struct session_launch ready;
	struct wire_measurement out;
	double *values;
	bool *available;
};

/* Each buffer has a limit of its own, but there may be many, and all are filled here first. */
static bool check_total(struct job *job, struct wire_error *error)
{
	const struct launch *launch = &job->request->measure.launch;
	size_t total = 0;
	for (int i = 0; i < launch->n_args; i++)
		total += launch_arg_bytes(&launch->args[i]);
	if (total <= BUFFERS_MAX)
		return true;
	*error = (struct wire_error){WIRE_OUT_OF_MEMORY, arena_printf(job->arena,
		"the buffers hold %zu MiB together; at most %zu are taken", total >> 20, BUFFERS_MAX >> 20)};
	return false;
}

static bool read_args(struct job *job, struct wire_error *error)
{
	struct launch *launch = &job->request->measure.launch;
	struct diag diag = {0};
	for (int i = 0; i < launch->n_args; i++) {
		const char *text = launch->args[i].text;
		if (launch_arg_parse(job->arena, NULL, text, &launch->args[i], &diag))
			continue;
		*error = (struct wire_error){WIRE_BAD_REQUEST, arena_printf(job->arena, "argument %d, \"%.60s\": %s", i, text,
			diag.count ? diag.entries[0].message : "cannot be read")};
		diag_free(&diag);
		return false;
	}
	return check_total(job, error);
}

static bool count(struct job *job, struct wire_error *error)
{
	struct session *session = job->server->session;
	const struct wire_message *request = job->request;
	session_open_counters(session);
	if (!session->gpu.counters) {
		*error = (struct wire_error){session->gpu.counters_error, session->gpu.counters_message};
		return false;
	}
	struct profiler_request counters = {.metrics = request->measure.metrics, .n = request->measure.n_metrics,
		.values = job->values, .available = job->available};
	if (!profiler_measure(&session->profiler, &counters, &(struct profiler_run){session_run, &job->ready}, error))
		return false;
	job->out.passes = counters.passes;
	return true;
}

static bool read_buffers(struct job *job, struct wire_error *error)
{
	const struct launch *launch = &job->request->measure.launch;
	const void **buffers = arena_array(job->arena, const void *, (size_t)launch->n_args + 1);
	size_t *sizes = arena_array(job->arena, size_t, (size_t)launch->n_args + 1), total = 0;
	for (int i = 0; i < launch->n_args; i++) {
		if (!launch->args[i].buffer)
			continue;
		sizes[i] = launch_arg_bytes(&launch->args[i]);
		total += sizes[i];
		if (total > WIRE_LINE_MAX / 4 * 3 - (1 << 20)) {
			*error = (struct wire_error){WIRE_BAD_REQUEST, "the buffers asked for do not fit in one message"};
			return false;
		}
		void *bytes = arena_alloc(job->arena, sizes[i] + 1);
		if (!session_read(&job->ready, i, bytes, error))
			return false;
		buffers[i] = bytes;
	}
	job->out.buffers = buffers;
	job->out.buffer_bytes = sizes;
	job->out.n_buffers = launch->n_args;
	return true;
}

static bool measure(struct job *job, struct wire_error *error)
{
	const struct wire_message *request = job->request;
	if (!read_args(job, error) || !open_session(job->server, error) || !take_turn(job->server, request->id, error))
		return false;
	if (!session_prepare(job->server->session, job->arena, request->measure.ptx, request->measure.ptx_len,
			&request->measure.launch, &job->ready, error))
		return false;
	/* Once without the profiler: it warms caches and clocks, and a kernel that faults does so outside CUPTI. */
	if (!session_run(&job->ready, error))
		return false;
	job->out.registers = session_registers(&job->ready);
	if (request->measure.n_metrics && !count(job, error))
		return false;
	return !request->measure.return_buffers || read_buffers(job, error);
}

static void serve_measure(struct server *server, struct arena *arena, struct wire_message *request)
{
	double start = clock_ms();
	size_t n = (size_t)request->measure.n_metrics;
	struct wire_error error = {WIRE_INTERNAL, "no reason given"};
	struct job job = {.server = server, .arena = arena, .request = request};
	job.values = arena_array(arena, double, n + 1);
	job.available = arena_array(arena, bool, n + 1);
	job.out = (struct wire_measurement){.metrics = request->measure.metrics, .values = job.values,
		.available = job.available, .n = (int)n};
	if (!measure(&job, &error)) {
		send_error(server, request->id, &error);
		return;
	}
	job.out.worker_ms = clock_ms() - start;
	server->send(&(struct wire_message){.kind = WIRE_RESULT_MEASURE, .id = request->id, .measurement = job.out});
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

static enum served dispatch(struct server *server, struct arena *arena, struct wire_message *m)
{
	switch (m->kind) {
	case WIRE_PROBE:
		serve_probe(server, m->id);
		break;
	case WIRE_MEASURE:
		serve_measure(server, arena, m);
		break;
	case WIRE_QUIT:
		return SERVED_QUIT;
	default:
		send_error(server, m->id, &(struct wire_error){WIRE_BAD_REQUEST, "this message is no request"});
	}
	return server->session && server->session->poisoned ? SERVED_POISONED : SERVED;
}

enum served serve_line(struct server *server, const char *line, size_t len)
{
	struct arena *arena = arena_new();
	struct diag diag = {0};
	struct wire_message message;
	enum served how = SERVED;
	if (wire_read(arena, line, len, &message, &diag))
		how = dispatch(server, arena, &message);
	else
		send_error(server, message.id, &(struct wire_error){WIRE_BAD_REQUEST, diag.entries[0].message});
	diag_free(&diag);
	arena_free(arena);
	return how;
}
