/* gpu/request.h: one measurement asked for: its line on the wire, and what its answer must look like, for that decides how
 * much memory it may take and what readers of it index. Inside the folder only. */
#pragma once
#include "wire/wire.h"

#define REQUEST_SHORT_REPLY ((size_t)1 << 20) /* bytes of a reply without buffers */

struct request {
	struct arena *arena;    /* holds all of it but the line */
	int64_t id;
	struct buf line;        /* whoever sends it may take it away */
	const char **metrics;
	int n_metrics, n_args;
	size_t *buffer_bytes;   /* per argument, 0 for a scalar */
	int n_buffers;          /* 0: none asked for */
	size_t reply_max;       /* bytes of an answer that fits */
	struct request *next;   /* in the queue */
};

/* Copies what it needs. `message` is a WIRE_MEASURE. */
struct request *request_new(const struct wire_message *message);
void request_free(struct request *request);

/* Whether the protocol can carry it. */
bool request_is_sendable(const struct request *request);

/* Whether the measurement is about what was asked for; else `why` is a sentence. */
bool request_fits(const struct request *request, const struct wire_measurement *measurement, const char **why);
