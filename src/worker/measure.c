/* The request "measure": counters of a launch, and what it leaves in its buffers. */
#include "worker/serve.h"

#include "base/clock.h"
#include "worker/job.h"

struct measure {
	struct job job;
	const struct wire_message *request;
	struct wire_measurement out;
	double *values;
	bool *available;
};

static bool count(struct measure *m, struct wire_error *error)
{
	struct session *session = m->job.server->session;
	session_open_counters(session);
	if (!session->gpu.counters) {
		*error = (struct wire_error){session->gpu.counters_error, session->gpu.counters_message};
		return false;
	}
	sampler_rest(&session->sampler);
	struct profiler_request counters = {.metrics = m->request->measure.metrics, .n = m->request->measure.n_metrics,
		.values = m->values, .available = m->available};
	if (!profiler_measure(&session->profiler, &counters, &(struct profiler_run){session_run, &m->job.ready}, error))
		return false;
	m->out.passes = counters.passes;
	return true;
}

static bool read_buffers(struct measure *m, struct wire_error *error)
{
	const void **buffers;
	size_t *bytes;
	if (!job_read_buffers(&m->job, &buffers, &bytes, error))
		return false;
	m->out.buffers = buffers;
	m->out.buffer_bytes = bytes;
	m->out.n_buffers = m->job.wire->launch.n_args;
	return true;
}

static bool measure(struct measure *m, struct wire_error *error)
{
	if (!job_prepare(&m->job, error))
		return false;
	m->out.registers = session_registers(&m->job.ready);
	if (m->request->measure.n_metrics && !count(m, error))
		return false;
	return !m->request->measure.return_buffers || read_buffers(m, error);
}

void serve_measure(struct server *server, struct arena *arena, struct wire_message *request)
{
	double start = clock_ms();
	size_t n = (size_t)request->measure.n_metrics;
	struct wire_error error = {WIRE_INTERNAL, "no reason given"};
	struct measure m = {.job = {server, arena, request->id, &request->measure.job, {0}}, .request = request};
	m.values = arena_array(arena, double, n + 1);
	m.available = arena_array(arena, bool, n + 1);
	m.out = (struct wire_measurement){.metrics = request->measure.metrics, .values = m.values,
		.available = m.available, .n = (int)n};
	if (!measure(&m, &error)) {
		serve_error(server, request->id, &error);
		return;
	}
	m.out.worker_ms = clock_ms() - start;
	server->send(&(struct wire_message){.kind = WIRE_RESULT_MEASURE, .id = request->id, .measurement = m.out});
}
