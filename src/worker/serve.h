/* worker/serve.h: the worker's side of the protocol: one request after another. Inside the worker only. */
#pragma once
#include <stdbool.h>

#include "wire/wire.h"

struct server {
	int device;              /* number of the GPU */
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
enum served serve_line(struct server *server, const char *line, size_t len);

/* To be called when there is nothing to do: gives the turn on the GPU to whoever waits for it. Returns the milliseconds
 * after which it wants to be called again, -1 when only another request makes that necessary. */
int serve_idle(struct server *server);

/* Probes as for a request with this id and sends the answer. True when a GPU was found. */
bool serve_probe(struct server *server, int64_t id);

/* One kind of request each: answers it, or says why not. What the answer is made of lies in `arena`. */
void serve_measure(struct server *server, struct arena *arena, struct wire_message *request);
void serve_compile(struct server *server, struct arena *arena, struct wire_message *request);
void serve_sample(struct server *server, struct arena *arena, struct wire_message *request);
void serve_stamp(struct server *server, struct arena *arena, struct wire_message *request);
void serve_source_lines(struct server *server, struct arena *arena, struct wire_message *request);

void serve_error(const struct server *server, int64_t id, const struct wire_error *error);
