/* gpu/worker/serve.h: the worker's side of the protocol: one request after another. Inside the worker only. */
#pragma once
#include <stdbool.h>

#include "gpu/wire/wire.h"

struct server {
	int device;          /* number of the GPU */
	const char *program; /* our own: the path of simttutor-gpu */
	bool counts_lines; /* we were started by another worker, to count lines while it has the turn (sass_worker.h) */
	struct session *session; /* NULL: not opened yet */
	double turn_since,
		answered; /* ms on the monotonic clock: our turn on the GPU began; the last request was answered */
	/* Sends a message to the front end. */
	void (*send)(const struct wire_message *message);
	/* Whether the front end has meanwhile asked to give up this request; NULL: it cannot. */
	bool (*is_canceled)(int64_t id);
};

enum served { SERVED, SERVED_QUIT, SERVED_POISONED };

/* Answers one line. POISONED: the answer is sent, but no other can be given by this process. */
enum served serve_message(struct server *server, const char *line, size_t len);

/* To be called when there is nothing to do: gives up the turn on the GPU if another process waits for it. Returns the milliseconds
 * after which it wants to be called again, -1 when only another request makes that necessary. */
int serve_idle(struct server *server);

/* Probes as for a request with this id and sends the answer. True when a GPU was found. */
bool serve_found_gpu(struct server *server, int64_t id);

/* serve_NAME for each kind of request: answers it, or says why not. The parts of the answer are in `arena`. */
#define WIRE_REQUEST(ID, name, type, members)                                                                          \
	void serve_##name(struct server *server, struct arena *arena, struct wire_message *request);
#define WIRE_REPLY(ID, name, type)
#define WIRE_MESSAGE(ID, name, type, id, members)
#include "gpu/wire/messages.def"
#undef WIRE_REQUEST
#undef WIRE_REPLY
#undef WIRE_MESSAGE

void serve_error(const struct server *server, int64_t id, const struct wire_error *error);
