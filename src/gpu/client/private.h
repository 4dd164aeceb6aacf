/* gpu/client/private.h: a worker from its start to its end, and the messages both ways. Inside the folder only. */
#pragma once
#include "gpu/client/events.h"
#include "gpu/client/gpu.h"
#include "gpu/client/request.h"
#include "gpu/client/retry.h"
#include "gpu/client/spec.h"
#include "tools/sandbox/process.h"

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

/* --- life.c: the queue, and the worker's life ------------------------------------------------------------------------ */

/* The first of the queue, which is the caller's then; NULL: it is empty. */
struct request *gpu_pop_request(struct gpu *gpu);
void gpu_drop_queued(struct gpu *gpu);

/* Makes this one of the list the one in use. */
void gpu_take(struct gpu *gpu, int at);

/* One of the list can be used: what others said is of no more interest. */
void gpu_forget_refusals(struct gpu *gpu);

/* Ends the worker without reporting anything. */
void gpu_stop(struct gpu *gpu);

/* An event: request `id`, or the worker as a whole with 0, failed so. Copies the message. */
void gpu_report_error(struct gpu *gpu, int64_t id, enum wire_error_code code, const char *message);

/* Why the GPU cannot be used; NULL: no reason. Copies the message. */
void gpu_set_error(struct gpu *gpu, enum wire_error_code code, const char *message);

/* Ends the worker and reports why: to the request in flight, or as one of the worker as a whole. */
__attribute__((format(printf, 3, 4))) void gpu_fail(
	struct gpu *gpu, enum wire_error_code code, const char *format, ...);

/* From now on only its exit status is awaited, for a little while; gpu_end_step looks for it. */
void gpu_set_ending(struct gpu *gpu);
void gpu_end_step(struct gpu *gpu);

void gpu_check_deadline(struct gpu *gpu);

/* Ends a worker that has had nothing to do for long; the next request starts another one, as if it had been there. */
void gpu_rest_step(struct gpu *gpu);

/* --- talk.c: the protocol --------------------------------------------------------------------------------------------- */

/* Writes and reads what can be without waiting. Reading handles the lines that are there whole; it may end the worker. */
void gpu_talk_write(struct gpu *gpu);
void gpu_talk_read(struct gpu *gpu);

/* Sends the first request of the queue, if there is one. */
void gpu_talk_send_next(struct gpu *gpu);
