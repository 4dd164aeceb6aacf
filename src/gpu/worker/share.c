#include "config.h"
#include "gpu/worker/share_state.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/portable.h"

static volatile sig_atomic_t stopped;

static void stop(int signal)
{
	(void)signal;
	stopped = 1;
}

/* --- the loop ----------------------------------------------------------------------------------------------------------- */

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
		share_hand_out(s);
		share_report_waiting(s);

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
				if (w.to[i] && w.fds[w.to[i]].revents && worker->process.pid)
					share_write_worker(worker);
				if (w.from[i] && w.fds[w.from[i]].revents && worker->process.pid)
					share_read_worker(s, worker);
			}

			for (int i = 0; i < SHARE_READERS_MAX; i++) {
				struct share_reader *r = &s->readers[i];
				int events = w.reader[i] ? w.fds[w.reader[i]].revents : 0;
				bool stays = !(events & (POLLERR | POLLHUP | POLLNVAL)) ||
					((events & POLLIN) && !r->ends);
				if (events & POLLIN)
					stays = stays && share_read_reader(s, r);
				if (stays && r->fd >= 0 && (events & POLLOUT))
					stays = share_write_reader(r);
				bool done = r->ends && r->state == SHARE_READING && !r->out.len &&
					!(r->in.len && memchr(r->in.data + r->start, '\n', r->in.len - r->start));
				if (r->fd >= 0 && events && (!stays || done))
					share_drop_reader(s, r);
			}

			if (w.fds[0].revents)
				share_admit(s);
		}
		share_end_overdue(s);
		process_reap(&s->dying);
	}
}

/* --- life --------------------------------------------------------------------------------------------------------------- */

static bool fail(const char *what, const char *name)
{
	fprintf(stderr, "simttutor-gpu: %s%s: %s\n", what, name, strerror(errno));
	return false;
}

/* Who holds the lock may replace the socket that an earlier server left. */
static bool listen_at(struct share *s, const char *path)
{
	char lock[sizeof s->address.sun_path + 8];
	s->address = (struct sockaddr_un){.sun_family = AF_UNIX};
	errno = ENAMETOOLONG;
	if (strlen(path) >= sizeof s->address.sun_path)
		return fail("cannot listen at ", path);
	memcpy(s->address.sun_path, path, strlen(path));
	snprintf(lock, sizeof lock, "%s.lock", path);
	s->lock = open(lock, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (s->lock < 0)
		return fail("cannot make ", lock);
	if (flock(s->lock, LOCK_EX | LOCK_NB) != 0)
		return fail("another server listens at ", path);
	s->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	unlink(path);
	return (s->fd >= 0 && bind(s->fd, (const struct sockaddr *)&s->address, sizeof s->address) == 0 &&
		       listen(s->fd, SHARE_READERS_MAX) == 0) ||
		fail("cannot listen at ", path);
}

static bool load_known(struct share *s)
{
	struct diag diag = {0};
	struct buf text = {0};
	s->known = s->options->known ? share_known_load(s->options->known, &diag) : NULL;
	diag_format(&diag, &text);
	fputs(buf_str(&text), stderr);
	buf_free(&text);
	diag_free(&diag);
	return s->known || !s->options->known;
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
	bool ok = load_known(&s) && listen_at(&s, options->socket);
	if (ok)
		serve(&s, &before);

	for (int i = 0; i < SHARE_READERS_MAX; i++)
		if (s.readers[i].fd >= 0)
			share_drop_reader(&s, &s.readers[i]);
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
