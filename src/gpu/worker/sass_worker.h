/* gpu/worker/sass_worker.h: another worker, which counts source lines for this one. Inside the worker only.
 *
 * In one process, lines can spoil the range profiler for ever (doc/hardware.md). So they are counted by a second process, started
 * at the first request for them; it launches while we have the turn on the GPU, and never takes one itself. It ends with us. */
#pragma once
#include "gpu/worker/serve.h"
#include "tools/sandbox/process.h"

struct sass_worker {
	struct process process; /* no pid: none */
	struct buf answers;     /* what it wrote and was not read yet */
};

/* Whether it is there already. One that has just started opens the range profiler once, so that nothing else may count meanwhile. */
bool sass_worker_runs(const struct sass_worker *worker);

/* Passes a request for lines on to it, `server->program` with --lines, and waits for the answer, which is in `arena`. An error when it ended without one, or
 * cannot be started; the next request starts another. */
void sass_worker_ask(struct sass_worker *worker, const struct server *server, struct arena *arena,
	const struct wire_message *request, struct wire_message *answer);

/* Ends it; harmless when there is none. */
void sass_worker_stop(struct sass_worker *worker);
