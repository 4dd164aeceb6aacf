#include "config.h"
#include "tools/sandbox/starter.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/paths.h"
#include "base/portable.h"
#include "tools/sandbox/process.h"

#define MESSAGE_MAX 131072
#define STRINGS_MAX 1024
#define FDS_MAX 4
#define NOT_EXECUTED 127
#define POLL_MS 20
#define TO_GROUP 4u /* PIDFD_SIGNAL_PROCESS_GROUP, Linux 6.9 */

enum { READ_SIDE, WRITE_SIDE };
/* The strings of REQUEST_KEEP begin so; "" where there is none. */
enum { KEEP_FOLDER, KEEP_LOCALE, KEEP_OUTPUT, KEEP_FIRST };
enum starter_kind { REQUEST_END, REQUEST_SPAWN, REQUEST_KEEP, REQUEST_SIGNAL };

/* Before the strings, each of which ends in a NUL. */
struct starter_head {
	uint32_t kind, n_strings;
	uint32_t n_argv;   /* REQUEST_KEEP: of the strings, after KEEP_FIRST; what may be read follows */
	uint32_t log_max;  /* REQUEST_KEEP */
	uint32_t executes; /* REQUEST_KEEP */
	uint32_t is_child; /* REQUEST_SPAWN: it is to be a child of who began */
	int32_t pid, sig;  /* REQUEST_SIGNAL */
};

struct starter_request {
	struct starter_head head;
	const char *strings[STRINGS_MAX + 1]; /* ends in NULL */
	int fds[FDS_MAX], n_fds;
	char text[MESSAGE_MAX];
};

struct starter_reply {
	pid_t pid;
	int error;
};

static struct {
	int socket; /* 0: there is none */
	pid_t pid, began;
} starter;

/* --- what the starter started
 * --------------------------------------------------------------------------------------------
 *
 * Who asks is their parent, and waits for them, but can signal none: they are not confined as it is. So the starter
 * does, and nothing else gets a signal: a child is known by a descriptor, not by its number, which may be another
 * process's when it is reaped. */

struct starter_child {
	pid_t pid;
	int pidfd; /* -1: this kernel has none */
};

struct starter_children {
	pid_t parent; /* who asks */
	struct starter_child *rows;
	size_t n, cap;
};

static int signal_by(int pidfd, int sig, unsigned flags)
{
	return syscall(SYS_pidfd_send_signal, pidfd, sig, NULL, flags) == 0 ? 0 : errno;
}

/* Whether its number is still its own: it runs, or its parent has not waited for it. */
static bool is_unreaped(const struct starter_children *children, const struct starter_child *c)
{
	struct process_origin origin;
	return c->pidfd >= 0 ? signal_by(c->pidfd, 0, 0) == 0
			     : process_find_origin(c->pid, &origin) && origin.parent == children->parent;
}

static int signal_group(const struct starter_children *children, const struct starter_child *c, int sig)
{
	int error = c->pidfd >= 0 ? signal_by(c->pidfd, sig, TO_GROUP) : EINVAL;
	if (error != EINVAL)
		return error;
	if (!is_unreaped(children, c))
		return ESRCH;
	return kill(-c->pid, sig) == 0 ? 0 : errno;
}

/* SIGTERM or SIGKILL to a child, to its process group where `pid` is negative, or to a copy that the parent made of
 * itself since. 0, or an errno. */
static int signal_for_parent(const struct starter_children *children, pid_t pid, int sig)
{
	bool group = pid < 0;
	pid_t child = group ? -pid : pid;
	if (child <= 1 || (sig != SIGTERM && sig != SIGKILL))
		return EPERM;
	for (size_t i = 0; i < children->n; i++) {
		const struct starter_child *c = &children->rows[i];
		if (c->pid != child || !is_unreaped(children, c))
			continue;
		if (group)
			return signal_group(children, c, sig);
		if (c->pidfd >= 0)
			return signal_by(c->pidfd, sig, 0);
		return kill(c->pid, sig) == 0 ? 0 : errno;
	}

	/* A copy of the parent is confined with it, but an old Landlock does not tell it from others. What else may be
	 * its child is older than the starter: a shell started that and became the program. */
	struct process_origin copy, ours;
	int pidfd = portable_watch_end(child), error = pidfd < 0 ? errno : 0;
	if (!error && (!process_find_origin(child, &copy) || !process_find_origin(getpid(), &ours)))
		error = ESRCH;
	else if (!error && (child == getpid() || copy.parent != children->parent || copy.started < ours.started))
		error = EPERM;
	if (!error)
		error = signal_by(pidfd, sig, 0); /* ESRCH when it was reaped, and the number may be another's */
	if (pidfd >= 0)
		close(pidfd);
	return error;
}

static bool wait_for_all(const struct starter_children *children, int ms)
{
	double until = clock_ms() + ms;
	for (;;) {
		size_t left = 0;
		for (size_t i = 0; i < children->n; i++) {
			/* It, or what is left in its group: a shell is gone at once, and srun, which it started, still
			 * ends its job. An ended one that nobody has waited for does not run. */
			bool running;
			const struct starter_child *c = &children->rows[i];
			int error = c->pidfd >= 0 ? signal_by(c->pidfd, 0, TO_GROUP) : EINVAL;
			if (error != EINVAL) {
				running = error == 0;
			} else {
				struct pollfd ended = {.fd = c->pidfd, .events = POLLIN};
				running = c->pidfd >= 0 ? poll(&ended, 1, 0) == 0 : is_unreaped(children, c);
			}

			left += running;
		}
		if (!left || clock_ms() >= until)
			return left == 0;
		poll(NULL, 0, POLL_MS);
	}
}

static void signal_all(const struct starter_children *children, int sig)
{
	for (size_t i = 0; i < children->n; i++)
		(void)signal_group(children, &children->rows[i], sig);
}

/* --- in the starter ----------------------------------------------------------------------------------------------- */

struct service {
	const struct starter_terms *terms;
	const char **readable; /* by who asks: paths without links, as they were before it was confined; ends in NULL */
	struct arena *arena;
	struct scratch folder;
	struct starter_children children;
	int socket;
};

static bool split_strings(struct starter_request *r, size_t len)
{
	const char *at = r->text, *end = r->text + len;
	if (r->head.n_strings > STRINGS_MAX || (len && end[-1]))
		return false;
	for (uint32_t i = 0; i < r->head.n_strings; i++) {
		if (at >= end)
			return false;
		r->strings[i] = at;
		at += strlen(at) + 1;
	}
	r->strings[r->head.n_strings] = NULL;
	return at == end;
}

/* False when nobody is left who could ask. */
static bool receive(int fd, struct starter_request *r)
{
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(FDS_MAX * sizeof(int))];
	} control;
	struct iovec parts[] = {{&r->head, sizeof r->head}, {r->text, sizeof r->text}};
	struct msghdr message = {
		.msg_iov = parts, .msg_iovlen = 2, .msg_control = &control, .msg_controllen = sizeof control};
	ssize_t n;
	while ((n = recvmsg(fd, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR)
		continue;
	if (n <= 0)
		return false;
	struct cmsghdr *c = CMSG_FIRSTHDR(&message);
	r->n_fds = 0;
	if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS) {
		r->n_fds = (int)((c->cmsg_len - CMSG_LEN(0)) / sizeof(int));
		memcpy(r->fds, CMSG_DATA(c), (size_t)r->n_fds * sizeof(int));
	}
	if ((size_t)n < sizeof r->head || message.msg_flags & (MSG_TRUNC | MSG_CTRUNC) ||
		!split_strings(r, (size_t)n - sizeof r->head))
		r->head.kind = UINT32_MAX;
	return true;
}

static _Noreturn void become_command(const struct starter_request *r, int failed)
{
	struct sigaction plain = {.sa_handler = SIG_DFL};
	sigset_t none;
	sigemptyset(&none);
	setsid();
	for (int i = 0; i < 3; i++)
		dup2(r->fds[i], i);
	for (int i = 1; i < NSIG; i++)
		sigaction(i, &plain, NULL);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execvp(r->strings[0], (char *const *)r->strings);
	int error = errno;
	(void)file_put(failed, &error, sizeof error);
	_exit(NOT_EXECUTED);
}

/* With the parent that we have: a sibling of ours. No descriptor that was sent is below 3 (process_pipe). */
static struct starter_reply spawn(struct service *s, const struct starter_request *r)
{
	struct starter_reply reply = {0};
	int failed[2], pidfd = -1;
	if (!process_pipe(failed))
		return (struct starter_reply){.error = errno};
	reply.pid = (pid_t)syscall(
		SYS_clone, (long)((r->head.is_child ? CLONE_PARENT : 0) | CLONE_PIDFD | SIGCHLD), 0L, &pidfd, 0L, 0L);
	if (reply.pid == 0)
		become_command(r, failed[WRITE_SIDE]);
	reply.error = reply.pid < 0 ? errno : 0;
	if (reply.pid > 0) {
		/* It takes the place of those that are gone, and the descriptor. */
		struct starter_children *all = &s->children;
		size_t n = 0;
		for (size_t i = 0; i < all->n; i++)
			if (signal_group(all, &all->rows[i], 0) != ESRCH)
				all->rows[n++] = all->rows[i];
			else if (all->rows[i].pidfd >= 0)
				close(all->rows[i].pidfd);
		all->n = n;
		*vec_push(all->rows, all->n, all->cap) = (struct starter_child){reply.pid, pidfd};
	}
	close(failed[WRITE_SIDE]);
	if (reply.pid > 0 && !file_get_all(failed[READ_SIDE], &reply.error, sizeof reply.error))
		reply.error = 0; /* it was closed by becoming the program */
	close(failed[READ_SIDE]);
	return reply;
}

/* What may be exchanged for something else while we look is looked at once, and held open from then on: who asks can
 * write in the folder for scratch folders, and in others. */
struct held {
	int fds[STRINGS_MAX], n;
};

/* Whether an open file or folder is one of those that may be read, or lies below it. */
static bool is_readable(const struct service *s, int fd)
{
	char name[32], path[PATH_MAX];
	snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
	ssize_t n = readlink(name, path, sizeof path - 1);
	path[n > 0 ? n : 0] = '\0';
	for (const char **folder = s->readable; *path && *folder; folder++) {
		size_t len = strlen(*folder);
		if (strncmp(path, *folder, len) == 0 && (!path[len] || path[len] == '/' || len == 1))
			return true;
	}
	return false;
}

/* Opens what a tool is to read; what is not there is nothing. False when some of it may not be read. */
static bool hold_reads(const struct service *s, const struct starter_request *r, struct held *held)
{
	bool ok = true;
	for (uint32_t i = KEEP_FIRST + r->head.n_argv; ok && i < r->head.n_strings; i++) {
		int fd = open(r->strings[i], O_PATH | O_CLOEXEC);
		if (fd >= 0)
			held->fds[held->n++] = fd;
		ok = fd < 0 || is_readable(s, fd);
	}
	return ok;
}

static bool is_agreed_tool(const struct service *s, const struct starter_request *r)
{
	bool known = false;
	if (r->head.n_strings <= KEEP_FIRST || r->head.n_argv < 1 || r->head.n_argv > r->head.n_strings - KEEP_FIRST ||
		r->n_fds != FDS_MAX || strchr(r->strings[KEEP_OUTPUT], '/'))
		return false;
	for (const char *const *tool = s->terms->tools; *tool && !known; tool++)
		known = strcmp(*tool, r->strings[KEEP_FIRST]) == 0;

	if (!known)
		return false;
	/* The folder that was sent is the one of that name, in ours. */
	const char *path = r->strings[KEEP_FOLDER];
	int fd = r->fds[0];
	struct stat sent, named;
	size_t len = s->folder.path ? strlen(s->folder.path) : 0;
	return len && strncmp(path, s->folder.path, len) == 0 && path[len] == '/' && !strchr(path + len + 1, '/') &&
		path[len + 1] != '.' && fstat(fd, &sent) == 0 && S_ISDIR(sent.st_mode) && lstat(path, &named) == 0 &&
		sent.st_dev == named.st_dev && sent.st_ino == named.st_ino;
}

/* In a child of its own, which nobody waits for: its result says when it is done. */
static _Noreturn void keep(const struct service *s, const struct starter_request *r, const struct held *held)
{
	const struct scratch scratch = {.path = r->strings[KEEP_FOLDER], .fd = r->fds[0]};
	const struct sandbox_pipes ends = {r->fds[1], r->fds[2], r->fds[3]};
	const char **argv = arena_array(s->arena, const char *, r->head.n_argv + 1);
	memcpy(argv, r->strings + KEEP_FIRST, r->head.n_argv * sizeof *argv);
	sandbox_keep(&(struct sandbox_job){.argv = argv,
			     .scratch = &scratch,
			     .log_max = r->head.log_max,
			     .executes = r->head.executes != 0,
			     .held = held->fds,
			     .n_held = held->n,
			     .locale = *r->strings[KEEP_LOCALE] ? r->strings[KEEP_LOCALE] : NULL,
			     .output = *r->strings[KEEP_OUTPUT] ? r->strings[KEEP_OUTPUT] : NULL},
		&ends);
}

/* No signal reaches it: it ends when we do. */
static _Noreturn void serve(struct service *s)
{
	static struct starter_request r;
	struct sigaction unwanted = {.sa_handler = SIG_IGN};
	int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
	sigaction(SIGCHLD, &unwanted, NULL); /* what it keeps is reaped by itself */
	setsid();
	portable_name_process("simttutor-start");
	for (int i = 0; i < 3; i++)
		dup2(nothing, i);
	while (receive(s->socket, &r) && r.head.kind != REQUEST_END) {
		if (r.head.kind == REQUEST_SPAWN) {
			if (r.n_fds == FDS_MAX) {
				bool agreed = false;
				for (const char *const *const *command = s->terms->commands;
					command && *command && !agreed; command++) {
					uint32_t n = 0;
					while ((*command)[n] && n < r.head.n_strings &&
						strcmp((*command)[n], r.strings[n]) == 0)
						n++;
					agreed = n > 0 && !(*command)[n] && n == r.head.n_strings && r.n_fds == FDS_MAX;
				}

				struct starter_reply reply = agreed ? spawn(s, &r)
								    : (struct starter_reply){.error = EPERM};
				(void)file_put(r.fds[FDS_MAX - 1], &reply, sizeof reply);
			}
		} else if (r.head.kind == REQUEST_KEEP) {
			struct sandbox_end refused = {.outcome = SANDBOX_NOT_STARTED, .error = EPERM};
			struct held held = {.n = 0};
			pid_t pid = is_agreed_tool(s, &r) && hold_reads(s, &r, &held) ? fork() : -1;
			if (pid == 0)
				keep(s, &r, &held);
			for (int i = 0; i < held.n; i++)
				close(held.fds[i]);
			if (pid < 0 && r.n_fds == FDS_MAX)
				(void)file_put(r.fds[2], &refused, sizeof refused);
		} else if (r.head.kind == REQUEST_SIGNAL) {
			struct starter_reply reply = {.pid = r.head.pid};
			if (r.n_fds == 1) {
				reply.error = signal_for_parent(&s->children, r.head.pid, r.head.sig);
				(void)file_put(r.fds[0], &reply, sizeof reply);
			}
		}
		for (int i = 0; i < r.n_fds; i++)
			close(r.fds[i]);
	}
	if (s->folder.path)
		scratch_remove_folder(&s->folder);

	/* What is left of the children serves nobody any more. In a process of its own: who waits for us does not wait
	 * for them. */
	if (s->children.n && fork() == 0) {
		struct starter_children *children = &s->children;
		if (!wait_for_all(children, PROCESS_GRACE_MS)) {
			signal_all(children, SIGTERM);
			wait_for_all(children, PROCESS_GRACE_MS);
		}
		signal_all(children, SIGKILL); /* also what is left in the group of one that ended */
		free(children->rows);
		*children = (struct starter_children){0};
	}
	_exit(EXIT_SUCCESS);
}

/* --- who asks ----------------------------------------------------------------------------------------------------- */

bool starter_begin(const struct starter_terms *terms, struct arena *arena, struct confine_profile *profile)
{
	struct service s = {.terms = terms, .arena = arena, .folder = SCRATCH_NONE};
	int ends[2], error;
	s.children.parent = getpid();
	sigset_t all, before;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
		return false;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);

	/* The folder for scratch folders; without one, making a scratch folder says what is wrong. */
	struct diag diag = {0};
	if (scratch_make(&s.folder, arena, &diag)) {
		scratch_set_root(s.folder.path, diag.count ? arena_strdup(arena, diag.entries[0].message) : NULL);
		confine_allow(arena, profile, s.folder.path, CONFINE_READ | CONFINE_WRITE);
	}
	diag_free(&diag);

	/* Their links can be changed by who asks, later. */
	const char **readable = arena_array(arena, const char *, profile->n + 1);
	size_t n = 0;
	for (size_t i = 0; i < profile->n; i++) {
		char *real = profile->rules[i].access & CONFINE_READ ? realpath(profile->rules[i].path, NULL) : NULL;
		if (real)
			readable[n++] = arena_strdup(arena, real);
		free(real);
	}
	readable[n] = NULL;
	s.readable = readable;

	s.socket = fcntl(ends[1], F_DUPFD_CLOEXEC, 3);
	starter.socket = fcntl(ends[0], F_DUPFD_CLOEXEC, 3);
	close(ends[0]);
	close(ends[1]);
	starter.began = getpid();
	starter.pid = fork();
	if (starter.pid == 0) {
		close(starter.socket);
		starter.socket = 0;
		serve(&s);
	}
	error = errno;
	if (starter.pid < 0 && s.folder.path)
		scratch_remove_folder(&s.folder);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	close(s.socket);
	errno = error;
	return starter.pid > 0;
}

bool starter_is_there(void)
{
	return starter.socket > 0;
}

static int send_request(const struct starter_head *head, const struct buf *strings, const int *fds, int n_fds)
{
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(FDS_MAX * sizeof(int))];
	} control = {.bytes = {0}};
	struct iovec parts[] = {{(void *)head, sizeof *head}, {strings->data, strings->len}};
	struct msghdr message = {.msg_iov = parts, .msg_iovlen = strings->len ? 2 : 1};
	if (head->n_strings > STRINGS_MAX || strings->len > MESSAGE_MAX)
		return E2BIG;
	if (n_fds) {
		message.msg_control = &control;
		message.msg_controllen = CMSG_SPACE((size_t)n_fds * sizeof(int));
		struct cmsghdr *c = CMSG_FIRSTHDR(&message);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN((size_t)n_fds * sizeof(int));
		memcpy(CMSG_DATA(c), fds, (size_t)n_fds * sizeof(int));
	}
	ssize_t n;
	while ((n = sendmsg(starter.socket, &message, MSG_NOSIGNAL)) < 0 && errno == EINTR)
		continue;
	return n < 0 ? errno : 0;
}

static void put_string(struct buf *strings, struct starter_head *head, const char *text)
{
	buf_append(strings, text, strlen(text) + 1);
	head->n_strings++;
}

/* Sends a request with a pipe as its last descriptor, and waits for what comes back by that. 0, or an errno. */
static int request_reply(const struct starter_head *head, const struct buf *strings, const int *fds, int n_fds,
	struct starter_reply *reply)
{
	int answer[2], sent[FDS_MAX];
	*reply = (struct starter_reply){.error = EPIPE};
	if (!process_pipe(answer))
		return errno;
	for (int i = 0; i < n_fds; i++)
		sent[i] = fds[i];
	sent[n_fds] = answer[WRITE_SIDE];
	int error = send_request(head, strings, sent, n_fds + 1);
	close(answer[WRITE_SIDE]);
	errno = EPIPE; /* what an end without an answer is */
	if (!error && !file_get_all(answer[READ_SIDE], reply, sizeof *reply))
		error = errno;
	close(answer[READ_SIDE]);
	return error;
}

int starter_spawn(const char *const argv[], const int stdio[3], pid_t *pid)
{
	struct starter_head head = {.kind = REQUEST_SPAWN, .is_child = getpid() == starter.began};
	struct starter_reply reply;
	struct buf strings = {0};
	for (int i = 0; argv[i]; i++)
		put_string(&strings, &head, argv[i]);
	int error = request_reply(&head, &strings, stdio, 3, &reply);
	buf_free(&strings);
	if (!error && reply.error && reply.pid > 0 && head.is_child)
		waitpid(reply.pid, NULL, 0);
	*pid = reply.pid;
	return error ? error : reply.error;
}

int starter_signal(pid_t pid, int sig)
{
	const struct starter_head head = {.kind = REQUEST_SIGNAL, .pid = pid, .sig = sig};
	struct starter_reply reply;
	int error = request_reply(&head, &(struct buf){0}, NULL, 0, &reply);
	return error ? error : reply.error;
}

int starter_keep(const struct sandbox_job *job, const struct sandbox_pipes *ends)
{
	struct starter_head head = {.kind = REQUEST_KEEP, .log_max = (uint32_t)job->log_max, .executes = job->executes};
	struct buf strings = {0};
	put_string(&strings, &head, job->scratch->path);
	put_string(&strings, &head, job->locale ? job->locale : "");
	put_string(&strings, &head, job->output ? job->output : "");
	for (; job->argv[head.n_argv]; head.n_argv++)
		put_string(&strings, &head, job->argv[head.n_argv]);
	for (int i = 0; i < job->n_reads; i++)
		put_string(&strings, &head, job->reads[i]);
	int error = send_request(
		&head, &strings, (const int[]){job->scratch->fd, ends->log, ends->result, ends->control}, FDS_MAX);
	buf_free(&strings);
	return error;
}

void starter_end(void)
{
	const struct buf nothing = {0};
	if (!starter_is_there() || getpid() != starter.began)
		return;
	send_request(&(struct starter_head){.kind = REQUEST_END}, &nothing, NULL, 0);
	close(starter.socket);
	starter.socket = 0;
	while (waitpid(starter.pid, NULL, 0) < 0 && errno == EINTR)
		continue;
}
