/* gpu/worker/job.h: a launch that a request asks for, from its bytes on the wire to a kernel ready to run on the GPU. Every kind of
 * request that runs a kernel starts here. Inside the worker only. */
#pragma once
#include "gpu/worker/serve.h"
#include "gpu/worker/session.h"

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

/* Reads the arguments, takes the GPU, loads the kernel and fills its buffers, and runs it once: that warms caches and clocks,
 * and a kernel that faults does so outside CUPTI. False with the reason. */
bool job_prepare(struct job *job, struct wire_error *error);

/* What the kernel left in its buffers, and in its memory: per argument its bytes, NULL for a scalar, and how many. False when they do not
 * fit in one message, or cannot be read. */
bool job_read_buffers(struct job *job, struct wire_measurement *out, struct wire_error *error);

/* Gives up our turn if another process waits for it. Enabling the profiler again costs 150 ms, so the turn is kept until then,
 * and for a while after: JOB_TURN_MS while requests come, JOB_IDLE_MS after the last. */
#define JOB_TURN_MS 300
#define JOB_IDLE_MS 50
void job_give_way(struct session *session);
