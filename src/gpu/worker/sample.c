/* The request "sample": what counters do over a kernel's life. */
#include "gpu/worker/serve.h"

#include "base/portable.h"

/* A launch that is timed, with its buffers as before: how fine samples can be depends on it. */
static bool time_kernel(struct session_launch *launch, double *ms, struct wire_error *error)
{
	if (!session_fill(launch, error))
		return false;
	double start = clock_ms();
	if (!session_go(launch, error))
		return false;
	*ms = clock_ms() - start;
	return session_fill(launch, error);
}

static bool open_sampler(struct session *session, struct wire_error *error)
{
	session_open_counters(session);
	if (!session->gpu.counters) {
		*error = (struct wire_error){session->gpu.counters_error, session->gpu.counters_message};
		return false;
	}
	return session->sampler.profiler || sampler_open(&session->sampler, &session->profiler, session->device, error);
}

static bool sample_launch(
	struct job *job, const struct wire_message *request, struct wire_samples *out, struct wire_error *error)
{
	struct sampler_request wanted = {.metrics = request->sample.metrics,
		.n_metrics = request->sample.n_metrics,
		.interval = request->sample.interval,
		.arena = job->arena,
		.out = out};
	return job_prepare(job, error) && open_sampler(job->server->session, error) &&
		time_kernel(&job->ready, &wanted.kernel_ms, error) &&
		sampler_measure(&job->server->session->sampler, &wanted,
			&(struct profiler_run){session_go, &job->ready}, error);
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
