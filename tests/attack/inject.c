/* A library to preload that makes a program's calls of the system fail, or do less than was asked for, as the
 * environment says:
 *
 *     INJECT_PROGRAMS=NAME[,NAME]...   the programs that are meant; others, such as a shell between them, are left alone
 *     INJECT_SHORT=one|random          reads and writes of more than a byte are cut to one byte, or to some (INJECT_SEED)
 *     INJECT_EINTR=K                   one of K calls that a signal may interrupt is, at random
 *     INJECT_EAGAIN=K                  one of K reads and writes of a descriptor that does not wait finds it not ready
 *     INJECT_FAIL=CLASS:N[+][:ERROR]   the N-th call of a class fails; with +, each later one, too. CLASS is a row of CLASSES below,
 *                                      ERROR of `errors`
 *     INJECT_TRACE=1                   where that is goes to standard error
 *     INJECT_COUNT=FILE                the calls of each class, a line "CLASS N" each, when the program ends by itself
 *
 * Calls are counted from main on, in each process for itself, and a fork goes on with the count. Calls that the C
 * library makes by itself are not seen, those of malloc in it are. For glibc. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CLASSES(CLASS)                                                                                                 \
	CLASS(alloc, ENOMEM)                                                                                           \
	CLASS(curses, ENOMEM) /* those of alloc that the libraries of the terminal make */                             \
	CLASS(open, EMFILE)                                                                                            \
	CLASS(read, EIO)                                                                                               \
	CLASS(write, ENOSPC)                                                                                           \
	CLASS(fsync, EIO)                                                                                              \
	CLASS(close, EDQUOT)                                                                                           \
	CLASS(rename, ENOSPC)                                                                                          \
	CLASS(mkdir, ENOSPC)                                                                                           \
	CLASS(fork, EAGAIN)                                                                                            \
	CLASS(pipe, EMFILE)                                                                                            \
	CLASS(thread, EAGAIN)

enum class {
#define CLASS(name, error) CLASS_##name,
	CLASSES(CLASS)
#undef CLASS
};

static const struct {
	const char *name;
	int error;
} classes[] = {
#define CLASS(name, error) {#name, error},
	CLASSES(CLASS)
#undef CLASS
};
#define COUNTS_FD 200 /* where nobody expects one of his own */
#define N_CLASSES (int)(sizeof classes / sizeof *classes)

static const struct {
	const char *name;
	int error;
} errors[] = {{"EIO", EIO}, {"ENOSPC", ENOSPC}, {"EDQUOT", EDQUOT}, {"EMFILE", EMFILE}, {"ENFILE", ENFILE},
	{"EAGAIN", EAGAIN}, {"ENOMEM", ENOMEM}, {"EACCES", EACCES}, {"EROFS", EROFS}};

static struct {
	bool on;
	enum { WHOLE, ONE, RANDOM } cut;
	unsigned eintr, eagain;
	int failing; /* class, -1: none */
	long at;
	bool onward, trace;
	int error;
	int counts; /* the file for them, opened before the program gives up that right */
} plan = {.failing = -1, .counts = -1};

static atomic_long counts[N_CLASSES];
static atomic_uint seed = 1;

/* --- what is wanted ----------------------------------------------------------------------------------------------- */

static unsigned number(const char *name)
{
	const char *text = getenv(name);
	return text ? (unsigned)strtoul(text, NULL, 10) : 0;
}

static bool is_meant(void)
{
	const char *names = getenv("INJECT_PROGRAMS");
	size_t len = strlen(program_invocation_short_name);
	while (names && *names) {
		size_t n = strcspn(names, ",");
		if (n == len && strncmp(names, program_invocation_short_name, n) == 0)
			return true;
		names += n + (names[n] == ',');
	}
	return false;
}

/* Ends a program under a plan that makes no sense, or a test of it would pass. */
static _Noreturn void refuse(const char *what)
{
	plan.on = false;
	dprintf(2, "inject: %s\n", what);
	_exit(99);
}

static void read_failure(const char *text)
{
	char class[16], error[16] = "";
	int end = 0;
	if (sscanf(text, "%15[a-z]:%ld%n", class, &plan.at, &end) != 2)
		refuse("INJECT_FAIL");
	plan.onward = text[end] == '+';
	if (sscanf(text + end, plan.onward ? "+:%15s" : ":%15s", error) != 1 && text[end + plan.onward])
		refuse("INJECT_FAIL");
	for (int i = 0; i < N_CLASSES; i++)
		if (strcmp(classes[i].name, class) == 0) {
			plan.failing = i;
			plan.error = classes[i].error;
		}
	bool known = !*error;
	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
		if (strcmp(errors[i].name, error) == 0) {
			plan.error = errors[i].error;
			known = true;
		}
	if (plan.failing < 0 || !known)
		refuse("INJECT_FAIL");
}

__attribute__((constructor)) static void begin(void)
{
	const char *cut = getenv("INJECT_SHORT"), *fail = getenv("INJECT_FAIL");
	if (!is_meant())
		return;
	plan.cut = !cut ? WHOLE : strcmp(cut, "one") == 0 ? ONE : RANDOM;
	plan.eintr = number("INJECT_EINTR");
	plan.eagain = number("INJECT_EAGAIN");
	seed = number("INJECT_SEED") + 1;
	const char *counted = getenv("INJECT_COUNT");
	int file = counted ? open(counted, O_WRONLY | O_CREAT | O_CLOEXEC, 0600) : -1;
	if (file >= 0) {
		plan.counts = fcntl(file, F_DUPFD_CLOEXEC, COUNTS_FD);
		close(file);
	}
	plan.trace = getenv("INJECT_TRACE") != NULL;
	if (fail)
		read_failure(fail);
	plan.on = true;
}

/* A child of the program may end at the same time: each writes all of it, in as many bytes, and the last one counts. */
__attribute__((destructor)) static void end(void)
{
	char text[32 * N_CLASSES];
	size_t len = 0;
	bool on = plan.on;
	plan.on = false;
	if (!on || plan.counts < 0 || fcntl(plan.counts, F_GETFD) < 0)
		return; /* none are wanted; or a child of the program has closed it */
	memset(text, '\n', sizeof text);
	for (int i = 0; i < N_CLASSES; i++) {
		len += (size_t)snprintf(text + len, sizeof text - len, "%.8s %ld", classes[i].name, (long)counts[i]);
		text[len++] = '\n';
	}
	if (pwrite(plan.counts, text, sizeof text, 0) != (ssize_t)sizeof text)
		refuse("INJECT_COUNT");
}

/* Ends without what is done at an exit. */
void _exit(int status)
{
	end();
	syscall(SYS_exit_group, status);
	__builtin_unreachable();
}

/* --- decisions ---------------------------------------------------------------------------------------------------- */

static void show_place(void)
{
	void *frames[24];
	plan.on = false;
	backtrace_symbols_fd(frames, backtrace(frames, 24), 2);
	plan.on = true;
}

/* Counts a call; true, with errno, when it is to fail. */
static bool fails(enum class class)
{
	if (!plan.on)
		return false;
	long n = ++counts[class];
	if ((int)class != plan.failing || (plan.onward ? n < plan.at : n != plan.at))
		return false;
	if (plan.trace)
		show_place();
	errno = plan.error;
	return true;
}

static unsigned draw(unsigned sides)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 8) % sides;
}

static bool interrupts(void)
{
	if (!plan.on || !plan.eintr || draw(plan.eintr) != 0)
		return false;
	errno = EINTR;
	return true;
}

static bool not_ready(int fd)
{
	if (!plan.on || !plan.eagain || !(fcntl(fd, F_GETFL) & O_NONBLOCK) || draw(plan.eagain) != 0)
		return false;
	errno = EAGAIN;
	return true;
}

/* What is read or written of `n` bytes. Descriptors of signals and events have records, which the kernel gives
 * whole. */
static size_t cut(int fd, size_t n)
{
	struct stat info;
	if (!plan.on || plan.cut == WHOLE || n < 2 || fstat(fd, &info) != 0 || !(info.st_mode & S_IFMT))
		return n;
	if (plan.cut == ONE)
		return 1;
	return 1 + draw((unsigned)n);
}

/* The function of the libraries behind this one. */
#define REAL(name)                                                                                                     \
	static __typeof__(name) *real;                                                                                 \
	if (!real)                                                                                                     \
	real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

/* --- memory ------------------------------------------------------------------------------------------------------- */

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t),
	*__libc_memalign(size_t, size_t);

static bool is_curses(const void *caller)
{
	Dl_info library;
	return plan.on && dladdr(caller, &library) && library.dli_fname &&
		(strstr(library.dli_fname, "curses") || strstr(library.dli_fname, "tinfo"));
}

#define ALLOC_FAILS (fails(CLASS_alloc) || (is_curses(__builtin_return_address(0)) && fails(CLASS_curses)))

void *malloc(size_t size)
{
	return ALLOC_FAILS ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
	return ALLOC_FAILS ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
	return ALLOC_FAILS ? NULL : __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
	return fails(CLASS_alloc) ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
	*out = fails(CLASS_alloc) ? NULL : __libc_memalign(alignment, size);
	return *out ? 0 : ENOMEM;
}

void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
	REAL(mmap);
	return fails(CLASS_alloc) ? MAP_FAILED : real(at, size, protection, flags, fd, offset);
}

/* --- reading and writing ------------------------------------------------------------------------------------------ */

static bool reading_fails(int fd)
{
	return interrupts() || not_ready(fd) || fails(CLASS_read);
}

/* Standard error can always be written to: one wants to see what is said there. */
static bool writing_fails(int fd)
{
	return interrupts() || not_ready(fd) || (fd != STDERR_FILENO && fails(CLASS_write));
}

ssize_t read(int fd, void *data, size_t n)
{
	REAL(read);
	return reading_fails(fd) ? -1 : real(fd, data, cut(fd, n));
}

ssize_t __read_chk(int fd, void *data, size_t n, size_t room); /* what _FORTIFY_SOURCE makes of read */
ssize_t __read_chk(int fd, void *data, size_t n, size_t room)
{
	(void)room;
	return read(fd, data, n);
}

ssize_t pread(int fd, void *data, size_t n, off_t offset)
{
	REAL(pread);
	return reading_fails(fd) ? -1 : real(fd, data, cut(fd, n), offset);
}

ssize_t recv(int fd, void *data, size_t n, int flags)
{
	REAL(recv);
	return reading_fails(fd) ? -1 : real(fd, data, cut(fd, n), flags);
}

ssize_t write(int fd, const void *data, size_t n)
{
	REAL(write);
	return writing_fails(fd) ? -1 : real(fd, data, cut(fd, n));
}

ssize_t pwrite(int fd, const void *data, size_t n, off_t offset)
{
	REAL(pwrite);
	return writing_fails(fd) ? -1 : real(fd, data, cut(fd, n), offset);
}

ssize_t send(int fd, const void *data, size_t n, int flags)
{
	REAL(send);
	return writing_fails(fd) ? -1 : real(fd, data, cut(fd, n), flags);
}

int poll(struct pollfd *fds, nfds_t n, int ms)
{
	REAL(poll);
	return interrupts() ? -1 : real(fds, n, ms);
}

int epoll_wait(int fd, struct epoll_event *events, int max, int ms)
{
	REAL(epoll_wait);
	return interrupts() ? -1 : real(fd, events, max, ms);
}

pid_t waitpid(pid_t pid, int *status, int options)
{
	REAL(waitpid);
	return !(options & WNOHANG) && interrupts() ? -1 : real(pid, status, options);
}

/* --- files -------------------------------------------------------------------------------------------------------- */

static mode_t mode_of(int flags, va_list args)
{
	return flags & (O_CREAT | O_TMPFILE) ? va_arg(args, mode_t) : 0;
}

int open(const char *path, int flags, ...)
{
	REAL(open);
	va_list args;
	va_start(args, flags);
	mode_t mode = mode_of(flags, args);
	va_end(args);
	return fails(CLASS_open) ? -1 : real(path, flags, mode);
}

int openat(int at, const char *path, int flags, ...)
{
	REAL(openat);
	va_list args;
	va_start(args, flags);
	mode_t mode = mode_of(flags, args);
	va_end(args);
	return fails(CLASS_open) ? -1 : real(at, path, flags, mode);
}

int fsync(int fd)
{
	REAL(fsync);
	return fails(CLASS_fsync) ? -1 : real(fd);
}

/* A close that fails has closed nevertheless. */
int close(int fd)
{
	REAL(close);
	bool failing = fails(CLASS_close);
	int error = errno, result = real(fd);
	if (!failing)
		return result;
	errno = error;
	return -1;
}

int rename(const char *from, const char *to)
{
	REAL(rename);
	return fails(CLASS_rename) ? -1 : real(from, to);
}

int renameat2(int from_at, const char *from, int to_at, const char *to, unsigned flags)
{
	REAL(renameat2);
	return fails(CLASS_rename) ? -1 : real(from_at, from, to_at, to, flags);
}

int mkdir(const char *path, mode_t mode)
{
	REAL(mkdir);
	return fails(CLASS_mkdir) ? -1 : real(path, mode);
}

char *mkdtemp(char *path)
{
	REAL(mkdtemp);
	return fails(CLASS_mkdir) ? NULL : real(path);
}

/* --- processes ---------------------------------------------------------------------------------------------------- */

pid_t fork(void)
{
	REAL(fork);
	return fails(CLASS_fork) ? -1 : real();
}

int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
	const posix_spawnattr_t *attributes, char *const argv[], char *const env[])
{
	REAL(posix_spawnp);
	return fails(CLASS_fork) ? plan.error : real(pid, file, actions, attributes, argv, env);
}

int pipe(int fd[2])
{
	REAL(pipe);
	return fails(CLASS_pipe) ? -1 : real(fd);
}

int pipe2(int fd[2], int flags)
{
	REAL(pipe2);
	return fails(CLASS_pipe) ? -1 : real(fd, flags);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *ctx)
{
	REAL(pthread_create);
	return fails(CLASS_thread) ? plan.error : real(thread, attributes, run, ctx);
}
