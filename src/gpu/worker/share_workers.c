#include "config.h"
#include "gpu/worker/share_state.h"

#include <signal.h>
#include <string.h>
#include <time.h>

#include "base/portable.h"

#define ENDING_MS 50 /* from the end of its output to its own, which says why */

static bool start_worker(struct share *s, struct share_worker *w, struct share_reader *owner, struct buf *why)
{
	const char *device = s->options->device ? s->options->device : "0";
	const char *const argv[] = {s->options->program, "--device", device, NULL};
	struct buf errors = w->process.errors;
	*w = (struct share_worker){.process = PROCESS_NONE, .owner = owner, .since = clock_ms()};
	w->process.errors = errors;
	return process_start(&w->process, argv, why);
}

/* The slot is free again. A request that it had is dealt with by the caller. */
void share_drop_worker(struct share *s, struct share_worker *w)
{
	if (w->owner)
		w->owner->worker = NULL;
	process_stop(&w->process, SIGKILL, &s->dying);
	buf_free(&w->to);
	buf_free(&w->from);
	buf_free(&w->process.errors);
	*w = (struct share_worker){.process = PROCESS_NONE};
}

/* A slot for a worker of one reader: a free one, or that of the reader who has asked nothing for longest. */
static struct share_worker *find_slot(struct share *s)
{
	struct share_worker *idle = NULL;
	for (int i = 1; i <= SHARE_PRIVATE_MAX; i++) {
		struct share_worker *w = &s->workers[i];
		if (!w->process.pid)
			return w;
		if (!w->busy && (!idle || w->since < idle->since))
			idle = w;
	}
	if (idle)
		share_drop_worker(s, idle);
	return idle;
}

static void hand_to(struct share *s, struct share_worker *w, struct share_reader *owner, struct share_reader *r)
{
	struct buf why = {0};
	if (w->process.pid || start_worker(s, w, owner, &why)) {
		r->worker = owner ? w : r->worker;

		buf_append(&w->to, buf_str(&r->line), r->line.len);
		buf_putc(&w->to, '\n');
		w->busy = true;
		w->serves = r;
		w->since = clock_ms();
		r->state = SHARE_RUNNING;
	} else {
		share_refuse(s, r, WIRE_INTERNAL, buf_str(&why));
	}
	buf_free(&why);
}

static struct share_reader *next_known(struct share *s)
{
	struct share_reader *next = NULL;
	for (int i = 0; i < SHARE_READERS_MAX; i++) {
		struct share_reader *r = &s->readers[i];
		if (r->fd >= 0 && r->state == SHARE_WAITING && r->known && (!next || r->turn < next->turn))
			next = r;
	}
	return next;
}

void share_hand_out(struct share *s)
{
	struct share_reader *next;
	while (!s->workers[0].busy && (next = next_known(s)) != NULL)
		hand_to(s, &s->workers[0], NULL, next);
	for (int i = 0; i < SHARE_READERS_MAX; i++) {
		struct share_reader *r = &s->readers[i];
		if (r->fd < 0 || r->state != SHARE_WAITING || r->known)
			continue;
		struct share_worker *w = r->worker ? r->worker : find_slot(s);
		if (w && !w->busy)
			hand_to(s, w, r, r);
	}
}

/* The worker is gone, or has to go: `code` and `why` are for the reader whose request it had. */
static void lose_worker(
	struct share *s, struct share_worker *w, bool may_repeat, enum wire_error_code code, const char *why)
{
	struct share_reader *r = w->busy ? w->serves : NULL;
	bool repeats = r && may_repeat && r->known && !r->again;
	share_drop_worker(s, w);
	if (repeats) {
		r->again = true;
		r->state = SHARE_WAITING;
	} else if (r) {
		share_refuse(s, r, code, why);
	}
}

static bool begins(const char *line, size_t len, const char *with)
{
	return len >= strlen(with) && memcmp(line, with, strlen(with)) == 0;
}

static bool is_fatal(const char *line, size_t len)
{
	struct arena *arena = arena_new();
	struct diag diag = {0};
	struct wire_message m;
	bool fatal = wire_read(arena, line, len, &m, &diag) && m.kind == WIRE_ERROR_REPLY &&
		wire_error_is_fatal(m.error.code);
	diag_free(&diag);
	arena_free(arena);
	return fatal;
}

/* One line of a worker, without its newline. Lines of ours are as wire_write makes them. False: the worker is no more. */
static bool pass_line(struct share *s, struct share_worker *w, const char *line, size_t len)
{
	if (begins(line, len, "{\"type\":\"hello\""))
		return true;
	bool progress = begins(line, len, "{\"type\":\"progress\"");
	if (progress && memmem(line, len, "\"waiting\":", 10))
		w->since = clock_ms();
	struct share_reader *r = w->serves;
	if (r) {
		buf_append(&r->out, line, len);
		buf_putc(&r->out, '\n');
	}
	if (progress)
		return true;
	w->busy = false;
	w->serves = NULL;
	w->since = clock_ms();
	bool fatal = begins(line, len, "{\"type\":\"error\"") && is_fatal(line, len);
	if (fatal)
		share_drop_worker(s, w);
	if (r)
		share_settle(s, r);
	return !fatal;
}

void share_read_worker(struct share *s, struct share_worker *w)
{
	int some;
	while ((some = process_read(&w->process, &w->from, SHARE_CHUNK)) > 0) {
		const char *newline;
		while ((newline = memchr(buf_str(&w->from) + w->scanned, '\n', w->from.len - w->scanned)) != NULL) {
			size_t len = (size_t)(newline - w->from.data);
			if (!pass_line(s, w, w->from.data, len))
				return;
			share_drop_front(&w->from, len + 1);
			w->scanned = 0;
		}
		w->scanned = w->from.len;
	}
	process_read_errors(&w->process);
	if (some < 0 || w->from.len > WIRE_LINE_MAX || process_ended(&w->process)) {
		struct buf why = {0};
		double until = clock_ms() + ENDING_MS;
		while (!process_ended(&w->process) && clock_ms() < until)
			nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
		process_read_errors(&w->process);
		buf_puts(&why, "the worker ");
		if (process_ended(&w->process))
			process_describe(&w->process, &why);
		else
			buf_puts(&why, "said no more");
		lose_worker(s, w, true, WIRE_INTERNAL, buf_str(&why));
		buf_free(&why);
	}
}

void share_write_worker(struct share_worker *w)
{
	ssize_t n = process_write(&w->process, w->to.data + w->sent, w->to.len - w->sent);
	w->sent += n > 0 ? (size_t)n : 0;
	if (n < 0 || w->sent == w->to.len) { /* where it is gone, its end says so */
		buf_free(&w->to);
		w->sent = 0;
	}
}

void share_end_overdue(struct share *s)
{
	double now = clock_ms();
	for (int i = 0; i <= SHARE_PRIVATE_MAX; i++) {
		struct share_worker *w = &s->workers[i];
		if (w->process.pid && w->busy && now - w->since > (w->serves ? SHARE_RUN_MAX_MS : SHARE_LEFT_MAX_MS))
			lose_worker(s, w, false, WIRE_KERNEL_TIMEOUT, "the kernel did not end; its worker was stopped");
	}
}
