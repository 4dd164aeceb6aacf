#include "config.h"
#include "base/portable.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#if defined HAVE_MEMFD_CREATE || defined HAVE_MADVISE
#include <sys/mman.h>
#endif
#ifdef HAVE_SYS_PRCTL_H
#include <sys/prctl.h>
#endif
#ifdef HAVE_SYS_RANDOM_H
#include <sys/random.h>
#endif
#if HAVE_DECL_SYS_PIDFD_OPEN
#include <sys/syscall.h>
#endif
#ifdef HAVE_SYS_SIGNALFD_H
#include <sys/signalfd.h>
#endif

#include "base/file.h"

/* --- descriptors -------------------------------------------------------------------------------------------------- */

#if !defined HAVE_PIPE2 || !defined HAVE_ACCEPT4 || !defined HAVE_MEMFD_CREATE || !defined SOCK_CLOEXEC
/* A program that another thread starts meanwhile may inherit it: none of ours does that while these are made. */
static bool keep_to_us(int fd, int status_flags)
{
	return fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 && (!status_flags || fcntl(fd, F_SETFL, status_flags) == 0);
}
#endif

bool portable_pipe(int fd[2])
{
#ifdef HAVE_PIPE2
	return pipe2(fd, O_CLOEXEC) == 0;
#else
	return pipe(fd) == 0 && keep_to_us(fd[0], 0) && keep_to_us(fd[1], 0);
#endif
}

/* Where sending takes no flag for it, a socket can be told that it raises no signal. */
static int without_signal(int fd)
{
#if !defined MSG_NOSIGNAL && defined SO_NOSIGPIPE
	if (fd >= 0)
		(void)setsockopt(fd, SOL_SOCKET, SO_NOSIGPIPE, &(int){1}, sizeof(int));
#endif
	return fd;
}

#ifdef MSG_NOSIGNAL
const int portable_send_flags = MSG_NOSIGNAL | MSG_DONTWAIT;
#else
const int portable_send_flags = MSG_DONTWAIT;
#endif

#if !defined HAVE_ACCEPT4 || !defined SOCK_CLOEXEC
static int keep_socket(int fd)
{
	if (fd < 0 || keep_to_us(fd, O_NONBLOCK))
		return fd;
	close(fd);
	return -1;
}
#endif

int portable_socket(void)
{
#if defined SOCK_CLOEXEC && defined SOCK_NONBLOCK && !defined SIMT_PORTABLE
	return without_signal(socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
#else
	return without_signal(keep_socket(socket(AF_UNIX, SOCK_STREAM, 0)));
#endif
}

int portable_accept(int fd)
{
#ifdef HAVE_ACCEPT4
	return without_signal(accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC));
#else
	return without_signal(keep_socket(accept(fd, NULL, NULL)));
#endif
}

#if HAVE_DECL_SO_PEERCRED

bool portable_peer_is_ours(int fd)
{
	struct ucred who;
	socklen_t len = sizeof who;
	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &len) == 0 && len == sizeof who && who.uid == geteuid();
}

#elif defined HAVE_GETPEEREID

bool portable_peer_is_ours(int fd)
{
	uid_t user;
	gid_t group;
	return getpeereid(fd, &user, &group) == 0 && user == geteuid();
}

#else

/* Nobody is known to be. */
bool portable_peer_is_ours(int fd)
{
	(void)fd;
	return false;
}

#endif

int portable_temporary_file(void)
{
#ifdef HAVE_MEMFD_CREATE
	return memfd_create(PACKAGE, MFD_CLOEXEC);
#else
	const char *folder = getenv("TMPDIR");
	char path[PATH_MAX];
	int n = snprintf(path, sizeof path, "%s/" PACKAGE "-XXXXXX", folder && *folder ? folder : "/tmp");
	if (n < 0 || (size_t)n >= sizeof path) {
		errno = ENAMETOOLONG;
		return -1;
	}
	int fd = mkstemp(path);
	if (fd < 0)
		return -1;
	(void)unlink(path);
	if (keep_to_us(fd, 0))
		return fd;
	close(fd);
	return -1;
#endif
}

int portable_open_folder(int at, const char *name, int flags)
{
#if HAVE_DECL_O_PATH
	flags |= O_PATH;
#else
	flags |= O_RDONLY;
#endif
	return openat(at, name, flags | O_DIRECTORY | O_CLOEXEC);
}

void portable_close_range(unsigned from, unsigned to)
{
#ifdef HAVE_CLOSE_RANGE
	if (from > to || close_range(from, to, 0) == 0)
		return;
#endif
	for (unsigned fd = from; fd <= to && fd < 4096; fd++)
		close((int)fd);
}

/* --- processes ---------------------------------------------------------------------------------------------------- */

int portable_watch_end(pid_t pid)
{
#if HAVE_DECL_SYS_PIDFD_OPEN
	return (int)syscall(SYS_pidfd_open, pid, 0u);
#else
	(void)pid;
	return -1;
#endif
}

#ifdef HAVE_SYS_PRCTL_H

bool portable_end_with_parent(int sig)
{
	return prctl(PR_SET_PDEATHSIG, sig) == 0;
}

bool portable_end_copy_with(pid_t parent, int sig)
{
	(void)parent;
	return portable_end_with_parent(sig);
}

bool portable_adopt_orphans(void)
{
	return prctl(PR_SET_CHILD_SUBREAPER, 1) == 0;
}

bool portable_gain_no_privileges(void)
{
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

void portable_leave_no_core(void)
{
	prctl(PR_SET_DUMPABLE, 0);
}

void portable_name_process(const char *name)
{
	prctl(PR_SET_NAME, name);
}

#else

static struct {
	pid_t parent;
	int sig;
} watched;

bool portable_end_with_parent(int sig)
{
	(void)sig;
	return true;
}

static void *watch_parent(void *unused)
{
	while (getppid() == watched.parent)
		nanosleep(&(struct timespec){.tv_nsec = PORTABLE_POLL_MS * 1000000L}, NULL);
	kill(getpid(), watched.sig);
	return unused;
}

bool portable_end_copy_with(pid_t parent, int sig)
{
	pthread_t thread;
	watched.parent = parent;
	watched.sig = sig;
	return pthread_create(&thread, NULL, watch_parent, NULL) == 0 && pthread_detach(thread) == 0;
}

bool portable_adopt_orphans(void)
{
	return true;
}

bool portable_gain_no_privileges(void)
{
	return true;
}

void portable_leave_no_core(void)
{
	(void)setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
}

void portable_name_process(const char *name)
{
	(void)name;
}

#endif

/* --- else --------------------------------------------------------------------------------------------------------- */

bool portable_random(void *bytes, size_t len)
{
#ifdef HAVE_GETRANDOM
	return getrandom(bytes, len, 0) == (ssize_t)len;
#elif defined HAVE_GETENTROPY && !defined SIMT_PORTABLE
	return len <= 256 && getentropy(bytes, len) == 0;
#else
	int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
	bool ok = fd >= 0 && file_get_all(fd, bytes, len);
	if (fd >= 0)
		close(fd);
	return ok;
#endif
}

static const char *called_as = ""; /* the program's own word for itself */

void portable_set_program(const char *argv0)
{
	called_as = argv0 ? argv0 : "";
}

/* Found once: later we may be in another folder. */
const char *portable_program(struct arena *arena)
{
	static char found[PATH_MAX];
#ifndef SIMT_PORTABLE
	ssize_t n = *found ? 0 : readlink("/proc/self/exe", found, sizeof found - 1);
	if (n > 0)
		found[n] = '\0';
#endif
	char *real = NULL;
	if (!*found && strchr(called_as, '/')) {
		real = realpath(called_as, NULL);
	} else if (!*found && *called_as) {
		/* where a shell finds a program of that name */
		const char *path = getenv("PATH");
		for (size_t len; path && *path && !real; path += len + (path[len] == ':')) {
			char tried[PATH_MAX];
			struct stat info;
			len = strcspn(path, ":");
			int written = snprintf(
				tried, sizeof tried, "%.*s/%s", len ? (int)len : 1, len ? path : ".", called_as);
			if (written > 0 && (size_t)written < sizeof tried && access(tried, X_OK) == 0 &&
				stat(tried, &info) == 0 && S_ISREG(info.st_mode))
				real = realpath(tried, NULL);
		}
	}
	if (real && strlen(real) < sizeof found)
		strcpy(found, real);
	free(real);
	return *found ? arena_strdup(arena, found) : NULL;
}

unsigned portable_processors(void)
{
#ifdef HAVE_SCHED_GETAFFINITY
	cpu_set_t set;
	if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
		return (unsigned)CPU_COUNT(&set);
#endif
	long there = sysconf(_SC_NPROCESSORS_ONLN);
	return there > 1 ? (unsigned)there : 1;
}

void portable_take_large_pages(void *memory, size_t bytes)
{
#if defined HAVE_MADVISE && defined MADV_HUGEPAGE
	const size_t page = (size_t)2 << 20;
	size_t before = (page - (uintptr_t)memory % page) % page;
	if (memory && bytes > before && bytes - before >= 2 * page)
		(void)madvise((char *)memory + before, (bytes - before) / page * page, MADV_HUGEPAGE);
#else
	(void)memory;
	(void)bytes;
#endif
}

struct timespec portable_changed(const struct stat *info)
{
#ifdef HAVE_STRUCT_STAT_ST_MTIM
	return info->st_mtim;
#else
	return info->st_mtimespec;
#endif
}

static bool is_digit(char c)
{
	return isdigit((unsigned char)c) != 0;
}

/* Numbers that begin with 0 are fractions: 00 is less than 01, that less than 0, and that less than 1. */
int portable_compare_versions(const char *a, const char *b)
{
	size_t at = 0, number = 0; /* where they differ, and where the digits before that begin */
	for (; a[at] && a[at] == b[at]; at++)
		if (!is_digit(a[at]))
			number = at + 1;
	if (is_digit(a[number]) && is_digit(b[number]) && a[number] != '0' && b[number] != '0') {
		size_t n = strspn(a + at, "0123456789"), m = strspn(b + at, "0123456789");
		if (n != m)
			return n < m ? -1 : 1;
	} else if (number < at && strspn(a + number, "0") >= at - number && is_digit(a[at]) != is_digit(b[at])) {
		return is_digit(a[at]) ? -1 : 1;
	}
	return (unsigned char)a[at] - (unsigned char)b[at];
}

/* --- time --------------------------------------------------------------------------------------------------------- */

static double now_ms(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

double clock_ms(void)
{
	return now_ms(CLOCK_MONOTONIC);
}

double clock_thread_ms(void)
{
	return now_ms(CLOCK_THREAD_CPUTIME_ID);
}

/* --- signals ------------------------------------------------------------------------------------------------------ */

static int first_pending(const struct signals *s)
{
	sigset_t pending;
	if (sigpending(&pending) != 0)
		return 0;
	for (int i = 1; i < NSIG; i++)
		if (sigismember(&s->set, i) == 1 && sigismember(&pending, i) == 1)
			return i;
	return 0;
}

bool signals_are_there(const struct signals *s)
{
	return first_pending(s) != 0;
}

#ifdef HAVE_SYS_SIGNALFD_H

bool signals_open(struct signals *s, const sigset_t *set)
{
	s->set = *set;
	s->fd = signalfd(-1, set, SFD_CLOEXEC | SFD_NONBLOCK);
	return s->fd >= 0;
}

int signals_take(struct signals *s)
{
	struct signalfd_siginfo info;
	ssize_t n;
	while ((n = read(s->fd, &info, sizeof info)) < 0 && errno == EINTR)
		continue;
	return n == (ssize_t)sizeof info ? (int)info.ssi_signo : 0;
}

#else

bool signals_open(struct signals *s, const sigset_t *set)
{
	s->set = *set;
	s->fd = -1;
	return true;
}

/* sigwait does not wait for what is pending. */
int signals_take(struct signals *s)
{
	sigset_t one;
	int number = first_pending(s), taken = 0;
	if (!number)
		return 0;
	sigemptyset(&one);
	sigaddset(&one, number);
	return sigwait(&one, &taken) == 0 ? taken : 0;
}

#endif

int signals_timeout_ms(const struct signals *s, int ms)
{
	return s->fd < 0 && (ms < 0 || ms > SIGNALS_POLL_MS) ? SIGNALS_POLL_MS : ms;
}

void signals_close(struct signals *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}
