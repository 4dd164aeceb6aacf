#include "config.h"
#include "gpu/gpu.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "gpu/events.h"
#include "gpu/process.h"
#include "gpu/request.h"
#include "gpu/retry.h"
#include "gpu/spec.h"

#define MEASURE_MS 20000
#define ENDING_MS 200           /* how long a worker that closed its output may take to end and say how */
#define ENDING_POLL_MS 5
#define READ_CHUNK ((size_t)64 << 10)
#define READ_CHUNKS 16          /* of one step, so that a worker that writes without end cannot hold us */
#define PROBE_MS 60000           /* from the hello to what the worker found */
#define BANNER_MAX ((size_t)64 << 10) /* of what a shell may print before the worker starts */

enum phase { STOPPED, HELLO, PROBE, IDLE, BUSY };

struct gpu {
	struct arena *arena;
	struct spec spec;
	int start_ms, measure_ms;
	enum phase phase;
	struct retry retry;
	bool known;             /* the worker was there once: its absence is a loss */
	size_t banner;          /* bytes that came before the hello */
	bool ending;            /* its output is closed: only its exit status is awaited */
	struct process process;
	struct buf in, out;
	struct buf said;        /* by what starts the worker */
	size_t scanned, sent;   /* of in: without a newline; of out: written */
	struct request *queue, *in_flight;
	int64_t last_id, probe_id;
	double deadline, sent_at, ending_until; /* ms on the monotonic clock */
	struct events events;
	struct arena *info_arena; /* NULL: not probed */
	struct wire_gpu info;
	struct wire_error error; /* message owned; NULL: none */
	enum wire_place place;  /* as the last hello said */
	struct process_dying dying;
};

/* --- requests ----------------------------------------------------------------------------------------------------- */

static struct request *pop_request(struct gpu *gpu)
{
	struct request *r = gpu->queue;
	if (r)
		gpu->queue = r->next;
	return r;
}

static void drop_queued(struct gpu *gpu)
{
	while (gpu->queue)
		request_free(pop_request(gpu));
}

/* --- the worker's life -------------------------------------------------------------------------------------------- */

static void stop(struct gpu *gpu)
{
	/* ssh and srun end what they started far away when they are asked to, but not when they are killed */
	process_stop(&gpu->process, gpu->spec.far ? SIGTERM : SIGKILL, &gpu->dying);
	gpu->phase = STOPPED;
	gpu->ending = false;
	gpu->scanned = gpu->sent = 0;
	buf_clear(&gpu->in);
	buf_clear(&gpu->out);
}

static void tell_error(struct gpu *gpu, int64_t id, enum wire_error_code code, const char *message)
{
	bool sent = gpu->in_flight && gpu->in_flight->id == id;
	events_push_error(&gpu->events, id, code, message, sent ? clock_ms() - gpu->sent_at : 0);
}

static void set_error(struct gpu *gpu, enum wire_error_code code, const char *message)
{
	free((char *)gpu->error.message);
	gpu->error = (struct wire_error){code, message ? base_strdup(message) : NULL};
}

static void fail_start(struct gpu *gpu, enum wire_error_code code, const char *message)
{
	set_error(gpu, code, message);
	arena_free(gpu->info_arena);
	gpu->info_arena = NULL;
	tell_error(gpu, 0, code, message);
	while (gpu->queue) {
		tell_error(gpu, gpu->queue->id, code, message);
		request_free(pop_request(gpu));
	}
}

/* Whether it may come right by itself: what was there may come back, whatever is wrong, and a connection that broke while
 * the worker looked for its GPU may hold the next time. */
static bool may_pass(const struct gpu *gpu, enum wire_error_code code)
{
	bool broke = code == WIRE_WORKER_DIED || code == WIRE_TIMEOUT;
	return gpu->spec.far && (gpu->known ? code != WIRE_WRONG_VERSION && code != WIRE_GARBAGE : gpu->phase == PROBE && broke);
}

/* Ends the worker and reports why: to the request in flight, or as one of the worker as a whole. */
__attribute__((format(printf, 3, 4)))
static void fail(struct gpu *gpu, enum wire_error_code code, const char *format, ...)
{
	bool starting = gpu->phase == HELLO || gpu->phase == PROBE || gpu->phase == STOPPED;
	bool retry = may_pass(gpu, code);
	struct buf message = {0};
	va_list args;
	va_start(args, format);
	buf_vprintf(&message, format, args);
	va_end(args);
	stop(gpu);
	if (starting)
		fail_start(gpu, code, buf_str(&message));
	else
		tell_error(gpu, gpu->in_flight ? gpu->in_flight->id : 0, code, buf_str(&message));
	if (retry)
		retry_plan(&gpu->retry);
	request_free(gpu->in_flight);
	gpu->in_flight = NULL;
	buf_free(&message);
}

static void died(struct gpu *gpu)
{
	struct buf how = {0};
	process_read_errors(&gpu->process);
	process_describe(&gpu->process, &how);
	bool starting = gpu->phase == HELLO || gpu->phase == PROBE;
	/* a shell's way to say that there is no such program */
	bool none = starting && gpu->process.ended && WIFEXITED(gpu->process.status) &&
		(WEXITSTATUS(gpu->process.status) == 126 || WEXITSTATUS(gpu->process.status) == 127);
	fail(gpu, none ? WIRE_NO_WORKER : WIRE_WORKER_DIED, "the worker %s", buf_str(&how));
	buf_free(&how);
}

/* Waits a little for the exit status of a worker whose output is closed. */
static void end_step(struct gpu *gpu)
{
	bool closed = gpu->process.out < 0;
	if ((process_ended(&gpu->process) && closed) || clock_ms() >= gpu->ending_until)
		died(gpu);
}

static void set_ending(struct gpu *gpu)
{
	if (gpu->ending)
		return;
	gpu->ending = true;
	gpu->ending_until = clock_ms() + ENDING_MS;
}

void gpu_start(struct gpu *gpu)
{
	if (gpu->phase != STOPPED || !gpu->spec.argv[0])
		return;
	struct buf why = {0};
	set_error(gpu, WIRE_INTERNAL, NULL);
	retry_cancel(&gpu->retry);
	gpu->banner = 0;
	buf_clear(&gpu->said);
	gpu->sent_at = clock_ms();
	gpu->deadline = gpu->sent_at + gpu->start_ms;
	if (process_start(&gpu->process, gpu->spec.argv, &why))
		gpu->phase = HELLO;
	else
		fail(gpu, WIRE_NO_WORKER, "%s", buf_str(&why));
	buf_free(&why);
}

void gpu_restart(struct gpu *gpu)
{
	if (gpu->phase == IDLE)
		stop(gpu);
	gpu_start(gpu);
}

/* --- talking ------------------------------------------------------------------------------------------------------ */

static void write_out(struct gpu *gpu)
{
	if (gpu->ending || gpu->sent == gpu->out.len)
		return;
	ssize_t n = process_write(&gpu->process, gpu->out.data + gpu->sent, gpu->out.len - gpu->sent);
	if (n < 0)
		set_ending(gpu);
	else
		gpu->sent += (size_t)n;
}

static void send_probe(struct gpu *gpu)
{
	gpu->probe_id = ++gpu->last_id;
	gpu->phase = PROBE;
	gpu->deadline = clock_ms() + (gpu->start_ms < PROBE_MS ? gpu->start_ms : PROBE_MS);
	gpu->sent = 0;
	buf_clear(&gpu->out);
	wire_write(&(struct wire_message){.kind = WIRE_PROBE, .id = gpu->probe_id}, &gpu->out);
}

static void send_next(struct gpu *gpu)
{
	gpu->in_flight = pop_request(gpu);
	if (!gpu->in_flight)
		return;
	gpu->phase = BUSY;
	gpu->sent_at = clock_ms();
	gpu->deadline = gpu->sent_at + gpu->measure_ms;
	gpu->sent = 0;
	buf_free(&gpu->out);
	gpu->out = gpu->in_flight->line;
	gpu->in_flight->line = (struct buf){0};
}

static void on_hello(struct gpu *gpu, const struct wire_message *m)
{
	gpu->place = m->hello.place;
	if (m->hello.protocol == WIRE_PROTOCOL)
		send_probe(gpu);
	else
		fail(gpu, WIRE_WRONG_VERSION, "the worker speaks protocol %d, this program protocol %d",
			m->hello.protocol, WIRE_PROTOCOL);
}

/* Takes the arena: the strings of the answer live in it. */
static void on_probed(struct gpu *gpu, const struct wire_message *m, struct arena *arena)
{
	arena_free(gpu->info_arena);
	gpu->info_arena = arena;
	gpu->info = m->gpu;
	gpu->phase = IDLE;
	gpu->known = true;
	events_push_probed(&gpu->events, clock_ms() - gpu->sent_at);
}

static bool on_answer(struct gpu *gpu, const struct wire_message *m, struct arena *arena)
{
	const char *why;
	if (!request_fits(gpu->in_flight, m, &why)) {
		fail(gpu, WIRE_GARBAGE, "%s", why);
		return false;
	}
	retry_reset(&gpu->retry);
	events_push_answer(&gpu->events, m, arena, clock_ms() - gpu->sent_at);
	request_free(gpu->in_flight);
	gpu->in_flight = NULL;
	gpu->phase = IDLE;
	return true;
}

static void on_error(struct gpu *gpu, const struct wire_message *m)
{
	if (gpu->phase != BUSY) {
		fail(gpu, m->error.code, "%s", m->error.message);
		return;
	}
	tell_error(gpu, m->id, m->error.code, m->error.message);
	request_free(gpu->in_flight);
	gpu->in_flight = NULL;
	gpu->phase = IDLE;
	if (wire_error_is_fatal(m->error.code)) /* its context is dead, and it ends by itself */
		stop(gpu);
}

/* Takes the arena: names and values of what is there already live in it. */
static void on_progress(struct gpu *gpu, const struct wire_message *m, struct arena *arena)
{
	bool busy = gpu->phase == BUSY;
	if (m->progress.waiting)
		gpu->deadline = clock_ms() + (busy ? gpu->measure_ms : gpu->start_ms);
	events_push_progress(&gpu->events, busy ? m->id : 0, &m->progress, arena, clock_ms() - gpu->sent_at);
}

/* Whether a message of this kind and id may come now. */
static bool expected(const struct gpu *gpu, const struct wire_message *m)
{
	bool reply = m->kind == WIRE_ERROR_REPLY || m->kind == WIRE_PROGRESS;
	switch (gpu->phase) {
	case HELLO:
		return m->kind == WIRE_HELLO || (m->kind == WIRE_ERROR_REPLY && m->id == 0);
	case PROBE:
		return (m->kind == WIRE_RESULT_PROBE || reply) && m->id == gpu->probe_id;
	case BUSY:
		return (m->kind == gpu->in_flight->answer || reply) && m->id == gpu->in_flight->id;
	case IDLE:
	case STOPPED:
		break;
	}
	return false;
}

/* True when the arena was taken over. */
static bool on_message(struct gpu *gpu, const struct wire_message *m, struct arena *arena)
{
	if (!expected(gpu, m)) {
		fail(gpu, WIRE_GARBAGE, "the worker sent a message that answers nothing asked");
		return false;
	}
	switch (m->kind) {
	case WIRE_HELLO:
		on_hello(gpu, m);
		return false;
	case WIRE_RESULT_PROBE:
		on_probed(gpu, m, arena);
		return true;
	case WIRE_PROGRESS:
		on_progress(gpu, m, arena);
		return true;
	case WIRE_ERROR_REPLY:
		on_error(gpu, m);
		return false;
	default:
		return on_answer(gpu, m, arena);
	}
}

/* The far side's shell may greet before the worker does, even on the line of the hello. What it says is kept with the
 * errors: where no hello follows, it tells why. False when the line is but that. */
static bool skip_banner(struct gpu *gpu, const char **line, size_t *len)
{
	static const char opening[] = "{\"type\":";
	const char *start = memmem(*line, *len, opening, sizeof opening - 1);
	size_t before = start ? (size_t)(start - *line) : *len;
	gpu->banner += before + 1;
	if (gpu->banner > BANNER_MAX) {
		fail(gpu, WIRE_GARBAGE, "%zu bytes came, and no hello of a worker", gpu->banner);
		return false;
	}
	if (!start)
		process_keep_error(&gpu->process, *line, *len);
	*line += before;
	*len -= before;
	return start != NULL;
}

static void on_line(struct gpu *gpu, const char *line, size_t len)
{
	if (gpu->phase == HELLO && !skip_banner(gpu, &line, &len))
		return;
	struct arena *arena = arena_new();
	struct diag diag = {0};
	struct wire_message message;
	bool taken = false;
	if (wire_read(arena, line, len, &message, &diag))
		taken = on_message(gpu, &message, arena);
	else
		fail(gpu, WIRE_GARBAGE, "the worker's answer is not the protocol: %s", diag.entries[0].message);
	if (!taken)
		arena_free(arena);
	diag_free(&diag);
}

/* Handles the lines that are there whole. A line may end the worker, and then what follows it is nobody's. */
static void take_lines(struct gpu *gpu)
{
	struct buf *in = &gpu->in;
	size_t start = 0, from = gpu->scanned;
	for (char *end; from < in->len && (end = memchr(in->data + from, '\n', in->len - from)) != NULL; start = from) {
		from = (size_t)(end - in->data) + 1;
		on_line(gpu, in->data + start, from - 1 - start);
		if (gpu->phase == STOPPED)
			return;
	}
	if (start) {
		memmove(in->data, in->data + start, in->len - start + 1);
		in->len -= start;
	}
	gpu->scanned = in->len;
}

static void check_length(struct gpu *gpu)
{
	size_t most = gpu->in_flight ? gpu->in_flight->reply_max : REQUEST_SHORT_REPLY;
	if (gpu->phase != STOPPED && gpu->in.len > most)
		fail(gpu, WIRE_GARBAGE, "the worker sent more than %zu bytes without ending the line", most);
}

/* What it says before the worker does may be why that takes so long. */
static void hear(struct gpu *gpu)
{
	struct buf said = {0};
	process_read_errors(&gpu->process);
	if (gpu->phase == HELLO)
		process_last_error(&gpu->process, &said);
	if (said.len && strcmp(buf_str(&said), buf_str(&gpu->said)) != 0) {
		buf_clear(&gpu->said);
		buf_puts(&gpu->said, buf_str(&said));
		events_push_progress(&gpu->events, 0, &(struct wire_progress){0}, NULL, clock_ms() - gpu->sent_at);
	}
	buf_free(&said);
}

static void read_in(struct gpu *gpu)
{
	hear(gpu);
	for (int i = 0; i < READ_CHUNKS && gpu->phase != STOPPED && gpu->process.out >= 0; i++) {
		int got = process_read(&gpu->process, &gpu->in, READ_CHUNK);
		if (got < 0)
			set_ending(gpu);
		if (got <= 0)
			break;
		take_lines(gpu);
		check_length(gpu);
	}
}

static void check_deadline(struct gpu *gpu)
{
	if (gpu->phase == STOPPED || gpu->phase == IDLE || clock_ms() < gpu->deadline)
		return;
	if (gpu->phase == BUSY)
		fail(gpu, WIRE_TIMEOUT, "no answer to the measurement within %g s", gpu->measure_ms / 1e3);
	else
		fail(gpu, WIRE_TIMEOUT, "the worker was not ready within %g s", gpu->start_ms / 1e3);
}

static void advance(struct gpu *gpu)
{
	process_reap(&gpu->dying);
	if (gpu->phase == STOPPED && (gpu->queue || retry_is_due(&gpu->retry)))
		gpu_start(gpu);
	if (gpu->phase == STOPPED)
		return;
	read_in(gpu);
	if (gpu->phase == STOPPED)
		return;
	if (process_ended(&gpu->process))
		set_ending(gpu);
	if (gpu->phase == IDLE && !gpu->ending)
		send_next(gpu);
	write_out(gpu);
	if (gpu->ending)
		end_step(gpu);
	check_deadline(gpu);
}

/* --- the public side ---------------------------------------------------------------------------------------------- */

struct gpu *gpu_new(const char *spec, const char *worker, struct diag *diag)
{
	struct gpu *gpu = base_calloc(1, sizeof *gpu);
	gpu->arena = arena_new();
	gpu->process = PROCESS_NONE;
	gpu->measure_ms = MEASURE_MS;
	if (!spec_parse(gpu->arena, spec, worker, &gpu->spec, diag)) {
		gpu_free(gpu);
		return NULL;
	}
	gpu->start_ms = gpu->spec.start_ms;
	if (!gpu->spec.argv[0])
		set_error(gpu, WIRE_SWITCHED_OFF, "measuring is switched off");
	return gpu;
}

void gpu_free(struct gpu *gpu)
{
	if (!gpu)
		return;
	stop(gpu);
	/* A killed process is gone within a millisecond or two; one that hangs in the driver is left to init. */
	for (int i = 0; i < 20 && process_reap(&gpu->dying); i++)
		nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
	drop_queued(gpu);
	request_free(gpu->in_flight);
	events_free(&gpu->events);
	set_error(gpu, WIRE_INTERNAL, NULL);
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
	gpu->start_ms = start_ms;
	gpu->measure_ms = measure_ms;
}

enum gpu_state gpu_state(const struct gpu *gpu)
{
	if (gpu->phase == HELLO || gpu->phase == PROBE)
		return GPU_STARTING;
	if (gpu->phase == STOPPED && gpu->retry.at > 0)
		return GPU_LOST;
	return gpu->info_arena ? GPU_READY : GPU_OFF;
}

const struct wire_gpu *gpu_info(const struct gpu *gpu)
{
	return gpu->info_arena ? &gpu->info : NULL;
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

int64_t gpu_ask(struct gpu *gpu, const struct wire_message *request)
{
	struct wire_message m = *request;
	m.id = ++gpu->last_id;
	struct request *r = request_new(&m), **at = &gpu->queue;
	if (!gpu->spec.argv[0]) {
		tell_error(gpu, m.id, gpu->error.code, gpu->error.message);
		request_free(r);
	} else if (!request_is_sendable(r)) {
		tell_error(gpu, m.id, WIRE_BAD_REQUEST, "the request is too large for the protocol");
		request_free(r);
	} else {
		while (*at)
			at = &(*at)->next;
		*at = r;
		gpu_start(gpu);
	}
	return m.id;
}

int64_t gpu_measure(struct gpu *gpu, const char *ptx, size_t ptx_len, const struct launch *launch,
	const char *const *metrics, int n_metrics, bool return_buffers)
{
	struct wire_message m = {.kind = WIRE_MEASURE};
	m.measure.job = (struct wire_job){ptx, ptx_len, *launch};
	m.measure.metrics = metrics;
	m.measure.n_metrics = n_metrics;
	m.measure.return_buffers = return_buffers;
	return gpu_ask(gpu, &m);
}

void gpu_cancel(struct gpu *gpu, int64_t id)
{
	if (gpu->phase == BUSY && gpu->in_flight && gpu->in_flight->id == id) {
		wire_write(&(struct wire_message){.kind = WIRE_CANCEL, .id = id}, &gpu->out);
		return;
	}
	for (struct request **at = &gpu->queue; *at; at = &(*at)->next) {
		if ((*at)->id != id)
			continue;
		struct request *r = *at;
		*at = r->next;
		tell_error(gpu, id, WIRE_CANCELLED, "it was cancelled before it was sent");
		request_free(r);
		return;
	}
}

int gpu_fd(const struct gpu *gpu)
{
	return gpu->process.epoll;
}

int gpu_write_fd(const struct gpu *gpu)
{
	return gpu->phase != STOPPED && !gpu->ending && gpu->sent < gpu->out.len ? gpu->process.in : -1;
}

int gpu_timeout_ms(const struct gpu *gpu)
{
	if (gpu->events.first)
		return 0;
	if (gpu->ending)
		return ENDING_POLL_MS;
	if (gpu->queue && (gpu->phase == STOPPED || gpu->phase == IDLE))
		return 0;
	bool lost = gpu->phase == STOPPED && gpu->retry.at > 0;
	if ((gpu->phase == STOPPED && !lost) || gpu->phase == IDLE)
		return -1;
	double left = (lost ? gpu->retry.at : gpu->deadline) - clock_ms();
	return left <= 0 ? 0 : left < 1e9 ? (int)left + 1 : 1000000000;
}

struct gpu_event gpu_step(struct gpu *gpu)
{
	advance(gpu);
	return events_take(&gpu->events);
}

struct gpu_event gpu_wait(struct gpu *gpu, int ms)
{
	double until = clock_ms() + ms;
	for (;;) {
		struct gpu_event event = gpu_step(gpu);
		double left = until - clock_ms();
		int timeout = gpu_timeout_ms(gpu);
		if (event.kind == GPU_EVENT_PROGRESS)
			continue;
		if (event.kind != GPU_EVENT_NONE || left <= 0 || (timeout < 0 && gpu->phase == STOPPED))
			return event;
		struct pollfd fds[] = {{gpu_fd(gpu), POLLIN, 0}, {gpu_write_fd(gpu), POLLOUT, 0}};
		poll(fds, 2, timeout < 0 || timeout > left ? (int)left + 1 : timeout);
	}
}
