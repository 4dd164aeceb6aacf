/* gpu/client/private.h: a worker from its start to its end, and the messages both ways. Inside the folder only. */
#pragma once
#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "gpu/client/gpu.h"
#include "gpu/wire/wire.h"
#include "tools/sandbox/process.h"

/* --- spec.c: --gpu SPEC: how to start a worker -------------------------------------------------------------------- */

#define SPEC_ARGV_MAX 16

struct spec {
	const char *argv[SPEC_ARGV_MAX]; /* NULL-terminated; argv[0] NULL: measuring is off */
	bool far;                        /* a connection is between us and the worker, and may break */
	int start_ms;                    /* how long its start may take */
	int rest_ms;                     /* without a request, after which it lets its GPU go; 0: it keeps it */
};

/* Several are tried in turn; `text` has this between them. */
#define SPEC_NEXT '\036'
#define SPECS_MAX 64

struct spec_list {
	struct spec specs[SPECS_MAX];
	const char *texts[SPECS_MAX];
	int n;
};

/* False with an error at `pos`. Of several none may be "none". */
bool gpu_spec_parse_all(struct arena *arena, const char *text, const char *worker, struct diag_pos pos,
	struct spec_list *out, struct diag *diag);

/* False with an error at `pos` that lists what there is. `worker` is the path of simttutor-gpu. */
bool gpu_spec_parse(struct arena *arena, const char *spec, const char *worker, struct diag_pos pos, struct spec *out,
	struct diag *diag);

/* --- life.c: when to connect again to a worker far away whose connection broke ------------------------------------ */

/* Each attempt waits twice as long as the one before, from `first` to RETRY_MOST_MS; a measurement that came starts
 * that afresh. */

#define RETRY_FIRST_MS 1000
#define RETRY_MOST_MS 60000

struct retry {
	double first; /* ms before the first attempt */
	double delay; /* ms before the last attempt; 0: none since all was well */
	double at;    /* ms on the monotonic clock; 0: none is planned */
};

/* --- request.c: one request, and what its answer must look like --------------------------------------------------- */

/* What an answer must look like decides how much memory it may take and what readers of it index. */

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

/* Whether the answer, of the right kind, is about what was asked for; else `why` is a sentence. */
bool gpu_request_fits(const struct request *request, const struct wire_message *answer, const char **why);

/* --- events.c: events not yet taken, in order --------------------------------------------------------------------- */

/* With all that they point to. {0} is an empty queue. */
struct events {
	struct event_node *first, *last;
	struct event_node *taken; /* the one handed out last: what it points to is still in use */
};

void gpu_events_free(struct events *events);

/* With nothing that it points to. */
struct event_node *gpu_events_push(struct events *events, enum gpu_event_kind kind, int64_t id, double ms);

/* Request `id`, or the worker as a whole with 0, failed so. Copies the message. */
void gpu_report_error(struct gpu *gpu, int64_t id, enum wire_error_code code, const char *message);

/* Replaces a report on the same measurement that was not taken yet. Takes over the arena, in which its values lie. */
void gpu_events_push_progress(
	struct events *events, int64_t id, const struct wire_progress *progress, struct arena *arena, double ms);

/* Takes over the arena, in which the answer lies. */
void gpu_events_push_answer(struct events *events, const struct wire_message *answer, struct arena *arena, double ms);

/* The next event, GPU_EVENT_NONE when there is none. It is valid until the next call. */
struct gpu_event gpu_events_take(struct events *events);

/* --- the worker --------------------------------------------------------------------------------------------------- */

enum gpu_phase { STOPPED, HELLO, PROBE, IDLE, BUSY };

struct gpu {
	struct arena *arena;
	struct spec_list list;
	int at, tried; /* of the list: the one in use; those that could not be used, since one could or was asked for */
	bool next;     /* of the list is to be started */
	struct buf refusals; /* what they said */
	struct spec spec;    /* of the list, the one in use */
	int start_ms, measure_ms, rest_ms;
	bool start_is_set, rest_is_set; /* by the owner: else they are the spec's */
	enum gpu_phase phase;
	struct retry retry;
	bool known;    /* the worker was there once: its absence is a loss */
	size_t banner; /* bytes that came before the hello */
	bool resting;  /* it let its GPU go, and has not been started again since, or is about to be there again */
	bool ending;   /* its output is closed: only its exit status is awaited */
	struct process process;
	struct buf in, out;
	struct buf said;      /* the last line on standard error before the hello: of ssh, of a shell, of srun */
	size_t scanned, sent; /* of in: without a newline; of out: written */
	struct request *queue, *in_flight;
	int64_t last_id, probe_id;
	double deadline, sent_at, ending_until; /* ms on the monotonic clock */
	double rest_at;                         /* when it lets its GPU go; 0: not as things stand */
	struct events events;
	struct arena *info_arena; /* NULL: not probed */
	struct wire_gpu info;
	struct wire_error error; /* message owned; NULL: none */
	enum wire_place place;   /* as the last hello said */
	struct process_dying dying;
	bool dies; /* one of them was still there at the last step */
};

/* --- life.c: the queue, and the worker's life --------------------------------------------------------------------- */

/* The first of the queue, which is the caller's then; NULL: it is empty. */
struct request *gpu_pop_request(struct gpu *gpu);

/* Makes this one of the list the one in use. */
void gpu_take(struct gpu *gpu, int at);

/* One of the list can be used: what others said is of no more interest. */
void gpu_forget_refusals(struct gpu *gpu);

/* Ends the worker without reporting anything. */
void gpu_stop(struct gpu *gpu);

/* Why the GPU cannot be used; NULL: no reason. Copies the message. */
void gpu_set_error(struct gpu *gpu, enum wire_error_code code, const char *message);

/* Ends the worker and reports why: to the request in flight, or as one of the worker as a whole. */
__attribute__((format(printf, 3, 4))) void gpu_fail(
	struct gpu *gpu, enum wire_error_code code, const char *format, ...);

/* From now on only its exit status is awaited, for a little while; gpu_end_step looks for it. */
void gpu_set_ending(struct gpu *gpu);
void gpu_end_step(struct gpu *gpu);

/* --- talk.c: the protocol ----------------------------------------------------------------------------------------- */

/* Writes and reads what can be without waiting. Reading handles the lines that are there whole; it may end the
 * worker. */
void gpu_talk_write(struct gpu *gpu);
void gpu_talk_read(struct gpu *gpu);

/* Sends the first request of the queue, if there is one. */
void gpu_talk_send_next(struct gpu *gpu);
