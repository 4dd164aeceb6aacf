/* The request "measure": counters of a launch, and what it leaves in its buffers. */
#include "gpu/worker/serve.h"

#include <math.h>

#include "base/portable.h"
#include "gpu/worker/session.h"

/* Metrics in the order of the request. Those that CUPTI counts are in `counters`; `place` is their index in the
 * request. */
struct measure {
	struct job job;
	const struct wire_message *request;
	struct wire_measurement out;
	double *values;
	bool *available;
	struct profiler_request counters;
	int *place;
};

/* Reports the values so far to the front end. False: it has canceled the rest. */
static bool report_pass(const struct profiler_request *so_far)
{
	const struct measure *m = so_far->ctx;
	const struct server *server = m->job.server;
	const char *metrics[WIRE_METRICS_MAX];
	double values[WIRE_METRICS_MAX];
	struct wire_progress progress = {
		.pass = so_far->made, .passes = so_far->passes, .metrics = metrics, .values = values};
	for (int i = 0; i < so_far->n; i++) {
		if (!so_far->available[i] || isnan(so_far->values[i]))
			continue;
		metrics[progress.n] = so_far->metrics[i];
		values[progress.n++] = so_far->values[i];
	}
	server->send(&(struct wire_message){.kind = WIRE_PROGRESS, .id = m->job.id, .progress = progress});
	return !server->is_canceled || !server->is_canceled(m->job.id);
}

static bool measure_launch(struct measure *m, struct wire_error *error)
{
	if (!job_prepare(&m->job, error))
		return false;
	m->out.registers = session_registers(&m->job.ready);

	const char *const *metrics = m->request->measure.metrics;
	size_t n = (size_t)m->request->measure.n_metrics;
	const char **counted = arena_array(m->job.arena, const char *, n + 1);
	m->place = arena_array(m->job.arena, int, n + 1);
	for (size_t i = 0; i < n; i++) {
		if (facts_find(&m->job.ready, metrics[i], &m->values[i], &m->available[i]))
			continue;
		m->place[m->counters.n] = (int)i;
		counted[m->counters.n++] = metrics[i];
	}
	m->counters.metrics = counted;
	m->counters.values = arena_array(m->job.arena, double, n + 1);
	m->counters.available = arena_array(m->job.arena, bool, n + 1);

	if (m->counters.n) {
		struct session *session = m->job.server->session;
		const struct wire_job *wire = m->job.wire;
		session_open_counters(session);
		if (!session->gpu.counters) {
			*error = (struct wire_error){session->gpu.counters_error, session->gpu.counters_message};
			return false;
		}
		m->job.ready.module->counted = true;
		m->counters.passed = report_pass;
		m->counters.ctx = m;
		m->counters.replay = session_replay(wire->ptx, wire->ptx_len);
		sampler_rest(&session->sampler);
		if (!profiler_measure(&session->profiler, &m->counters,
			    &(struct profiler_run){session_run, &m->job.ready}, error)) {
			session->poisoned |= wire_error_is_fatal(error->code);
			return false;
		}
		for (int i = 0; i < m->counters.n; i++) {
			m->values[m->place[i]] = m->counters.values[i];
			m->available[m->place[i]] = m->counters.available[i];
		}
		m->out.passes = m->counters.passes;
	}

	return !m->request->measure.return_buffers || job_read_buffers(&m->job, &m->out, error);
}

void serve_measure(struct server *server, struct arena *arena, struct wire_message *request)
{
	double start = clock_ms();
	size_t n = (size_t)request->measure.n_metrics;
	struct wire_error error = {WIRE_INTERNAL, "no reason given"};
	struct measure m = {.job = {server, arena, request->id, &request->measure.job, {0}}, .request = request};
	m.values = arena_array(arena, double, n + 1);
	m.available = arena_array(arena, bool, n + 1);
	m.out = (struct wire_measurement){
		.metrics = request->measure.metrics, .values = m.values, .available = m.available, .n = (int)n};
	if (!measure_launch(&m, &error)) {
		serve_error(server, request->id, &error);
		return;
	}
	m.out.worker_ms = clock_ms() - start;
	server->send(&(struct wire_message){.kind = WIRE_RESULT_MEASURE, .id = request->id, .measurement = m.out});
}
