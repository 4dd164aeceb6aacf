/* gpu/worker/serve.h: the worker's side of the protocol: one request after another. Inside the worker only. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gpu/wire/wire.h"
#include "gpu/worker/session.h"
#include "tools/sandbox/process.h"

struct server {
	int device;          /* number of the GPU */
	const char *program; /* our own: the path of simttutor-gpu */
	/* we were started by another worker, to count lines while it has the turn (struct sass_worker) */
	bool counts_lines;
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

/* To be called when there is nothing to do: gives up the turn on the GPU if another process waits for it. Returns the
 * milliseconds after which it wants to be called again, -1 when only another request makes that necessary. */
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

/* --- input.c: the lines on standard input ------------------------------------------------------------------------- */

/* The next whole line that is here already, without its newline. Valid until input_read or input_cancels. */
bool input_line(const char **line, size_t *len);

/* Reads what there is, waiting for it. False at the end of input, and after a line longer than the protocol allows. */
bool input_read(void);

/* Whether among the lines that are here, or can be read without waiting, is one that cancels request `id`. They all
 * stay. */
bool input_cancels(int64_t id);

/* --- job.c: a launch that a request asks for ---------------------------------------------------------------------- */

/* From its bytes on the wire to a kernel ready to run on the GPU: every kind of request that runs a kernel starts
 * here. */
struct job {
	struct server *server;
	struct arena *arena; /* of the request */
	int64_t id;
	struct wire_job *wire; /* its arguments are read by job_prepare */
	struct session_launch ready;
};

/* Opens the GPU if that was not done. */
bool job_open_gpu(struct server *server, struct wire_error *error);

/* The same, and takes our turn on it; how many are ahead of us is reported to the front end. */
bool job_take_gpu(struct server *server, int64_t id, struct wire_error *error);

/* Reads the arguments, takes the GPU, loads the kernel and fills its buffers, and runs it once: that warms caches and
 * clocks, and a kernel that faults does so outside CUPTI. False with the reason. */
bool job_prepare(struct job *job, struct wire_error *error);

/* What the kernel left in its buffers, and in its memory: per argument its bytes, NULL for a scalar, and how many.
 * False when they do not fit in one message, or cannot be read. */
bool job_read_buffers(struct job *job, struct wire_measurement *out, struct wire_error *error);

/* Gives up our turn if another process waits for it. Enabling the profiler again costs 150 ms, so the turn is kept
 * until then, and for a while after: JOB_TURN_MS while requests come, JOB_IDLE_MS after the last. */
#define JOB_TURN_MS 300
#define JOB_IDLE_MS 50
void job_give_way(struct session *session);

/* --- sass_worker.c: another worker, which counts source lines ----------------------------------------------------- */

/* In one process, lines can spoil the range profiler for ever (doc/hardware.md). So they are counted by a second
 * process, started at the first request for them; it launches while we have the turn on the GPU, and never takes one
 * itself. It ends with us. */
struct sass_worker {
	struct process process; /* no pid: none */
	struct buf answers;     /* what it wrote and was not read yet */
};

/* Whether it is there already. One that has just started opens the range profiler once, so that nothing else may count
 * meanwhile. */
bool sass_worker_runs(const struct sass_worker *worker);

/* Passes a request for lines on to it, `server->program` with --lines, and waits for the answer, which is in `arena`.
 * An error when it ended without one, or cannot be started; the next request starts another. */
void sass_worker_ask(struct sass_worker *worker, const struct server *server, struct arena *arena,
	const struct wire_message *request, struct wire_message *answer);

/* Ends it; harmless when there is none. */
void sass_worker_stop(struct sass_worker *worker);
