/* gpu/client/request.h: one request: its line on the wire, and what its answer must look like, for that decides how
 * much memory it may take and what readers of it index. Inside the folder only. */
#pragma once
#include "gpu/wire/wire.h"

#define REQUEST_SHORT_REPLY ((size_t)1 << 20) /* bytes of a measurement without buffers */
#define REQUEST_LONG_REPLY ((size_t)32 << 20) /* of the answer to any other request */

struct request {
	struct arena *arena; /* holds all of it but the line */
	int64_t id;
	enum wire_kind answer; /* the kind of its result */
	struct buf line;       /* the sender may take it */
	int n_args;
	/* of a WIRE_MEASURE */
	const char **metrics;
	int n_metrics;
	size_t *buffer_bytes; /* per argument, 0 for a scalar */
	int n_buffers;        /* 0: none asked for */
	size_t *memory_bytes; /* of the launch's memory */
	int n_memory;         /* likewise */
	size_t stamp_bytes;   /* of a WIRE_STAMP: the probes' buffer */
	size_t reply_max;     /* bytes of an answer that fits */
	bool canceled, again; /* it is no longer wanted; it was asked before, of another worker */
	struct request *next; /* in the queue */
};

/* Copies what it needs. `message` is a request that has an answer. */
struct request *gpu_request_new(const struct wire_message *message);
void gpu_request_free(struct request *request);

/* Whether the protocol can carry it. */
bool gpu_request_is_sendable(const struct request *request);

/* Whether the answer, of the right kind, is about what was asked for; else `why` is a sentence. */
bool gpu_request_fits(const struct request *request, const struct wire_message *answer, const char **why);
