#include "config.h"
#include "gpu/client/private.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/portable.h"

#define PROBE_MS 60000 /* from the hello to what the worker found */
#define READ_CHUNK ((size_t)64 << 10)
#define READ_CHUNKS 16                /* of one step, so that a worker that writes without end cannot hold us */
#define BANNER_MAX ((size_t)64 << 10) /* of what a shell may print before the worker starts */

void gpu_talk_write(struct gpu *gpu)
{
	if (gpu->ending || gpu->sent == gpu->out.len)
		return;
	ssize_t n = process_write(&gpu->process, gpu->out.data + gpu->sent, gpu->out.len - gpu->sent);
	if (n < 0)
		gpu_set_ending(gpu);
	else
		gpu->sent += (size_t)n;
}

void gpu_talk_send_next(struct gpu *gpu)
{
	gpu->in_flight = gpu_pop_request(gpu);
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

/* Whether a message of this kind and id may come now. */
static bool expected(const struct gpu *gpu, const struct wire_message *m)
{
	bool reply = m->kind == WIRE_ERROR_REPLY || m->kind == WIRE_PROGRESS;
	switch (gpu->phase) {
	case HELLO: return m->kind == WIRE_HELLO || (m->kind == WIRE_ERROR_REPLY && m->id == 0);
	case PROBE: return (m->kind == WIRE_RESULT_PROBE || reply) && m->id == gpu->probe_id;
	case BUSY: return (m->kind == gpu->in_flight->answer || reply) && m->id == gpu->in_flight->id;
	case IDLE:
	case STOPPED: break;
	}
	return false;
}

/* True when the arena was taken over. */
static bool on_message(struct gpu *gpu, const struct wire_message *m, struct arena *arena)
{
	if (!expected(gpu, m)) {
		gpu_fail(gpu, WIRE_GARBAGE, "the worker sent a message that answers nothing asked");
		return false;
	}
	switch (m->kind) {
	case WIRE_HELLO:
		gpu->place = m->hello.place;
		if (m->hello.protocol == WIRE_PROTOCOL) {
			gpu->probe_id = ++gpu->last_id;
			gpu->phase = PROBE;
			gpu->deadline = clock_ms() + (gpu->start_ms < PROBE_MS ? gpu->start_ms : PROBE_MS);
			gpu->sent = 0;
			buf_clear(&gpu->out);
			wire_write(&(struct wire_message){.kind = WIRE_PROBE, .id = gpu->probe_id}, &gpu->out);
		} else {
			gpu_fail(gpu, WIRE_WRONG_VERSION, "the worker speaks protocol %d, this program protocol %d",
				m->hello.protocol, WIRE_PROTOCOL);
		}
		return false;
	case WIRE_RESULT_PROBE: {
		/* True when it took the arena, in which the strings of the answer live. */
		if (!m->gpu.counters && gpu->tried + 1 < gpu->list.n) { /* another one may have them */
			gpu_fail(gpu, m->gpu.counters_error, "%s", m->gpu.counters_message);
			return false;
		}
		bool same = gpu->resting && gpu->info_arena && strcmp(gpu->info.uuid, m->gpu.uuid) == 0 &&
			gpu->info.counters == m->gpu.counters;
		arena_free(gpu->info_arena);
		gpu->info_arena = arena;
		gpu->info = m->gpu;
		gpu->phase = IDLE;
		gpu->known = true;
		gpu->resting = false;
		gpu_forget_refusals(gpu);
		if (!same)
			gpu_events_push(&gpu->events, GPU_EVENT_PROBED, 0, clock_ms() - gpu->sent_at);
		return true;
	}
	case WIRE_PROGRESS: {
		/* It takes the arena: names and values of what is there already live in it. */
		bool busy = gpu->phase == BUSY;
		if (m->progress.waiting)
			gpu->deadline = clock_ms() + (busy ? gpu->measure_ms : gpu->start_ms);
		gpu_events_push_progress(
			&gpu->events, busy ? m->id : 0, &m->progress, arena, clock_ms() - gpu->sent_at);
		return true;
	}
	case WIRE_ERROR_REPLY:
		if (gpu->phase != BUSY) {
			gpu_fail(gpu, m->error.code, "%s", m->error.message);
		} else if (wire_error_asks_again(m->error.code) && !gpu->in_flight->again &&
			!gpu->in_flight->canceled) {
			/* Puts the request in flight before all others, for the next worker. */
			struct request *r = gpu->in_flight;
			r->again = true;
			r->line = gpu->out;
			r->next = gpu->queue;
			gpu->out = (struct buf){0};
			gpu->queue = r;
			gpu->in_flight = NULL;
			gpu_stop(gpu);
		} else {
			gpu_report_error(gpu, m->id, m->error.code, m->error.message);
			gpu_request_free(gpu->in_flight);
			gpu->in_flight = NULL;
			gpu->phase = IDLE;
			if (wire_error_is_fatal(m->error.code)) /* it ends by itself */
				gpu_stop(gpu);
		}
		return false;
	default: {
		const char *why;
		if (!gpu_request_fits(gpu->in_flight, m, &why)) {
			gpu_fail(gpu, WIRE_GARBAGE, "%s", why);
			return false;
		}
		gpu->retry = (struct retry){.first = gpu->retry.first}; /* all is well */
		gpu_events_push_answer(&gpu->events, m, arena, clock_ms() - gpu->sent_at);
		gpu_request_free(gpu->in_flight);
		gpu->in_flight = NULL;
		gpu->phase = IDLE;
		return true;
	}
	}
}

/* The far side's shell may greet before the worker does, even on the line of the hello. What it says is kept with the
 * errors: where no hello follows, it says why. False when the line is only that. */
static bool skip_banner(struct gpu *gpu, const char **line, size_t *len)
{
	static const char opening[] = "{\"type\":";
	const char *start = memmem(*line, *len, opening, sizeof opening - 1);
	size_t before = start ? (size_t)(start - *line) : *len;
	gpu->banner += before + 1;
	if (gpu->banner > BANNER_MAX) {
		gpu_fail(gpu, WIRE_GARBAGE, "%zu bytes came, and no hello of a worker", gpu->banner);
		return false;
	}
	if (!start)
		process_keep_error(&gpu->process, *line, *len);
	*line += before;
	*len -= before;
	return start != NULL;
}

/* Handles complete lines. A line may end the worker; what follows it is then dropped. */
static void handle_lines(struct gpu *gpu)
{
	struct buf *in = &gpu->in;
	size_t start = 0, from = gpu->scanned;
	for (char *end; from < in->len && (end = memchr(in->data + from, '\n', in->len - from)) != NULL; start = from) {
		from = (size_t)(end - in->data) + 1;
		const char *line = in->data + start;
		size_t len = from - 1 - start;
		if (gpu->phase != HELLO || skip_banner(gpu, &line, &len)) {
			struct arena *arena = arena_new();
			struct diag diag = {0};
			struct wire_message message;
			bool taken = false;
			if (wire_read(arena, line, len, &message, &diag))
				taken = on_message(gpu, &message, arena);
			else
				gpu_fail(gpu, WIRE_GARBAGE, "the worker's answer is not the protocol: %s",
					diag.entries[0].message);
			if (!taken)
				arena_free(arena);
			diag_free(&diag);
		}
		if (gpu->phase == STOPPED)
			return;
	}
	if (start) {
		memmove(in->data, in->data + start, in->len - start + 1);
		in->len -= start;
	}
	gpu->scanned = in->len;
}

void gpu_talk_read(struct gpu *gpu)
{
	/* What the far shell prints before the hello may be why the start takes long. */
	struct buf said = {0};
	process_read_errors(&gpu->process);
	if (gpu->phase == HELLO)
		process_last_error(&gpu->process, &said);
	if (said.len && strcmp(buf_str(&said), buf_str(&gpu->said)) != 0) {
		buf_clear(&gpu->said);
		buf_puts(&gpu->said, buf_str(&said));
		gpu_events_push_progress(&gpu->events, 0, &(struct wire_progress){0}, NULL, clock_ms() - gpu->sent_at);
	}
	buf_free(&said);

	for (int i = 0; i < READ_CHUNKS && gpu->phase != STOPPED && gpu->process.out >= 0; i++) {
		int got = process_read(&gpu->process, &gpu->in, READ_CHUNK);
		if (got < 0)
			gpu_set_ending(gpu);
		if (got <= 0)
			break;
		handle_lines(gpu);
		size_t most = gpu->in_flight ? gpu->in_flight->reply_max : REQUEST_SHORT_REPLY;
		if (gpu->phase != STOPPED && gpu->in.len > most)
			gpu_fail(
				gpu, WIRE_GARBAGE, "the worker sent more than %zu bytes without ending the line", most);
	}
}
