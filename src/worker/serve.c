#include "worker/serve.h"

#include "base/clock.h"
#include "worker/job.h"

void serve_error(const struct server *server, int64_t id, const struct wire_error *error)
{
	server->send(&(struct wire_message){.kind = WIRE_ERROR_REPLY, .id = id, .error = *error});
}

int serve_idle(struct server *server)
{
	if (!server->session)
		return -1;
	if (clock_ms() - server->answered >= JOB_IDLE_MS)
		job_give_way(server->session);
	return server->session->turn.has ? JOB_IDLE_MS : -1;
}

bool serve_probe(struct server *server, int64_t id)
{
	struct wire_error error;
	if (!job_take_gpu(server, id, &error)) {
		serve_error(server, id, &error);
		return false;
	}
	session_open_counters(server->session);
	server->send(&(struct wire_message){.kind = WIRE_RESULT_PROBE, .id = id, .gpu = server->session->gpu});
	return true;
}

static void serve_probe_request(struct server *server, struct arena *arena, struct wire_message *request)
{
	(void)arena;
	serve_probe(server, request->id);
}

/* To cancel what is answered already needs no answer. */
static void serve_nothing(struct server *server, struct arena *arena, struct wire_message *request)
{
	(void)server, (void)arena, (void)request;
}

/* What answers a request of each kind; NULL: it is none. */
static void (*const answers[])(struct server *server, struct arena *arena, struct wire_message *request) = {
	[WIRE_PROBE] = serve_probe_request,
	[WIRE_MEASURE] = serve_measure,
	[WIRE_CANCEL] = serve_nothing,
	[WIRE_COMPILE] = serve_compile,
	[WIRE_SAMPLE] = serve_sample,
	[WIRE_STAMP] = serve_stamp,
	[WIRE_LINES] = serve_source_lines,
	[WIRE_ERROR_REPLY] = NULL, /* the last kind */
};

static enum served dispatch(struct server *server, struct arena *arena, struct wire_message *m)
{
	if (m->kind == WIRE_QUIT)
		return SERVED_QUIT;
	if (answers[m->kind])
		answers[m->kind](server, arena, m);
	else
		serve_error(server, m->id, &(struct wire_error){WIRE_BAD_REQUEST, "this message is no request"});
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
		serve_error(server, message.id, &(struct wire_error){WIRE_BAD_REQUEST, diag.entries[0].message});
	diag_free(&diag);
	arena_free(arena);
	server->answered = clock_ms();
	return how;
}
