#include "gpu/worker/serve.h"

#include "base/portable.h"

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
	if (session_go_ahead(server->session))
		return 0;
	return server->session->turn.has ? JOB_IDLE_MS : -1;
}

bool serve_found_gpu(struct server *server, int64_t id)
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

void serve_probe(struct server *server, struct arena *arena, struct wire_message *request)
{
	(void)arena;
	serve_found_gpu(server, request->id);
}

/* What answers a request of each kind; NULL: it is none. */
static void (*const answers[WIRE_KINDS])(struct server *server, struct arena *arena, struct wire_message *request) = {
#define WIRE_REQUEST(ID, name, type, members) [WIRE_##ID] = serve_##name,
#define WIRE_REPLY(ID, name, type)
#define WIRE_MESSAGE(ID, name, type, id, members)
#include "gpu/wire/messages.def"
#undef WIRE_REQUEST
#undef WIRE_REPLY
#undef WIRE_MESSAGE
};

enum served serve_message(struct server *server, const char *line, size_t len)
{
	struct arena *arena = arena_new();
	struct diag diag = {0};
	struct wire_message message;
	enum served how = SERVED;
	if (wire_read(arena, line, len, &message, &diag)) {
		if (message.kind == WIRE_QUIT) {
			how = SERVED_QUIT;
		} else {
			if (answers[message.kind])
				answers[message.kind](server, arena, &message);
			else if (message.kind != WIRE_CANCEL) /* to cancel what is answered already needs no answer */
				serve_error(server, message.id,
					&(struct wire_error){WIRE_BAD_REQUEST, "this message is not a request"});
			how = server->session && server->session->poisoned ? SERVED_POISONED : SERVED;
		}
	} else {
		serve_error(server, message.id, &(struct wire_error){WIRE_BAD_REQUEST, diag.entries[0].message});
	}
	diag_free(&diag);
	arena_free(arena);
	server->answered = clock_ms();
	return how;
}
