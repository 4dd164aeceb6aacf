/* The request "lines": counters of each source line of a launch, and of each machine instruction. A worker has another
 * count them (sass_worker.c), which does it here, too. */
#include "gpu/worker/serve.h"

#include "base/portable.h"
#include "gpu/worker/sass.h"

/* --- in the worker that counts lines ------------------------------------------------------------------------------ */

static bool count_launch(
	struct job *job, const struct wire_message *request, struct wire_line_counts *out, struct wire_error *error)
{
	/* Opens the range profiler first and SASS metrics second, as CUPTI requires. Modules loaded from then on keep
	 * their cubin, which maps instructions to source lines. */
	if (!job_take_gpu(job->server, job->id, error))
		return false;
	struct session *session = job->server->session;
	session_open_counters(session);
	if (!session->gpu.counters) {
		*error = (struct wire_error){session->gpu.counters_error, session->gpu.counters_message};
		return false;
	}
	session_rest(session); /* the range profiler is the other worker's from here on */
	const struct sass_chip chip = {&session->profiler.cupti, session->gpu.chip, session->device, session->context};
	if (!sass_open(session->arena, &session->sass, &chip, error))
		return false;

	if (!job_prepare(job, error))
		return false;
	struct session_module *module = job->ready.module;
	module->counted = true;
	struct sass_request sass = {.metrics = request->lines.metrics,
		.n = request->lines.n_metrics,
		.cubin = module->cubin,
		.cubin_size = module->cubin_size,
		.kernel = request->lines.instrs ? request->lines.job.launch.kernel : NULL};
	if (!sass_count(&job->server->session->sass, job->arena, &sass,
		    &(struct profiler_run){session_run, &job->ready}, error))
		return false;
	*out = (struct wire_line_counts){.metrics = sass.metrics,
		.available = sass.available,
		.n = sass.n,
		.lines = sass.lines,
		.n_lines = sass.n_lines,
		.passes = 1,
		.code = sass.code,
		.instrs = sass.instrs,
		.n_instrs = sass.n_instrs};
	return true;
}

/* --- in the other ------------------------------------------------------------------------------------------------- */

static struct sass_worker sass_worker = {.process = PROCESS_NONE};

void serve_lines(struct server *server, struct arena *arena, struct wire_message *request)
{
	struct wire_message answer;
	struct wire_error error;
	if (server->counts_lines) {
		double start = clock_ms();
		struct wire_error failure = {WIRE_INTERNAL, "no reason given"};
		struct job job = {server, arena, request->id, &request->lines.job, {0}};
		struct wire_message counted = {.kind = WIRE_RESULT_LINES, .id = request->id};
		if (!count_launch(&job, request, &counted.line_counts, &failure)) {
			serve_error(server, request->id, &failure);
			return;
		}
		counted.line_counts.worker_ms = clock_ms() - start;
		server->send(&counted);

		return;
	}

	/* As what it starts, it makes room for it: the first time for the range profiler there. */
	bool has_room = job_take_gpu(server, request->id, &error);
	if (has_room) {
		if (!sass_worker_runs(&sass_worker))
			session_rest(server->session);
		sampler_rest(&server->session->sampler); /* it keeps other profilers out */
	}
	if (!has_room) {
		serve_error(server, request->id, &error);
		return;
	}
	sass_worker_ask(&sass_worker, server, arena, request, &answer);
	server->session->poisoned = answer.kind == WIRE_ERROR_REPLY && wire_error_is_fatal(answer.error.code);
	server->send(&answer);
}
