/* The request "stamp": a kernel with probes, and whether it computes what it does without. What the probes are is the
 * front end's business. */
#include "gpu/worker/serve.h"

#include <string.h>

#include "base/portable.h"

/* Copies of the buffers after a run; NULL for scalars. */
static bool read_all(struct job *job, void **out, struct wire_error *error)
{
	const struct launch *launch = &job->wire->launch;
	for (int i = 0; i < launch->n_args; i++) {
		out[i] = NULL;
		if (!launch->args[i].buffer)
			continue;
		out[i] = arena_alloc(job->arena, launch_arg_bytes(&launch->args[i]) + 1);
		if (!session_read(&job->ready, i, out[i], error))
			return false;
	}
	return true;
}

static bool stamp_launch(
	struct job *job, const struct wire_message *request, struct wire_stamped *out, struct wire_error *error)
{
	struct wire_job plain = {request->stamp.plain, request->stamp.plain_len, job->wire->launch};
	struct job without = {job->server, job->arena, job->id, &plain, {0}};
	size_t n = (size_t)job->wire->launch.n_args;
	void **before = arena_array(job->arena, void *, n), **after = arena_array(job->arena, void *, n);
	plain.launch.n_args--;
	if (!job_prepare(&without, error) || !read_all(&without, before, error))
		return false;
	out->plain_registers = session_registers(&without.ready);
	/* the second of two runs: its code is in the GPU's caches */
	if (!job_prepare(job, error))
		return false;

	const struct launch *launch = &job->wire->launch;
	const struct launch_arg *last = &launch->args[launch->n_args - 1];
	if (!last->buffer || launch_arg_bytes(last) > WIRE_BUFFERS_MAX) {
		*error = (struct wire_error){WIRE_BAD_REQUEST,
			last->buffer ? "the probes' buffer does not fit in one message"
				     : "the last argument is not a buffer"};
		return false;
	}

	if (!session_run(&job->ready, error) || !read_all(job, after, error))
		return false;
	out->registers = session_registers(&job->ready);

	out->differs = -1;
	for (int i = 0; i < plain.launch.n_args && out->differs < 0; i++)
		if (launch->args[i].buffer && memcmp(before[i], after[i], launch_arg_bytes(&launch->args[i])) != 0)
			out->differs = i;
	out->buffer = after[n - 1];
	out->bytes = launch_arg_bytes(&job->wire->launch.args[n - 1]);
	return true;
}

void serve_stamp(struct server *server, struct arena *arena, struct wire_message *request)
{
	double start = clock_ms();
	struct wire_error error = {WIRE_INTERNAL, "no reason given"};
	struct job job = {server, arena, request->id, &request->stamp.job, {0}};
	struct wire_stamped out = {0};
	if (!stamp_launch(&job, request, &out, &error)) {
		serve_error(server, request->id, &error);
		return;
	}
	out.worker_ms = clock_ms() - start;
	server->send(&(struct wire_message){.kind = WIRE_RESULT_STAMP, .id = request->id, .stamped = out});
}
