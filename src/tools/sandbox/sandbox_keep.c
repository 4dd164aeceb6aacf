/* The keeper, and what a tool gives up before it is one. */
#include "config.h"
#include "tools/sandbox/sandbox.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/portable.h"
#include "tools/sandbox/process.h"

#define POLL_MS 250      /* how often the keeper looks at the folder */
#define KILLING_MS 10000 /* that the keeper tries to end everything */
#define NOT_EXECUTED 127
#ifdef RLIMIT_AS
#define ADDRESSES RLIMIT_AS
#else
#define ADDRESSES RLIMIT_DATA
#endif

enum { READ_SIDE, WRITE_SIDE };

struct keeper {
	const struct sandbox_job *job;
	struct confine_profile profile; /* of the tool */
	char **env;
	int log, result, control; /* write, write, read */
	struct signals signals;   /* SIGCHLD and those that are to end us */
	pid_t tool;               /* 0: it was reaped */
	double deadline;
	struct sandbox_end end;
};

/* --- in the tool's process, before it is the tool ----------------------------------------------------------------- */

static bool limit(int what, rlim_t most)
{
	struct rlimit now;
	if (getrlimit(what, &now) != 0)
		return false;
	if (now.rlim_max == RLIM_INFINITY || now.rlim_max > most)
		now.rlim_max = most;
	now.rlim_cur = now.rlim_max;
	return setrlimit(what, &now) == 0;
}

/* The kernel counts all processes of the user, who may have others that come and go; so does this, and those of others,
 * too. The limit binds the tool and what it starts alone; not root. */
static rlim_t process_limit(void)
{
	char line[128];
	unsigned long all = 0;
	int fd = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, line, sizeof line - 1) : 0;
	if (fd >= 0)
		close(fd);
	line[n > 0 ? n : 0] = '\0';
	const char *slash = strchr(line, '/');
	if (slash)
		all = strtoul(slash + 1, NULL, 10);
	return all ? all + SANDBOX_PROCESSES_MAX : RLIM_INFINITY;
}

/* Under ASan, this program reserves more addresses than any limit, and a tool may be this program. */
static rlim_t address_limit(const char *program)
{
#ifdef SIMT_SANITIZED
	const char *own = portable_program(arena_new());
	if (own && strcmp(own, program) == 0)
		return RLIM_INFINITY;
#endif
	(void)program;

	long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGE_SIZE);
	if (pages <= 0 || size <= 0)
		return SANDBOX_MEMORY_MAX;
	uint64_t most = (uint64_t)pages / 4 * 3 * (uint64_t)size;
	return most > SANDBOX_MEMORY_MAX      ? SANDBOX_MEMORY_MAX
		: most < SANDBOX_MEMORY_LEAST ? SANDBOX_MEMORY_LEAST
					      : (rlim_t)most;
}

static _Noreturn void become_tool(const struct keeper *k, pid_t keeper, int failed)
{
	const struct confine_support support = confine_support();
	umask(077);
	bool ready = portable_end_with_parent(SIGKILL) && getppid() == keeper && setpgid(0, 0) == 0;

	/* Standard output goes to a file of its own, where the job names one: which can be no link to elsewhere. */
	int out = k->log;
	if (ready && k->job->output)
		out = openat(k->job->scratch->fd, k->job->output, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			0600);
	ready = ready && out >= 0 && dup2(out, 1) >= 0 && dup2(k->log, 2) >= 0;

	/* It gives up what a tool does not need. */
	ready = ready && portable_gain_no_privileges() && limit(RLIMIT_CORE, 0) &&
		limit(RLIMIT_CPU, (rlim_t)sandbox_seconds() * 2) && limit(RLIMIT_FSIZE, SANDBOX_FOLDER_MAX) &&
		limit(RLIMIT_NOFILE, SANDBOX_OPEN_FILES_MAX) && limit(ADDRESSES, address_limit(k->job->argv[0])) &&
		limit(RLIMIT_NPROC, process_limit()) && confine_self(&k->profile, &support) &&
		fchdir(k->job->scratch->fd) == 0;
	if (ready) {
		struct sigaction plain = {.sa_handler = SIG_DFL};
		sigset_t none;
		for (int i = 1; i < NSIG; i++)
			sigaction(i, &plain, NULL);
		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);

		execve(k->job->argv[0], (char *const *)k->job->argv, k->env);
	}
	int error = errno;
	(void)file_put(failed, &error, sizeof error);
	_exit(NOT_EXECUTED);
}

/* --- the keeper --------------------------------------------------------------------------------------------------- */

/* Until it is the tool, or cannot be. */
static bool start_tool(struct keeper *k)
{
	int failed[2], error = 0;
	pid_t self = getpid();
	if (!process_pipe(failed)) {
		k->end.error = errno;
		return false;
	}
	k->tool = fork();
	if (k->tool == 0)
		become_tool(k, self, failed[WRITE_SIDE]);
	error = k->tool < 0 ? errno : 0;
	close(failed[WRITE_SIDE]);
	close(k->log);
	if (k->tool > 0 && !file_get_all(failed[READ_SIDE], &error, sizeof error))
		error = 0;
	close(failed[READ_SIDE]);
	k->tool = k->tool < 0 ? 0 : k->tool;
	k->end.error = error;
	return error == 0;
}

/* Reaps the processes that have ended: the tool, and orphans it left to us. False when none are left. */
static bool reap(struct keeper *k)
{
	int status;
	pid_t pid;
	/* What an ended tool left in its group, before its number is free: where orphans do not become ours, this is
	 * what can be ended. */
	siginfo_t info = {0};
	if (k->tool && waitid(P_PID, (id_t)k->tool, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == k->tool)
		kill(-k->tool, SIGKILL);
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		if (pid == k->tool) {
			k->tool = 0;
			k->end.status = status;
		}
	return pid == 0;
}

/* Whether a signal came that is to end us. */
static bool read_signals(struct keeper *k)
{
	bool ending = false;
	for (int number; (number = signals_take(&k->signals)) != 0;)
		ending |= number != SIGCHLD;
	return ending;
}

static void kill_all(struct keeper *k)
{
	struct pollfd signals = {.fd = k->signals.fd, .events = POLLIN};
	double until = clock_ms() + KILLING_MS;
	while (reap(k) && clock_ms() < until) {
		/* Only children: they are reaped by us alone, so that their numbers are theirs. What they leave becomes
		 * ours. */
		DIR *dir = opendir("/proc");
		pid_t self = getpid();
		struct process_origin origin;
		if (k->tool)
			kill(-k->tool, SIGKILL);
		for (struct dirent *entry; dir && (entry = readdir(dir)) != NULL;) {
			pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
			if (pid > 0 && process_find_origin(pid, &origin) && origin.parent == self)
				kill(pid, SIGKILL);
		}
		if (dir)
			closedir(dir);

		poll(&signals, 1, 5);
		read_signals(k);
	}
}

/* Whether the program that started us is gone: then the other end of `control` is closed. */
static bool is_alone(const struct keeper *k)
{
	char byte;
	ssize_t n;
	while ((n = read(k->control, &byte, 1)) > 0 || (n < 0 && errno == EINTR))
		continue;
	return n == 0;
}

/* A session of its own, in which it gets what others leave. */
static bool adopt(void)
{
	struct sigaction plain = {.sa_handler = SIG_DFL};
	setsid();
	sigaction(SIGCHLD, &plain, NULL); /* children are waited for, unlike those of the starter */
	return portable_adopt_orphans();
}

static _Noreturn void keep(struct keeper *k)
{
	static const int wanted[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	struct sigaction plain = {.sa_handler = SIG_DFL};
	sigset_t set;
	sigemptyset(&set);
	bool ready = adopt();
	for (size_t i = 0; ready && i < sizeof wanted / sizeof *wanted; i++) {
		sigaction(wanted[i], &plain, NULL);
		sigaddset(&set, wanted[i]);
	}
	if (!ready || !signals_open(&k->signals, &set)) {
		k->end.error = errno;
	} else if (start_tool(k)) {
		struct pollfd fds[] = {{.fd = k->control, .events = POLLIN}, {.fd = k->signals.fd, .events = POLLIN}};
		double looked = clock_ms();
		while (k->tool && !k->end.outcome) {
			double now = clock_ms(), left = k->deadline - now;
			poll(fds, 2,
				signals_timeout_ms(&k->signals,
					left < 0                 ? 0
						: left < POLL_MS ? (int)left + 1
								 : POLL_MS));
			bool interrupted = read_signals(k) || fds[0].revents;
			reap(k);
			now = clock_ms();
			if (!k->tool)
				k->end.outcome = SANDBOX_ENDED;
			else if (interrupted)
				k->end.outcome = SANDBOX_INTERRUPTED;
			else if (now >= k->deadline)
				k->end.outcome = SANDBOX_OUT_OF_TIME;
			else if (now - looked < POLL_MS)
				continue;
			else if (scratch_size(k->job->scratch) > SANDBOX_FOLDER_MAX)
				k->end.outcome = SANDBOX_OUT_OF_SPACE;
			looked = now;
		}
	}
	kill_all(k);
	if (is_alone(k))
		scratch_remove_folder(k->job->scratch);
	_exit(file_put(k->result, &k->end, sizeof k->end) ? EXIT_SUCCESS : EXIT_FAILURE);
}

/* Stands by until the keeper has done its work. Where that was killed before, what it kept is ours. */
static _Noreturn void stand_by(struct keeper *k, pid_t keeper)
{
	int status = -1;
	close(k->log);
	while (waitpid(keeper, &status, 0) < 0 && errno == EINTR)
		continue;
	if (!process_succeeded(status)) {
		kill_all(k);
		if (is_alone(k))
			scratch_remove_folder(k->job->scratch);
	}
	_exit(EXIT_SUCCESS);
}

/* --- its environment ---------------------------------------------------------------------------------------------- */

static bool is_replaced(const char *entry, const char *locale)
{
	static const char *const names[] = {"TMPDIR=", "TMP=", "TEMP=", "PWD=", "OLDPWD=", "SIMTTUTOR_CONFINE="};
	if (locale && strncmp(entry, "LC_ALL=", 7) == 0)
		return true;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strncmp(entry, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

#define ADDED 4

/* Our environment with the tool's folders and locale; the caller frees it. `added` holds the new entries. */
static char **make_env(const struct sandbox_job *job, struct buf added[ADDED])
{
	char **ours = process_environment();
	size_t n = 0, kept = 0;
	while (ours[n])
		n++;
	char **env = base_calloc(n + ADDED + 1, sizeof *env);
	for (size_t i = 0; i < n; i++)
		if (!is_replaced(ours[i], job->locale))
			env[kept++] = ours[i];
	buf_printf(&added[0], "TMPDIR=%s", job->scratch->path);
	buf_printf(&added[1], "PWD=%s", job->scratch->path);
	buf_puts(&added[2],
		"SIMTTUTOR_CONFINE=no"); /* it is confined already: one of ours need not try, and could not */
	if (job->locale)
		buf_printf(&added[3], "LC_ALL=%s", job->locale);
	for (int i = 0; i < ADDED; i++)
		if (added[i].len)
			env[kept++] = added[i].data;
	return env;
}

_Noreturn void sandbox_keep(const struct sandbox_job *job, const struct sandbox_pipes *ends)
{
	struct buf added[ADDED] = {{0}};
	struct keeper k = {
		.job = job,
		.log = ends->log,
		.result = ends->result,
		.control = ends->control,
		.signals = SIGNALS_NONE,
		.deadline = clock_ms() + sandbox_seconds() * 1e3,
	};
	k.env = make_env(job, added);
	sandbox_reach(arena_new(), job, &k.profile);

	/* Descriptors of its own: no terminal. */
	const int ours[] = {k.log, k.result, k.control, k.job->scratch->fd};
	const int n_ours = (int)(sizeof ours / sizeof *ours), n_held = k.job->n_held;
	int *kept = base_calloc((size_t)(n_ours + n_held), sizeof *kept);
	for (int i = 0; i < n_ours + n_held; i++)
		kept[i] = i < n_ours ? ours[i] : k.job->held[i - n_ours];

	/* Closes what the program has open, its worker and its terminal among it. */
	unsigned from = 0;
	for (;;) {
		int next = -1;
		for (int i = 0; i < n_ours + n_held; i++)
			if (kept[i] >= (int)from && (next < 0 || kept[i] < next))
				next = kept[i];
		if (next < 0)
			break;
		if (next > (int)from)
			portable_close_range(from, (unsigned)next - 1);
		from = (unsigned)next + 1;
	}
	portable_close_range(from, ~0u);

	free(kept);
	bool detached = open("/dev/null", O_RDWR) == 0 && dup(0) == 1 && dup(0) == 2;

	pid_t keeper = detached && adopt() ? fork() : -1;
	if (keeper > 0)
		stand_by(&k, keeper);
	if (keeper == 0)
		keep(&k);
	k.end.error = errno;
	_exit(file_put(k.result, &k.end, sizeof k.end) ? EXIT_SUCCESS : EXIT_FAILURE);
}
