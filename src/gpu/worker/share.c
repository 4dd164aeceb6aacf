#include "config.h"
#include "gpu/worker/share.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/portable.h"
#include "gpu/worker/surroundings.h"
#include "tools/sandbox/process.h"

#define SHARE_CHUNK ((size_t)1 << 16)
#define SHARE_TICK_MS 200 /* how often it is looked at who has waited or run for too long */
#define SHORT_LINE 256    /* bytes, at most, of a line that cancels or quits */
#define REPORT_MS 1000
#define ENDING_MS 50 /* from the end of its output to its own, which says why */

enum share_state { SHARE_READING, SHARE_WAITING, SHARE_RUNNING };

struct share_reader {
	int fd; /* -1: none */
	enum share_state state;
	bool ends;     /* sends no more: goes once everything is answered */
	struct buf in; /* of requests; lines before `start` were taken */
	size_t start;
	struct buf out; /* of answers, sent up to `sent` */
	size_t sent;
	struct buf line;             /* the request that waits or runs, */
	int64_t id;                  /* its number, */
	uint64_t turn;               /* its place in the order in which readers asked, */
	bool known;                  /* for the shared worker, */
	bool again;                  /* which ended once already while it had it */
	struct share_worker *worker; /* of this reader alone; NULL: none */
	int said;                    /* how many were said to be before it, */
	double said_at;              /* and when, ms */
};

struct share_worker {
	struct process process;     /* no pid: none */
	struct share_reader *owner; /* NULL: the shared one */
	bool busy;
	struct share_reader *serves; /* whose request it has; NULL: that of one who is gone */
	double since;                /* ms: when it got it, or last said that it waits; or became idle */
	struct buf to;               /* of requests, written up to `sent` */
	size_t sent;
	struct buf from; /* of answers; no newline before `scanned` */
	size_t scanned;
};

struct share {
	const struct share_options *options;
	struct share_known *known;
	int fd, lock;
	struct sockaddr_un address;
	struct share_reader readers[SHARE_READERS_MAX];
	struct share_worker workers[1 + SHARE_PRIVATE_MAX]; /* the first is the shared one */
	struct process_dying dying;
	uint64_t turns;
};

static void drop_front(struct buf *buf, size_t n)
{
	memmove(buf->data, buf->data + n, buf->len - n);
	buf->len -= n;
}

/* --- what readers get --------------------------------------------------------------------------------------------- */

static void answer(struct share_reader *r, const struct wire_message *message)
{
	wire_write(message, &r->out);
}

static void take_rest(struct share *s, struct share_reader *r);

/* The request was answered: the next may be taken. */
static void settle_request(struct share *s, struct share_reader *r)
{
	r->state = SHARE_READING;
	r->again = false;
	buf_free(&r->line);
	take_rest(s, r);
}

/* Settles the request with an error as the answer. */
static void refuse_request(struct share *s, struct share_reader *r, enum wire_error_code code, const char *why)
{
	answer(r, &(struct wire_message){.kind = WIRE_ERROR_REPLY, .id = r->id, .error = {code, why}});
	settle_request(s, r);
}

/* --- workers ------------------------------------------------------------------------------------------------------ */

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
static void drop_worker(struct share *s, struct share_worker *w)
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
		drop_worker(s, idle);
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
		refuse_request(s, r, WIRE_INTERNAL, buf_str(&why));
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

/* The worker is gone, or has to go: `code` and `why` are for the reader whose request it had. */
static void lose_worker(
	struct share *s, struct share_worker *w, bool may_repeat, enum wire_error_code code, const char *why)
{
	struct share_reader *r = w->busy ? w->serves : NULL;
	bool repeats = r && may_repeat && r->known && !r->again;
	drop_worker(s, w);
	if (repeats) {
		r->again = true;
		r->state = SHARE_WAITING;
	} else if (r) {
		refuse_request(s, r, code, why);
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

/* One line of a worker, without its newline. Lines of ours are as wire_write makes them. False: the worker is no
 * more. */
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
		drop_worker(s, w);
	if (r)
		settle_request(s, r);
	return !fatal;
}

/* Passes answers on; a worker that ended is no more. */
static void read_worker(struct share *s, struct share_worker *w)
{
	int some;
	while ((some = process_read(&w->process, &w->from, SHARE_CHUNK)) > 0) {
		const char *newline;
		while ((newline = memchr(buf_str(&w->from) + w->scanned, '\n', w->from.len - w->scanned)) != NULL) {
			size_t len = (size_t)(newline - w->from.data);
			if (!pass_line(s, w, w->from.data, len))
				return;
			drop_front(&w->from, len + 1);
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

/* --- readers ------------------------------------------------------------------------------------------------------ */

/* Its worker goes with it, and what the shared one does for it is canceled. */
static void drop_reader(struct share *s, struct share_reader *r)
{
	for (int i = 0; i <= SHARE_PRIVATE_MAX; i++)
		if (s->workers[i].serves == r) {
			s->workers[i].serves = NULL;
			s->workers[i].since = clock_ms();
			wire_write(&(struct wire_message){.kind = WIRE_CANCEL, .id = r->id}, &s->workers[i].to);
		}
	if (r->worker)
		drop_worker(s, r->worker);
	close(r->fd);
	buf_free(&r->in);
	buf_free(&r->out);
	buf_free(&r->line);
	*r = (struct share_reader){.fd = -1};
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
			if (r->state != SHARE_READING && m.id == r->id) {
				if (r->state == SHARE_WAITING) {
					refuse_request(s, r, WIRE_CANCELED, "it was canceled before it began");
				} else {
					for (int i = 0; i <= SHARE_PRIVATE_MAX; i++)
						if (s->workers[i].serves == r) {
							buf_append(&s->workers[i].to, line, len);
							buf_putc(&s->workers[i].to, '\n');
						}
				}
			}
		} else if (r->state != SHARE_READING) {
			taken = false;
		} else if (ok && m.kind == WIRE_QUIT) {
			r->ends = true;
		} else if (ok) {
			/* what is no request a worker refuses */
			r->id = m.id;

			switch (m.kind) {
			case WIRE_PROBE: r->known = true; break;
			case WIRE_MEASURE: r->known = share_known_has(s->known, &m.measure.job); break;
			case WIRE_LINES: r->known = share_known_has(s->known, &m.lines.job); break;
			case WIRE_SAMPLE: r->known = share_known_has(s->known, &m.sample.job); break;
			default: r->known = false; break;
			}

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

/* Reads requests. False: the reader is gone, or sends more than there is room for. */
static bool read_reader(struct share *s, struct share_reader *r)
{
	if (r->start) {
		drop_front(&r->in, r->start);
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

/* --- the loop ----------------------------------------------------------------------------------------------------- */

static volatile sig_atomic_t stopped;

static void stop(int signal)
{
	(void)signal;
	stopped = 1;
}

/* Where each is among the descriptors that are waited for. */
struct waiting {
	struct pollfd fds[1 + SHARE_READERS_MAX + 2 * (1 + SHARE_PRIVATE_MAX)];
	int reader[SHARE_READERS_MAX], from[1 + SHARE_PRIVATE_MAX], to[1 + SHARE_PRIVATE_MAX]; /* 0: not */
	int n;
	bool anyone; /* waits, runs or ends */
};

static int add_fd(struct waiting *w, int fd, int events)
{
	w->fds[w->n] = (struct pollfd){.fd = fd, .events = (short)events};
	return w->n++;
}

static void serve(struct share *s, const sigset_t *signals)
{
	static struct waiting w;
	while (!stopped) {
		/* Gives requests to workers that are free, and starts those that are missing. */
		struct share_reader *next;
		while (!s->workers[0].busy && (next = next_known(s)) != NULL)
			hand_to(s, &s->workers[0], NULL, next);
		for (int i = 0; i < SHARE_READERS_MAX; i++) {
			struct share_reader *r = &s->readers[i];
			if (r->fd < 0 || r->state != SHARE_WAITING || r->known)
				continue;
			struct share_worker *idle = r->worker ? r->worker : find_slot(s);
			if (idle && !idle->busy)
				hand_to(s, idle, r, r);
		}

		/* Those who wait get how many are before them, when that changes and every second. */
		double now = clock_ms();
		for (int i = 0; i < SHARE_READERS_MAX; i++) {
			struct share_reader *r = &s->readers[i];
			if (r->fd < 0 || r->state != SHARE_WAITING)
				continue;

			/* Those whose turn is before it, with the one that runs. */
			int before = r->known && s->workers[0].busy;
			for (int j = 0; j < SHARE_READERS_MAX; j++) {
				const struct share_reader *other = &s->readers[j];
				before += other->fd >= 0 && other->state == SHARE_WAITING && other->known == r->known &&
					other->turn < r->turn;
			}
			if (before < 1 || (before == r->said && now - r->said_at < REPORT_MS) ||
				now - r->said_at < SHARE_TICK_MS)
				continue;
			r->said = before;
			r->said_at = now;
			answer(r,
				&(struct wire_message){
					.kind = WIRE_PROGRESS, .id = r->id, .progress = {.waiting = before}});
		}

		w = (struct waiting){.n = 0};
		add_fd(&w, s->fd, POLLIN);
		for (int i = 0; i < SHARE_READERS_MAX; i++) {
			const struct share_reader *r = &s->readers[i];
			if (r->fd < 0)
				continue;
			w.reader[i] = add_fd(&w, r->fd, (r->ends ? 0 : POLLIN) | (r->out.len ? POLLOUT : 0));
			w.anyone |= r->state != SHARE_READING;
		}
		for (int i = 0; i <= SHARE_PRIVATE_MAX; i++) {
			const struct share_worker *worker = &s->workers[i];
			if (!worker->process.pid)
				continue;
			w.from[i] = add_fd(&w, worker->process.epoll, POLLIN);
			w.to[i] = worker->to.len ? add_fd(&w, worker->process.in, POLLOUT) : 0;
			w.anyone |= worker->busy;
		}
		for (int i = 0; i < PROCESS_DYING_MAX; i++)
			w.anyone |= s->dying.rows[i].pid != 0;

		const struct timespec tick = {.tv_nsec = SHARE_TICK_MS * 1000000L};
		if (ppoll(w.fds, (nfds_t)w.n, w.anyone ? &tick : NULL, signals) > 0) {
			for (int i = 0; i <= SHARE_PRIVATE_MAX; i++) {
				struct share_worker *worker = &s->workers[i];
				if (w.to[i] && w.fds[w.to[i]].revents && worker->process.pid) {
					ssize_t n = process_write(&worker->process, worker->to.data + worker->sent,
						worker->to.len - worker->sent);
					worker->sent += n > 0 ? (size_t)n : 0;
					if (n < 0 || worker->sent == worker->to.len) {
						buf_free(&worker->to); /* where it is gone, its end says so */
						worker->sent = 0;
					}
				}
				if (w.from[i] && w.fds[w.from[i]].revents && worker->process.pid)
					read_worker(s, worker);
			}

			for (int i = 0; i < SHARE_READERS_MAX; i++) {
				struct share_reader *r = &s->readers[i];
				int events = w.reader[i] ? w.fds[w.reader[i]].revents : 0;
				bool stays = !(events & (POLLERR | POLLHUP | POLLNVAL)) ||
					((events & POLLIN) && !r->ends);
				if (events & POLLIN)
					stays = stays && read_reader(s, r);
				if (stays && r->fd >= 0 && (events & POLLOUT)) {
					ssize_t n = send(r->fd, r->out.data + r->sent, r->out.len - r->sent,
						MSG_DONTWAIT | MSG_NOSIGNAL);
					if (n < 0) {
						stays = errno == EAGAIN || errno == EINTR;
					} else {
						r->sent += (size_t)n;
						if (r->sent == r->out.len) {
							buf_free(&r->out);
							r->sent = 0;
						}
					}
				}
				bool done = r->ends && r->state == SHARE_READING && !r->out.len &&
					!(r->in.len && memchr(r->in.data + r->start, '\n', r->in.len - r->start));
				if (r->fd >= 0 && events && (!stays || done))
					drop_reader(s, r);
			}

			if (w.fds[0].revents) {
				/* A new connection, refused where there are too many. */
				int fd = accept(s->fd, NULL, NULL), i = 0;
				if (fd >= 0) {
					fcntl(fd, F_SETFD, FD_CLOEXEC);
					while (i < SHARE_READERS_MAX && s->readers[i].fd >= 0)
						i++;
					if (i == SHARE_READERS_MAX) {
						close(fd);
					} else {
						s->readers[i] = (struct share_reader){.fd = fd};
						answer(&s->readers[i],
							&(struct wire_message){.kind = WIRE_HELLO,
								.hello = {WIRE_PROTOCOL, PACKAGE_VERSION,
									surroundings_place()}});
					}
				}
			}
		}

		/* Stops workers that take too long. */
		double after = clock_ms();
		for (int i = 0; i <= SHARE_PRIVATE_MAX; i++) {
			struct share_worker *late = &s->workers[i];
			if (late->process.pid && late->busy &&
				after - late->since > (late->serves ? SHARE_RUN_MAX_MS : SHARE_LEFT_MAX_MS))
				lose_worker(s, late, false, WIRE_KERNEL_TIMEOUT,
					"the kernel did not end; its worker was stopped");
		}

		process_reap(&s->dying);
	}
}

/* --- life --------------------------------------------------------------------------------------------------------- */

static bool fail(const char *what, const char *name)
{
	fprintf(stderr, "simttutor-gpu: %s%s: %s\n", what, name, strerror(errno));
	return false;
}

int share_serve(const struct share_options *options)
{
	static struct share s;
	s = (struct share){.options = options, .fd = -1, .lock = -1};
	for (int i = 0; i < SHARE_READERS_MAX; i++)
		s.readers[i].fd = -1;
	for (int i = 0; i <= SHARE_PRIVATE_MAX; i++)
		s.workers[i].process = PROCESS_NONE;
	sigset_t block, before;
	sigemptyset(&block);
	sigaddset(&block, SIGTERM);
	sigaddset(&block, SIGINT);
	sigprocmask(SIG_BLOCK, &block, &before);
	signal(SIGTERM, stop);
	signal(SIGINT, stop);
	signal(SIGPIPE, SIG_IGN);

	struct diag diag = {0};
	struct buf text = {0};
	s.known = options->known ? share_known_load(options->known, &diag) : NULL;
	diag_format(&diag, &text);
	fputs(buf_str(&text), stderr);
	buf_free(&text);
	diag_free(&diag);

	bool ok = s.known || !options->known;
	if (ok) {
		/* Who holds the lock may replace the socket that an earlier server left. */
		const char *path = options->socket;
		char lock[sizeof s.address.sun_path + 8];
		s.address = (struct sockaddr_un){.sun_family = AF_UNIX};
		errno = ENAMETOOLONG;
		if (strlen(path) >= sizeof s.address.sun_path) {
			ok = fail("cannot listen at ", path);
		} else {
			memcpy(s.address.sun_path, path, strlen(path));
			snprintf(lock, sizeof lock, "%s.lock", path);
			s.lock = open(lock, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
			if (s.lock < 0) {
				ok = fail("cannot make ", lock);
			} else if (flock(s.lock, LOCK_EX | LOCK_NB) != 0) {
				ok = fail("another server listens at ", path);
			} else {
				s.fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
				unlink(path);
				ok = (s.fd >= 0 &&
					     bind(s.fd, (const struct sockaddr *)&s.address, sizeof s.address) == 0 &&
					     listen(s.fd, SHARE_READERS_MAX) == 0) ||
					fail("cannot listen at ", path);
			}
		}
	}
	if (ok)
		serve(&s, &before);

	for (int i = 0; i < SHARE_READERS_MAX; i++)
		if (s.readers[i].fd >= 0)
			drop_reader(&s, &s.readers[i]);
	for (int i = 0; i <= SHARE_PRIVATE_MAX; i++)
		process_kill(&s.workers[i].process);
	if (s.fd >= 0) {
		unlink(s.address.sun_path);
		close(s.fd);
	}
	if (s.lock >= 0)
		close(s.lock);
	share_known_free(s.known);

	return ok ? 0 : 1;
}
