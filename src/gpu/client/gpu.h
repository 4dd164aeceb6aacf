/* gpu/client/gpu.h: the front end's side of the worker: start, deadline, cancel, restart. Never blocks.
 *
 * The owner polls gpu_fd() for reading and calls gpu_step(); what happened comes back as events, one at a time. A
 * worker that dies, goes silent past its deadline or talks garbage is killed, reported as an error of the request in
 * flight (as one of the worker as a whole when none is), and started again with the next request. When it cannot be
 * started or probed, there is one error of the worker as a whole and one for each queued request; the next request
 * tries again. One that is far away (ssh, command) and was there, or broke off while it looked for its GPU, is also
 * started again by itself, after 1 s, 2 s, 4 s and so on up to a minute, until it is back: a GPU_EVENT_PROBED says so.
 *
 * What the far side's shell prints before the worker's hello is passed over. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "gpu/wire/wire.h"

struct gpu;

enum gpu_state {
	GPU_OFF,      /* --gpu none, not started yet, or the start failed: see the error */
	GPU_STARTING, /* started, no hello or probe result yet */
	GPU_LOST,     /* the connection broke; it is tried again by itself */
	GPU_READY,    /* probed; may be busy, or be started again by the next request */
};

/* `spec`: "none", "local", "local:N", "command:CMD..." (sh runs CMD), "ssh:HOST". `worker` is the path of simttutor-gpu
 * for local. gpu_several makes one of several: where one cannot be used, or its counters cannot, the next is tried, and
 * only when none is left is there an error, with what each said. NULL with an error for a spec that is none of these.
 * Nothing is started yet. */
struct gpu *gpu_new(const char *spec, const char *worker, struct diag *diag);

/* One spec for several, `specs` and `next`, which are tried in turn. `specs` may be NULL. In the arena. */
const char *gpu_several(struct arena *arena, const char *specs, const char *next);

/* What "pool:FILE" stands for: the specs of the file's lines, in turn from line `first` on, counted from 0 and around,
 * so that the readers of a pool do not all ask its first GPU. Any other spec is returned as it is. Blank lines and
 * those that begin with # are passed over. In the arena; NULL with an error at its line. */
const char *gpu_pool(struct arena *arena, const char *spec, unsigned first, struct diag *diag);

/* What starts the workers that `spec` names, in the arena, each and all ending in NULL; NULL: none of them can be
 * started. */
const char *const *const *gpu_commands(struct arena *arena, const char *spec, const char *worker);

/* Ends the worker if it runs, and frees everything. One far away is asked to, so that ssh or srun can end it there. */
void gpu_free(struct gpu *gpu);

/* Deadlines in milliseconds: from the start to the hello (and from there to the probe's result, where that is at most a
 * minute), and for a measurement; neither runs out while the
 * worker reports that it waits for its turn on the GPU. The defaults depend on the spec:
 * a worker here is there in a second, ssh may take longer, and a command may wait in a queue for a day. */
void gpu_set_deadlines(struct gpu *gpu, int start_ms, int measure_ms);

/* After so long without a request the worker is ended, so that others can have its GPU; the next request starts it
 * again, and unless that fails, or the GPU is another one, nothing is reported of it. 0: never. The default depends on
 * the spec: a minute for a command, which may hold a place in a queue; never for the others. */
void gpu_set_rest(struct gpu *gpu, int ms);

/* How long the first attempt to reach a worker that was lost waits: 1000 ms by default. */
void gpu_set_retry(struct gpu *gpu, int first_ms);

/* Starts the worker and asks it to probe. Harmless when it runs. */
void gpu_start(struct gpu *gpu);

/* Starts a fresh one, which looks at everything anew, unless one is busy: for counters that were locked, and may be
 * open now. */
void gpu_restart(struct gpu *gpu);

enum gpu_state gpu_state(const struct gpu *gpu);

/* What the last probe found, or NULL; the last error that made the GPU unusable, or NULL. Valid until the next
 * gpu_step. */
const struct wire_gpu *gpu_info(const struct gpu *gpu);
const struct wire_error *gpu_error(const struct gpu *gpu);

/* The one of its specs that is in use, or was tried last; valid as long as `gpu`. */
const char *gpu_spec(const struct gpu *gpu);

/* Where the last worker ran, as it said itself: for wire_error_remedies. */
enum wire_place gpu_place(const struct gpu *gpu);

/* While it starts, the last line that its shell, ssh or srun wrote, such as "srun: job 7 queued and waiting for
 * resources"; "" when there is none. A GPU_EVENT_PROGRESS with id 0 reports a change. */
const char *gpu_said(const struct gpu *gpu);

/* Queues a measurement and returns its id (> 0). Its result or error comes as an event, always exactly one. Copies what
 * it needs. Requests are served in order. */
int64_t gpu_measure(struct gpu *gpu, const struct wire_measure *measure);

/* Queues a request of any kind that has an answer, in the same way; its `id` is not looked at. */
int64_t gpu_request(struct gpu *gpu, const struct wire_message *request);

/* Gives up a request: one that is queued at once, one that the worker answers between two passes, or in the queue for
 * the GPU. It still gets its event: the error CANCELED, or its result when that was quicker. Harmless when it was
 * answered. */
void gpu_cancel(struct gpu *gpu, int64_t id);

/* For poll(): the descriptor to read (-1: none now), the one to write (-1: nothing to write), and the milliseconds
 * until gpu_step must be called even if nothing comes (-1: never). */
int gpu_fd(const struct gpu *gpu);
int gpu_write_fd(const struct gpu *gpu); /* -1: nothing to write */
int gpu_timeout_ms(const struct gpu *gpu);

enum gpu_event_kind {
	GPU_EVENT_NONE,
	GPU_EVENT_PROBED,
	GPU_EVENT_PROGRESS,
	GPU_EVENT_MEASURED,
	GPU_EVENT_ANSWERED,
	GPU_EVENT_ERROR
};

struct gpu_event {
	enum gpu_event_kind kind;
	int64_t id;                    /* of the request; 0: about the worker as a whole, or its start */
	struct wire_progress progress; /* PROGRESS: the latest, with all values so far; valid until the next gpu_step */
	const struct wire_measurement *measurement; /* MEASURED; valid until the next gpu_step */
	const struct wire_message *answer;          /* MEASURED, ANSWERED: of the kind that the request has; likewise */
	const struct wire_error *error;             /* ERROR; likewise */
	double ms;                                  /* request sent to answer read */
};

/* Moves bytes without blocking and returns the next event (GPU_EVENT_NONE: nothing more for now). */
struct gpu_event gpu_step(struct gpu *gpu);

/* For commands that have nothing else to do: steps until an event other than PROGRESS comes or `ms` have passed. */
struct gpu_event gpu_wait(struct gpu *gpu, int ms);

/* Starts the worker, unless that was tried before, and waits for its report. NULL with `*error` when there is no GPU.
 * Valid as gpu_info() is. */
const struct wire_gpu *gpu_wait_info(struct gpu *gpu, const struct wire_error **error);

/* Sends a request and waits for the reply. NULL with `*error`. Both are valid until the next request. */
const struct wire_message *gpu_wait_answer(
	struct gpu *gpu, const struct wire_message *request, const struct wire_error **error);
