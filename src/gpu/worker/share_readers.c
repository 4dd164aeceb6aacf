#include "config.h"
#include "gpu/worker/share_state.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/portable.h"
#include "gpu/worker/surroundings.h"

#define SHORT_LINE 256 /* bytes, at most, of a line that cancels or quits */
#define REPORT_MS 1000

void share_drop_front(struct buf *buf, size_t n)
{
	memmove(buf->data, buf->data + n, buf->len - n);
	buf->len -= n;
}

/* --- what readers are told ---------------------------------------------------------------------------------------------- */

static void answer(struct share_reader *r, const struct wire_message *message)
{
	wire_write(message, &r->out);
}

static void take_rest(struct share *s, struct share_reader *r);

/* The request was answered: the next may be taken. */
void share_settle(struct share *s, struct share_reader *r)
{
	r->state = SHARE_READING;
	r->again = false;
	buf_free(&r->line);
	take_rest(s, r);
}

void share_refuse(struct share *s, struct share_reader *r, enum wire_error_code code, const char *why)
{
	answer(r, &(struct wire_message){.kind = WIRE_ERROR_REPLY, .id = r->id, .error = {code, why}});
	share_settle(s, r);
}

/* Those whose turn is before it, with the one that runs. */
static int count_before(const struct share *s, const struct share_reader *r)
{
	int n = r->known && s->workers[0].busy;
	for (int i = 0; i < SHARE_READERS_MAX; i++) {
		const struct share_reader *other = &s->readers[i];
		n += other->fd >= 0 && other->state == SHARE_WAITING && other->known == r->known &&
			other->turn < r->turn;
	}
	return n;
}

void share_report_waiting(struct share *s)
{
	double now = clock_ms();
	for (int i = 0; i < SHARE_READERS_MAX; i++) {
		struct share_reader *r = &s->readers[i];
		if (r->fd < 0 || r->state != SHARE_WAITING)
			continue;
		int before = count_before(s, r);
		if (before < 1 || (before == r->said && now - r->said_at < REPORT_MS) ||
			now - r->said_at < SHARE_TICK_MS)
			continue;
		r->said = before;
		r->said_at = now;
		answer(r, &(struct wire_message){.kind = WIRE_PROGRESS, .id = r->id, .progress = {.waiting = before}});
	}
}

/* --- readers ------------------------------------------------------------------------------------------------------------ */

void share_drop_reader(struct share *s, struct share_reader *r)
{
	for (int i = 0; i <= SHARE_PRIVATE_MAX; i++)
		if (s->workers[i].serves == r) {
			s->workers[i].serves = NULL;
			s->workers[i].since = clock_ms();
			wire_write(&(struct wire_message){.kind = WIRE_CANCEL, .id = r->id}, &s->workers[i].to);
		}
	if (r->worker)
		share_drop_worker(s, r->worker);
	close(r->fd);
	buf_free(&r->in);
	buf_free(&r->out);
	buf_free(&r->line);
	*r = (struct share_reader){.fd = -1};
}

static void cancel(struct share *s, struct share_reader *r, const struct wire_message *m, const char *line, size_t len)
{
	if (r->state == SHARE_READING || m->id != r->id)
		return;
	if (r->state == SHARE_WAITING) {
		share_refuse(s, r, WIRE_CANCELED, "it was canceled before it began");
		return;
	}
	for (int i = 0; i <= SHARE_PRIVATE_MAX; i++)
		if (s->workers[i].serves == r) {
			buf_append(&s->workers[i].to, line, len);
			buf_putc(&s->workers[i].to, '\n');
		}
}

static bool is_shared(const struct share *s, const struct wire_message *m)
{
	switch (m->kind) {
	case WIRE_PROBE: return true;
	case WIRE_MEASURE: return share_known_has(s->known, &m->measure.job);
	case WIRE_LINES: return share_known_has(s->known, &m->lines.job);
	case WIRE_SAMPLE: return share_known_has(s->known, &m->sample.job);
	default: return false;
	}
}

/* The lines that are there, as far as they can be taken now. */
static void take_rest(struct share *s, struct share_reader *r)
{
	static bool inside; /* an answer on the way leads back here: the loop goes on anyway */
	if (inside)
		return;
	inside = true;
	const char *newline;
	while (r->in.len > r->start && (newline = memchr(r->in.data + r->start, '\n', r->in.len - r->start)) != NULL) {
		size_t len = (size_t)(newline - r->in.data) - r->start;

		/* False: the line has to wait until what runs is answered. */
		const char *line = r->in.data + r->start;
		if (r->state != SHARE_READING && len > SHORT_LINE)
			break;
		struct arena *arena = arena_new();
		struct diag diag = {0};
		struct wire_message m;
		bool ok = wire_read(arena, line, len, &m, &diag), taken = true;
		if (ok && m.kind == WIRE_CANCEL) {
			cancel(s, r, &m, line, len);
		} else if (r->state != SHARE_READING) {
			taken = false;
		} else if (ok && m.kind == WIRE_QUIT) {
			r->ends = true;
		} else if (ok) {
			/* what is no request a worker refuses */
			r->id = m.id;
			r->known = is_shared(s, &m);
			r->turn = s->turns++;
			r->said = 0;
			r->said_at = 0;
			r->state = SHARE_WAITING;
			buf_append(&r->line, line, len);
		} else {
			answer(r,
				&(struct wire_message){.kind = WIRE_ERROR_REPLY,
					.id = m.id,
					.error = {WIRE_BAD_REQUEST, diag.entries[0].message}});
		}
		diag_free(&diag);
		arena_free(arena);
		if (!taken)
			break;

		r->start += len + 1;
	}
	if (r->start == r->in.len) {
		buf_free(&r->in);
		r->start = 0;
	}
	inside = false;
}

static size_t bytes_kept(const struct share *s)
{
	size_t all = 0;
	for (int i = 0; i < SHARE_READERS_MAX; i++)
		all += s->readers[i].in.len + s->readers[i].out.len + s->readers[i].line.len;
	return all;
}

/* False: the reader is gone. */
bool share_read_reader(struct share *s, struct share_reader *r)
{
	if (r->start) {
		share_drop_front(&r->in, r->start);
		r->start = 0;
	}
	buf_reserve(&r->in, SHARE_CHUNK);
	ssize_t n = recv(r->fd, r->in.data + r->in.len, SHARE_CHUNK, MSG_DONTWAIT);
	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	r->ends |= n == 0;
	r->in.len += (size_t)n;
	take_rest(s, r);
	return r->in.len - r->start <= WIRE_LINE_MAX && bytes_kept(s) <= SHARE_BYTES_MAX;
}

bool share_write_reader(struct share_reader *r)
{
	ssize_t n = send(r->fd, r->out.data + r->sent, r->out.len - r->sent, MSG_DONTWAIT | MSG_NOSIGNAL);
	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	r->sent += (size_t)n;
	if (r->sent == r->out.len) {
		buf_free(&r->out);
		r->sent = 0;
	}
	return true;
}

void share_admit(struct share *s)
{
	int fd = accept(s->fd, NULL, NULL), i = 0;
	if (fd < 0)
		return;
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	while (i < SHARE_READERS_MAX && s->readers[i].fd >= 0)
		i++;
	if (i == SHARE_READERS_MAX) {
		close(fd);
		return;
	}
	s->readers[i] = (struct share_reader){.fd = fd};
	answer(&s->readers[i],
		&(struct wire_message){
			.kind = WIRE_HELLO, .hello = {WIRE_PROTOCOL, PACKAGE_VERSION, surroundings_place()}});
}
