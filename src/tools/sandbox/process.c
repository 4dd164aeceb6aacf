#include "config.h"
#include "tools/sandbox/process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef HAVE_SYS_EPOLL_H
#include <sys/epoll.h>
#endif

#include "base/file.h"
#include "base/paths.h"
#include "base/portable.h"
#include "tools/sandbox/starter.h"

#if !HAVE_DECL_ENVIRON
extern char **environ;
#endif

enum { READ_SIDE, WRITE_SIDE };

#define NOT_EXECUTED 127
#define ERRORS_AT_ONCE ((size_t)64 << 10) /* what a full pipe holds */

char **process_environment(void)
{
	return environ;
}

bool process_pipe(int fd[2])
{
	int low[2];
	if (!portable_pipe(low))
		return false;
	for (int i = 0; i < 2; i++)
		fd[i] = fcntl(low[i], F_DUPFD_CLOEXEC, 3);
	close(low[0]);
	close(low[1]);
	return fd[0] >= 0 && fd[1] >= 0;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Starts a program in a session of its own, with default signals and an empty mask. 0, or an errno. */
#if HAVE_DECL_POSIX_SPAWN_SETSID
static int start(pid_t *pid, const char *const argv[], const int stdio[3])
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	sigset_t all, none;
	sigfillset(&all);
	sigemptyset(&none);
	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attr);
	int error = 0;
	for (int i = 0; i < 3 && !error; i++)
		error = posix_spawn_file_actions_adddup2(&actions, stdio[i], i);
	posix_spawnattr_setsigdefault(&attr, &all);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);
	if (!error)
		error = posix_spawnp(pid, argv[0], &actions, &attr, (char *const *)argv, process_environment());
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}
#else
static _Noreturn void become_program(const char *const argv[], const int stdio[3], int failed)
{
	struct sigaction plain = {.sa_handler = SIG_DFL};
	sigset_t none;
	sigemptyset(&none);
	bool ok = setsid() >= 0;
	for (int i = 0; i < 3; i++)
		ok = ok && dup2(stdio[i], i) >= 0;
	for (int i = 1; i < NSIG; i++)
		sigaction(i, &plain, NULL);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (ok)
		execvp(argv[0], (char *const *)argv);
	int error = errno;
	(void)file_put(failed, &error, sizeof error);
	_exit(NOT_EXECUTED);
}

static int start(pid_t *pid, const char *const argv[], const int stdio[3])
{
	sigset_t all, before;
	int failed[2], error = 0;
	if (!process_pipe(failed))
		return errno;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	*pid = fork();
	if (*pid == 0)
		become_program(argv, stdio, failed[WRITE_SIDE]);
	error = *pid < 0 ? errno : 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	close(failed[WRITE_SIDE]);
	if (*pid > 0 && file_get_all(failed[READ_SIDE], &error, sizeof error))
		waitpid(*pid, NULL, 0);
	else if (*pid > 0)
		error = 0; /* it was closed by becoming the program */
	close(failed[READ_SIDE]);
	return error;
}
#endif

/* --- what is watched ---------------------------------------------------------------------------------------------- */

#ifdef HAVE_SYS_EPOLL_H

static bool begin_watching(struct process *p)
{
	p->epoll = epoll_create1(EPOLL_CLOEXEC);
	return p->epoll >= 0;
}

static bool watch_fd(struct process *p, int fd, bool on)
{
	struct epoll_event event = {.events = EPOLLIN};
	return epoll_ctl(p->epoll, on ? EPOLL_CTL_ADD : EPOLL_CTL_DEL, fd, &event) == 0;
}

int process_fd(const struct process *p)
{
	return p->epoll;
}

/* All of it is reported. */
static int poll_ms(const struct process *p)
{
	(void)p;
	return -1;
}

#else

static bool begin_watching(struct process *p)
{
	(void)p;
	return true;
}

static bool watch_fd(struct process *p, int fd, bool on)
{
	(void)p, (void)fd, (void)on;
	return true;
}

/* The rest is looked at. */
int process_fd(const struct process *p)
{
	return p->out;
}

static int poll_ms(const struct process *p)
{
	return p->pid > 0 && !p->ended ? PORTABLE_POLL_MS : -1;
}

#endif

static void close_all(struct process *p)
{
	close_fd(&p->epoll);
	close_fd(&p->pidfd);
	close_fd(&p->in);
	close_fd(&p->out);
	close_fd(&p->err);
}

bool process_start(struct process *p, const char *const argv[], struct buf *why)
{
	int in[2] = {-1, -1}, out[2] = {-1, -1}, err[2] = {-1, -1}, error = 0;
	struct buf old = p->errors;
	*p = PROCESS_NONE;
	p->errors = old;
	buf_clear(&p->errors);
	if (!process_pipe(in) || !process_pipe(out) || !process_pipe(err))
		error = errno;
	const int stdio[] = {in[READ_SIDE], out[WRITE_SIDE], err[WRITE_SIDE]};
	p->in = in[WRITE_SIDE];
	p->out = out[READ_SIDE];
	p->err = err[READ_SIDE];
	if (!error &&
		!(begin_watching(p) && watch_fd(p, p->out, true) && watch_fd(p, p->err, true) &&
			fcntl(p->in, F_SETFL, O_NONBLOCK) == 0 && fcntl(p->out, F_SETFL, O_NONBLOCK) == 0 &&
			fcntl(p->err, F_SETFL, O_NONBLOCK) == 0))
		error = errno;
	if (!error)
		error = starter_is_there() ? starter_spawn(argv, stdio, &p->pid) : start(&p->pid, argv, stdio);
	close_fd(&in[READ_SIDE]);
	close_fd(&out[WRITE_SIDE]);
	close_fd(&err[WRITE_SIDE]);
	if (!error) {
		/* A child can die while another that it started holds its output open; the end of the child is then the
		 * only sign. */
		p->pidfd = portable_watch_end(p->pid);
		if (p->pidfd >= 0)
			(void)watch_fd(p, p->pidfd, true);
		return true;
	}
	p->pid = 0;
	close_all(p);
	buf_printf(why, "cannot start %s: %s", argv[0], strerror(error));
	return false;
}

bool process_fork(struct process *p, int (*run)(void *ctx), void *ctx, struct buf *why)
{
	int out[2] = {-1, -1};
	*p = PROCESS_NONE;
	bool ok = process_pipe(out) && fcntl(out[READ_SIDE], F_SETFL, O_NONBLOCK) == 0;
	p->out = out[READ_SIDE];
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before); /* until the child has no handlers of ours */
	pid_t parent = getpid();
	p->pid = ok ? fork() : -1;
	if (p->pid == 0) {
		int output = out[WRITE_SIDE];
		sigset_t none;
		base_before_out_of_memory(NULL);
		int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
		setsid();
		/* A handler of ours would write to the terminal, or signal the program that we are a copy of. */
		struct sigaction plain = {.sa_handler = SIG_DFL}, now;
		for (int i = 1; i < NSIG; i++)
			if (sigaction(i, NULL, &now) == 0 && now.sa_handler != SIG_IGN)
				sigaction(i, &plain, NULL);
		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		if (nothing < 0 || dup2(nothing, 0) < 0 || dup2(output, 1) < 0 || dup2(output, 2) < 0 ||
			!portable_end_copy_with(parent, SIGTERM))
			_exit(EXIT_FAILURE);
		close(output);
		close(p->out);
		_exit(run(ctx));
	}
	int error = errno;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	close_fd(&out[WRITE_SIDE]);
	if (p->pid > 0)
		return true;
	p->pid = 0;
	close_all(p);
	buf_puts(why, strerror(error));
	return false;
}

/* To a child that was not waited for, and its group; or to a fork that has no session of its own yet. What the starter
 * started gets it from the starter. False: it gets none. */
static bool signal_child(pid_t pid, int sig)
{
	return kill(-pid, sig) == 0 || kill(pid, sig) == 0 ||
		(errno == EPERM && starter_is_there() && starter_signal(-pid, sig) == 0);
}

void process_kill(struct process *p)
{
	if (p->pid > 0 && !p->ended)
		waitpid(p->pid, NULL, signal_child(p->pid, SIGKILL) ? 0 : WNOHANG);
	close_all(p);
	buf_free(&p->errors);
	*p = PROCESS_NONE;
}

void process_end(struct process *p)
{
	const struct timespec pause = {.tv_nsec = 2000000};
	struct buf unread = {0};
	double until = clock_ms() + PROCESS_GRACE_MS;
	if (p->pid > 0 && !p->ended) {
		/* To the child alone, which may have its own way to end what it started: srun passes a signal on to its
		 * job. */
		if (kill(p->pid, SIGTERM) != 0 && errno == EPERM && starter_is_there())
			starter_signal(p->pid, SIGTERM);
	}
	while (p->pid > 0 && !process_ended(p) && clock_ms() < until) {
		while (process_read(p, &unread, 65536) > 0) /* it may wait for room in the pipe */
			buf_clear(&unread);
		nanosleep(&pause, NULL);
	}
	buf_free(&unread);
	process_kill(p);
}

void process_stop(struct process *p, int sig, struct process_dying *dying)
{
	bool left = p->pid > 0 && !p->ended;
	process_reap(dying);
	for (int i = 0; left && i < PROCESS_DYING_MAX; i++) {
		if (dying->rows[i].pid)
			continue;
		signal_child(p->pid, sig);
		dying->rows[i].pid = p->pid;
		dying->rows[i].kill_at = sig == SIGKILL ? 0 : clock_ms() + PROCESS_GRACE_MS;
		left = false;
	}
	if (left) /* no row is free to kill it later */
		signal_child(p->pid, SIGKILL);
	close_all(p);
	p->pid = 0;
}

bool process_reap(struct process_dying *dying)
{
	bool left = false;
	for (int i = 0; i < PROCESS_DYING_MAX; i++) {
		pid_t pid = dying->rows[i].pid;
		if (pid && waitpid(pid, NULL, WNOHANG) != 0) {
			dying->rows[i].pid = 0;
		} else if (pid && dying->rows[i].kill_at > 0 && clock_ms() >= dying->rows[i].kill_at) {
			signal_child(pid, SIGKILL);
			dying->rows[i].kill_at = 0;
		}
		left |= dying->rows[i].pid != 0;
	}
	return left;
}

ssize_t process_write(struct process *p, const char *bytes, size_t len)
{
	/* A write to a worker that died raises SIGPIPE; it is held back and taken here, so that the rest of the program
	 * keeps its own handling of it; unless it is held back already and waits: ours would merge with it. */
	sigset_t pipe_set, before, pending;
	sigemptyset(&pipe_set);
	sigaddset(&pipe_set, SIGPIPE);
	sigpending(&pending);
	bool waits = sigismember(&pending, SIGPIPE) == 1;
	if (!waits)
		pthread_sigmask(SIG_BLOCK, &pipe_set, &before);
	ssize_t n = write(p->in, bytes, len);
	int error = errno, taken;
	if (!waits && n < 0 && error == EPIPE && sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1)
		(void)sigwait(&pipe_set, &taken); /* it is there: this does not wait */
	if (!waits)
		pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = error;
	return n >= 0 ? n : error == EAGAIN || error == EINTR ? 0 : -1;
}

int process_read(struct process *p, struct buf *out, size_t most)
{
	if (p->out < 0)
		return -1;
	buf_reserve(out, most + 1);
	out->data[out->len] = '\0'; /* where nothing comes, too */
	ssize_t n = read(p->out, out->data + out->len, most);
	if (n > 0) {
		out->len += (size_t)n;
		out->data[out->len] = '\0';
		return 1;
	}
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	close_fd(&p->out); /* an end of file would keep the epoll descriptor readable */
	return -1;
}

static void keep_errors(struct process *p, const char *bytes, size_t len)
{
	buf_append(&p->errors, bytes, len);
	if (p->errors.len <= PROCESS_ERRORS_KEPT)
		return;
	size_t drop = p->errors.len - PROCESS_ERRORS_KEPT;
	memmove(p->errors.data, p->errors.data + drop, PROCESS_ERRORS_KEPT + 1);
	p->errors.len = PROCESS_ERRORS_KEPT;
}

void process_keep_error(struct process *p, const char *line, size_t len)
{
	keep_errors(p, line, len);
	keep_errors(p, "\n", 1);
}

void process_read_errors(struct process *p)
{
	char chunk[4096];
	size_t left = ERRORS_AT_ONCE;
	bool paused = p->errors_at > 0;
	if (p->errors_at > clock_ms() && !p->ended)
		return;
	while (left && p->err >= 0) {
		ssize_t n = read(p->err, chunk, sizeof chunk);
		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			break;
		if (n <= 0) {
			close_fd(&p->err);
			break;
		}
		left -= left < (size_t)n ? left : (size_t)n;
		keep_errors(p, chunk, (size_t)n);
	}
	bool any = left < ERRORS_AT_ONCE;
	if (any || paused) {
		if (p->err >= 0)
			(void)watch_fd(p, p->err, !any);
		p->errors_at = any ? clock_ms() + PROCESS_ERRORS_PAUSE_MS : 0;
	}
}

int process_errors_timeout_ms(const struct process *p)
{
	double left = p->errors_at - clock_ms();
	return p->err < 0 || p->errors_at <= 0 ? poll_ms(p) : left <= 0 ? 0 : (int)left + 1;
}

bool process_ended(struct process *p)
{
	siginfo_t info = {0};
	if (p->pid <= 0 || p->ended)
		return p->ended;
	if (waitid(P_PID, (id_t)p->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != p->pid)
		return false;
	close_fd(&p->pidfd); /* it would keep the epoll descriptor readable */
	/* Not reaped yet, so the number is still its own: what it started and left running goes too. */
	signal_child(p->pid, SIGKILL);
	return p->ended = waitpid(p->pid, &p->status, 0) == p->pid;
}

void process_last_error(const struct process *p, struct buf *out)
{
	const char *text = buf_str(&p->errors);
	size_t end = p->errors.len;
	while (end && strchr(" \t\r\n", text[end - 1]))
		end--;
	size_t start = end;
	while (start && text[start - 1] != '\n' && end - start < 300)
		start--;
	for (size_t i = start; i < end; i++)
		buf_putc(out, (unsigned char)text[i] < ' ' || text[i] == 0x7F ? ' ' : text[i]);
}

void process_describe(const struct process *p, struct buf *out)
{
	if (p->ended && WIFEXITED(p->status))
		buf_printf(out, "ended with exit status %d", WEXITSTATUS(p->status));
	else if (p->ended && WIFSIGNALED(p->status))
		buf_printf(out, "was ended by signal %d (%s)", WTERMSIG(p->status), strsignal(WTERMSIG(p->status)));
	else
		buf_puts(out, "closed its output and was stopped");
	buf_puts(out, ": ");
	size_t len = out->len;
	process_last_error(p, out);
	if (out->len == len) /* it said nothing */
		out->data[out->len -= 2] = '\0';
}

/* --- any process -------------------------------------------------------------------------------------------------- */

#ifdef HAVE_SYS_PRCTL_H
bool process_find_origin(pid_t pid, struct process_origin *origin)
{
	char path[64], line[1024];
	int parent = 0;
	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? file_get(fd, line, sizeof line - 1) : 0;
	if (fd >= 0)
		close(fd);
	line[n > 0 ? n : 0] = '\0';
	const char *end = strrchr(line, ')'); /* of its name: the parent is the fourth word, the time the 22nd */
	*origin = (struct process_origin){0};
	if (!end || sscanf(end, ") %*c %9d", &parent) != 1)
		return false;
	for (int words = 0; words < 20 && end; words++)
		end = strchr(end + 1, ' ');
	origin->parent = parent;
	origin->started = end ? strtoull(end, NULL, 10) : 0;
	return end != NULL;
}
#else
bool process_find_origin(pid_t pid, struct process_origin *origin)
{
	(void)pid;
	*origin = (struct process_origin){0};
	return false;
}
#endif

void process_end_children(pid_t known, double ms)
{
	pid_t pid = 0;
	for (double until = clock_ms() + ms; clock_ms() < until;) {
		while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
			known = pid == known ? 0 : known;
		if (pid < 0)
			return;

		/* Only children: they are reaped by us alone, so that their numbers are theirs. */
		DIR *dir = opendir("/proc");
		pid_t self = getpid();
		struct process_origin origin;
		if (known > 0)
			kill(known, SIGKILL);
		for (struct dirent *entry; dir && (entry = readdir(dir)) != NULL;) {
			pid_t child = (pid_t)strtol(entry->d_name, NULL, 10);
			if (child > 0 && process_find_origin(child, &origin) && origin.parent == self)
				kill(child, SIGKILL);
		}
		if (dir)
			closedir(dir);

		poll(NULL, 0, 2);
	}
}

/* --- programs ----------------------------------------------------------------------------------------------------- */

/* The path from the root: the program may start in another folder. */
static const char *absolute_path(struct arena *arena, const char *path)
{
	char here[PATH_MAX];
	return *path == '/' || !getcwd(here, sizeof here) ? path : path_join(arena, here, path);
}

static bool is_program(const char *path)
{
	struct stat info;
	return access(path, X_OK) == 0 && stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/* Whether it is this program, whatever it is called: as nvcc, and as $NVCC with "cc", it is no compiler to run. */
static bool is_self(struct arena *arena, const char *path)
{
	struct stat own, info;
	const char *self = portable_program(arena);
	return self && stat(self, &own) == 0 && stat(path, &info) == 0 && own.st_dev == info.st_dev &&
		own.st_ino == info.st_ino;
}

static const char *find_in_path(struct arena *arena, const char *name)
{
	const char *path = getenv("PATH");
	if (strchr(name, '/'))
		return is_program(name) && !is_self(arena, name) ? absolute_path(arena, name) : NULL;
	while (path && *path) {
		size_t len = strcspn(path, ":");
		const char *full = path_join(arena, len ? arena_strndup(arena, path, len) : ".", name);
		if (is_program(full) && !is_self(arena, full))
			return absolute_path(arena, full);
		path += len + (path[len] == ':');
	}
	return NULL;
}

/* What the variable names; NULL where it is not set, or names this program: make NVCC="simttutor cc" exports that to
 * what it starts. */
static const char *named_by(struct arena *arena, const char *variable)
{
	const char *named = getenv(variable);
	if (!named || !*named || find_in_path(arena, named))
		return named && *named ? named : NULL;
	const char *first = arena_strndup(arena, named, strcspn(named, " \t"));
	bool own = strcmp(path_last(first), PACKAGE) == 0 || (strchr(first, '/') && is_self(arena, first));
	return own ? NULL : named;
}

const char *process_find(struct arena *arena, const char *variable, const char *const *names)
{
	const char *named = named_by(arena, variable), *found = NULL;
	if (named)
		return find_in_path(arena, named);
	for (; !found && *names; names++)
		found = find_in_path(arena, *names);
	return found;
}

const char *process_find_fault(struct arena *arena, const char *variable)
{
	const char *named = named_by(arena, variable), *why;
	struct stat info;
	if (!named || strcmp(named, ":") == 0 || find_in_path(arena, named))
		return NULL;
	if (!strchr(named, '/'))
		why = "which is not in PATH";
	else if (stat(named, &info) != 0)
		why = errno == ENOENT || errno == ENOTDIR ? "which does not exist" : "which cannot be reached";
	else if (S_ISDIR(info.st_mode))
		why = "which is a folder";
	else
		why = S_ISREG(info.st_mode) ? "which is not executable" : "which is no regular file";
	return arena_printf(arena, "%s names '%s', %s", variable, named, why);
}

bool process_succeeded(int status)
{
	return status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
