/* The request "sample": what counters do over a kernel's life. */
#include "gpu/worker/serve.h"

#include "base/portable.h"

static bool sample_launch(
	struct job *job, const struct wire_message *request, struct wire_samples *out, struct wire_error *error)
{
	struct sampler_request wanted = {.metrics = request->sample.metrics,
		.n_metrics = request->sample.n_metrics,
		.interval = request->sample.interval,
		.arena = job->arena,
		.out = out};

	if (!job_prepare(job, error))
		return false;
	struct session *session = job->server->session;
	session_open_counters(session);
	if (!session->gpu.counters) {
		*error = (struct wire_error){session->gpu.counters_error, session->gpu.counters_message};
		return false;
	}
	if (!session->sampler.profiler && !sampler_open(&session->sampler, &session->profiler, session->device, error))
		return false;

	/* A launch that is timed, with its buffers as before: how fine samples can be depends on it. */
	if (!session_fill(&job->ready, error))
		return false;
	double start = clock_ms();
	if (!session_go(&job->ready, error))
		return false;
	wanted.kernel_ms = clock_ms() - start;
	if (!session_fill(&job->ready, error))
		return false;

	return sampler_measure(&session->sampler, &wanted, &(struct profiler_run){session_go, &job->ready}, error);
}

void serve_sample(struct server *server, struct arena *arena, struct wire_message *request)
{
	double start = clock_ms();
	struct wire_error error = {WIRE_INTERNAL, "no reason given"};
	struct job job = {server, arena, request->id, &request->sample.job, {0}};
	struct wire_samples out;
	if (!sample_launch(&job, request, &out, &error)) {
		serve_error(server, request->id, &error);
		return;
	}
	out.worker_ms = clock_ms() - start;
	server->send(&(struct wire_message){.kind = WIRE_RESULT_SAMPLE, .id = request->id, .samples = out});
}
