#include "config.h"
#include "gpu/client/private.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "base/portable.h"

#define MEASURE_MS 20000
#define ENDING_POLL_MS 5
#define DYING_POLL_MS 200

/* --- the public side ---------------------------------------------------------------------------------------------- */

struct gpu *gpu_new(const char *spec, const char *worker, struct diag *diag)
{
	struct gpu *gpu = base_calloc(1, sizeof *gpu);
	gpu->arena = arena_new();
	gpu->process = PROCESS_NONE;
	gpu->measure_ms = MEASURE_MS;
	gpu->retry.first = RETRY_FIRST_MS;
	if (!gpu_spec_parse_all(gpu->arena, spec, worker, (struct diag_pos){0}, &gpu->list, diag)) {
		gpu_free(gpu);
		return NULL;
	}
	gpu_take(gpu, 0);
	if (!gpu->spec.argv[0])
		gpu_set_error(gpu, WIRE_SWITCHED_OFF, "measuring is switched off");
	return gpu;
}

void gpu_free(struct gpu *gpu)
{
	if (!gpu)
		return;
	gpu_stop(gpu);
	/* A killed process is gone within a millisecond or two; one that hangs in the driver is left to init. */
	for (int i = 0; i < 20 && process_reap(&gpu->dying); i++)
		nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
	while (gpu->queue)
		gpu_request_free(gpu_pop_request(gpu));
	gpu_request_free(gpu->in_flight);
	gpu_events_free(&gpu->events);
	gpu_set_error(gpu, WIRE_INTERNAL, NULL);
	buf_free(&gpu->refusals);
	buf_free(&gpu->said);
	buf_free(&gpu->in);
	buf_free(&gpu->out);
	buf_free(&gpu->process.errors);
	arena_free(gpu->info_arena);
	arena_free(gpu->arena);
	free(gpu);
}

void gpu_set_deadlines(struct gpu *gpu, int start_ms, int measure_ms)
{
	gpu->start_is_set = true;
	gpu->start_ms = start_ms;
	gpu->measure_ms = measure_ms;
}

void gpu_set_rest(struct gpu *gpu, int ms)
{
	gpu->rest_is_set = true;
	gpu->rest_ms = ms;
}

void gpu_set_retry(struct gpu *gpu, int first_ms)
{
	gpu->retry.first = first_ms;
}

enum gpu_state gpu_state(const struct gpu *gpu)
{
	if (gpu->phase == HELLO || gpu->phase == PROBE || gpu->next)
		return gpu->resting && !gpu->said.len ? GPU_READY : GPU_STARTING;
	if (gpu->phase == STOPPED && gpu->retry.at > 0)
		return GPU_LOST;
	return gpu->info_arena ? GPU_READY : GPU_OFF;
}

const struct wire_gpu *gpu_info(const struct gpu *gpu)
{
	return gpu->info_arena ? &gpu->info : NULL;
}

const char *gpu_spec(const struct gpu *gpu)
{
	return gpu->list.texts[gpu->at];
}

enum wire_place gpu_place(const struct gpu *gpu)
{
	return gpu->place;
}

const struct wire_error *gpu_error(const struct gpu *gpu)
{
	return gpu->error.message ? &gpu->error : NULL;
}

const char *gpu_said(const struct gpu *gpu)
{
	return gpu->phase == HELLO ? buf_str(&gpu->said) : "";
}

int64_t gpu_request(struct gpu *gpu, const struct wire_message *request)
{
	struct wire_message m = *request;
	m.id = ++gpu->last_id;
	struct request *r = gpu_request_new(&m), **at = &gpu->queue;
	if (!gpu->spec.argv[0]) {
		gpu_report_error(gpu, m.id, gpu->error.code, gpu->error.message);
		gpu_request_free(r);
	} else if (r->line.len > WIRE_LINE_MAX || r->n_metrics > WIRE_METRICS_MAX || r->n_args > LAUNCH_ARGS_MAX) {
		gpu_report_error(gpu, m.id, WIRE_BAD_REQUEST, "the request is too large for the protocol");
		gpu_request_free(r);
	} else {
		while (*at)
			at = &(*at)->next;
		*at = r;
		gpu_start(gpu);
	}
	return m.id;
}

int64_t gpu_measure(struct gpu *gpu, const struct wire_measure *measure)
{
	return gpu_request(gpu, &(struct wire_message){.kind = WIRE_MEASURE, .measure = *measure});
}

void gpu_cancel(struct gpu *gpu, int64_t id)
{
	if (gpu->phase == BUSY && gpu->in_flight && gpu->in_flight->id == id) {
		wire_write(&(struct wire_message){.kind = WIRE_CANCEL, .id = id}, &gpu->out);
		gpu->in_flight->canceled = true;
		return;
	}
	for (struct request **at = &gpu->queue; *at; at = &(*at)->next) {
		if ((*at)->id != id)
			continue;
		struct request *r = *at;
		*at = r->next;
		gpu_report_error(gpu, id, WIRE_CANCELED, "it was canceled before it was sent");
		gpu_request_free(r);
		return;
	}
}

int gpu_fd(const struct gpu *gpu)
{
	return process_fd(&gpu->process);
}

int gpu_write_fd(const struct gpu *gpu)
{
	return gpu->phase != STOPPED && !gpu->ending && gpu->sent < gpu->out.len ? gpu->process.in : -1;
}

/* Until the phase ends, or something is left to do; -1: never. */
static int phase_timeout_ms(const struct gpu *gpu)
{
	if (gpu->events.first)
		return 0;
	if (gpu->ending)
		return ENDING_POLL_MS;
	if (gpu->next || (gpu->queue && (gpu->phase == STOPPED || gpu->phase == IDLE)))
		return 0;
	bool lost = gpu->phase == STOPPED && gpu->retry.at > 0;
	bool rests = gpu->phase == IDLE && gpu->rest_ms > 0;
	if ((gpu->phase == STOPPED && !lost) || (gpu->phase == IDLE && !rests))
		return -1;
	double left = (lost ? gpu->retry.at : rests ? gpu->rest_at : gpu->deadline) - clock_ms();
	return left <= 0 ? 0 : left < 1e9 ? (int)left + 1 : 1000000000;
}

int gpu_timeout_ms(const struct gpu *gpu)
{
	int phase = phase_timeout_ms(gpu), errors = process_errors_timeout_ms(&gpu->process);
	int timeout = phase < 0 || (errors >= 0 && errors < phase) ? errors : phase;
	return gpu->dies && (timeout < 0 || timeout > DYING_POLL_MS) ? DYING_POLL_MS : timeout;
}

struct gpu_event gpu_step(struct gpu *gpu)
{
	gpu->dies = process_reap(&gpu->dying);
	bool retries = gpu->retry.at > 0 && clock_ms() >= gpu->retry.at;
	if (gpu->phase == STOPPED && (gpu->queue || gpu->next || retries))
		gpu_start(gpu);
	if (gpu->phase != STOPPED)
		gpu_talk_read(gpu);
	if (gpu->phase == STOPPED)
		return gpu_events_take(&gpu->events);

	if (process_ended(&gpu->process))
		gpu_set_ending(gpu);
	if (gpu->phase == IDLE && !gpu->ending)
		gpu_talk_send_next(gpu);
	gpu_talk_write(gpu);
	if (gpu->ending)
		gpu_end_step(gpu);

	bool late = gpu->phase != STOPPED && gpu->phase != IDLE && clock_ms() >= gpu->deadline;
	if (late && gpu->phase == BUSY)
		gpu_fail(gpu, WIRE_TIMEOUT, "no answer to the measurement within %g s", gpu->measure_ms / 1e3);
	else if (late)
		gpu_fail(gpu, WIRE_TIMEOUT, "the worker was not ready within %g s", gpu->start_ms / 1e3);

	/* Ends a worker that has had nothing to do for long; the next request starts another one, as if it had been
	 * there. The time that the front end takes over an event does not count: it may be about to ask again. */
	struct gpu_event event = gpu_events_take(&gpu->events);
	bool rests = gpu->phase == IDLE && !gpu->ending && !gpu->queue && gpu->rest_ms > 0 &&
		event.kind == GPU_EVENT_NONE;
	if (!rests)
		gpu->rest_at = 0;
	else if (gpu->rest_at <= 0)
		gpu->rest_at = clock_ms() + gpu->rest_ms;
	if (rests && clock_ms() >= gpu->rest_at) {
		gpu->rest_at = 0;
		gpu_stop(gpu);
		gpu->resting = true;
	}
	return event;
}

struct gpu_event gpu_wait(struct gpu *gpu, int ms)
{
	double until = clock_ms() + ms;
	for (;;) {
		struct gpu_event event = gpu_step(gpu);
		double left = until - clock_ms();
		int timeout = gpu_timeout_ms(gpu);
		bool over = gpu->phase == STOPPED && phase_timeout_ms(gpu) < 0; /* nothing can come */
		if (event.kind == GPU_EVENT_PROGRESS)
			continue;
		if (event.kind != GPU_EVENT_NONE || left <= 0 || over)
			return event;
		struct pollfd fds[] = {{gpu_fd(gpu), POLLIN, 0}, {gpu_write_fd(gpu), POLLOUT, 0}};
		poll(fds, 2, timeout < 0 || timeout > left ? (int)left + 1 : timeout);
	}
}

/* The front end's own deadlines come first. */
#define START_MAX_MS 600000
#define ANSWER_MAX_MS 60000

static const struct wire_error late = {WIRE_TIMEOUT, "the GPU did not answer in time"};

const struct wire_gpu *gpu_wait_info(struct gpu *gpu, const struct wire_error **error)
{
	*error = gpu_error(gpu);
	if (gpu_info(gpu) || *error)
		return gpu_info(gpu);
	gpu_start(gpu);
	struct gpu_event event = gpu_wait(gpu, START_MAX_MS);
	if (event.kind == GPU_EVENT_PROBED)
		return gpu_info(gpu);
	*error = event.kind == GPU_EVENT_ERROR ? event.error : gpu_error(gpu);
	if (!*error)
		*error = &late;
	return NULL;
}

const struct wire_message *gpu_wait_answer(
	struct gpu *gpu, const struct wire_message *request, const struct wire_error **error)
{
	int64_t id = gpu_request(gpu, request);
	struct gpu_event event;
	do
		event = gpu_wait(gpu, ANSWER_MAX_MS);
	while (event.kind != GPU_EVENT_NONE && event.id != id);
	*error = event.kind == GPU_EVENT_ERROR ? event.error : &late;
	return event.kind == GPU_EVENT_MEASURED || event.kind == GPU_EVENT_ANSWERED ? event.answer : NULL;
}
