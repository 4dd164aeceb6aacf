#include "config.h"
#include "base/leash.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/process.h"
#include "base/starter.h"

#define LOOK_MS 250      /* how often the keeper looks at the folder */
#define KILLING_MS 10000 /* that the keeper tries to end everything */
#define SECONDS_MAX 86400
#define NOT_EXECUTED 127

enum { READ_SIDE, WRITE_SIDE };

struct keeper {
	const struct leash_job *job;
	struct confine_profile profile; /* of the tool */
	char **env;
	int log, result, control; /* write, write, read */
	int signals;              /* SIGCHLD and those that are to end us */
	pid_t tool;               /* 0: it was reaped */
	double deadline;
	struct leash_end end;
};

int leash_seconds(void)
{
	const char *text = getenv("SIMTTUTOR_COMPILER_SECONDS");
	size_t digits = text ? strspn(text, "0123456789") : 0;
	long seconds = digits && digits < 7 && !text[digits] ? strtol(text, NULL, 10) : 0;
	return seconds >= 1 && seconds <= SECONDS_MAX ? (int)seconds : LEASH_SECONDS;
}

/* --- in the tool's process, before it is the tool --------------------------------------------------------------------- */

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

static rlim_t memory_limit(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGE_SIZE);
	if (pages <= 0 || size <= 0)
		return LEASH_MEMORY_MAX;
	uint64_t most = (uint64_t)pages / 4 * 3 * (uint64_t)size;
	return most > LEASH_MEMORY_MAX      ? LEASH_MEMORY_MAX
		: most < LEASH_MEMORY_LEAST ? LEASH_MEMORY_LEAST
					    : (rlim_t)most;
}

/* The kernel counts all processes of the user, who may have others that come and go; so does this, and those of others, too. The
 * limit binds the tool and what it starts alone; not root. */
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
	return all ? all + LEASH_PROCESSES_MAX : RLIM_INFINITY;
}

/* Gives up what a tool does not need; false with errno. */
static bool confine(const struct keeper *k)
{
	const struct confine_support support = confine_support();
	umask(077);
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && limit(RLIMIT_CORE, 0) &&
		limit(RLIMIT_CPU, (rlim_t)leash_seconds() * 2) && limit(RLIMIT_FSIZE, LEASH_FOLDER_MAX) &&
		limit(RLIMIT_NOFILE, LEASH_OPEN_FILES_MAX) && limit(RLIMIT_AS, memory_limit()) &&
		limit(RLIMIT_NPROC, process_limit()) && confine_self(&k->profile, &support) &&
		fchdir(k->job->scratch->fd) == 0;
}

static void reset_signals(void)
{
	struct sigaction plain = {.sa_handler = SIG_DFL};
	sigset_t none;
	for (int i = 1; i < NSIG; i++)
		sigaction(i, &plain, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static _Noreturn void become_tool(const struct keeper *k, pid_t keeper, int failed)
{
	bool ready = prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == keeper && setpgid(0, 0) == 0 &&
		dup2(k->log, 1) >= 0 && dup2(k->log, 2) >= 0 && confine(k);
	if (ready) {
		reset_signals();
		execve(k->job->argv[0], (char *const *)k->job->argv, k->env);
	}
	int error = errno;
	(void)file_put(failed, &error, sizeof error);
	_exit(NOT_EXECUTED);
}

/* --- the keeper ------------------------------------------------------------------------------------------------------- */

static void close_range_or_each(unsigned from, unsigned to)
{
	if (from > to || close_range(from, to, 0) == 0)
		return;
	for (unsigned fd = from; fd <= to && fd < 4096; fd++)
		close((int)fd);
}

/* Closes what the program has open, its worker and its terminal among it. */
static void close_others(const int *kept, int n)
{
	unsigned from = 0;
	for (;;) {
		int next = -1;
		for (int i = 0; i < n; i++)
			if (kept[i] >= (int)from && (next < 0 || kept[i] < next))
				next = kept[i];
		if (next < 0)
			break;
		if (next > (int)from)
			close_range_or_each(from, (unsigned)next - 1);
		from = (unsigned)next + 1;
	}
	close_range_or_each(from, ~0u);
}

static bool open_signals(struct keeper *k)
{
	static const int wanted[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	struct sigaction plain = {.sa_handler = SIG_DFL};
	sigset_t set;
	sigemptyset(&set);
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
		sigaction(wanted[i], &plain, NULL);
		sigaddset(&set, wanted[i]);
	}
	k->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return k->signals >= 0;
}

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
	struct signalfd_siginfo info;
	bool ending = false;
	while (read(k->signals, &info, sizeof info) == (ssize_t)sizeof info)
		ending |= info.ssi_signo != SIGCHLD;
	return ending;
}

static void wait_for_tool(struct keeper *k)
{
	struct pollfd fds[] = {{.fd = k->control, .events = POLLIN}, {.fd = k->signals, .events = POLLIN}};
	double looked = clock_ms();
	while (k->tool && !k->end.outcome) {
		double now = clock_ms(), left = k->deadline - now;
		poll(fds, 2, left < 0 ? 0 : left < LOOK_MS ? (int)left + 1 : LOOK_MS);
		bool interrupted = read_signals(k) || fds[0].revents;
		reap(k);
		now = clock_ms();
		if (!k->tool)
			k->end.outcome = LEASH_ENDED;
		else if (interrupted)
			k->end.outcome = LEASH_INTERRUPTED;
		else if (now >= k->deadline)
			k->end.outcome = LEASH_OUT_OF_TIME;
		else if (now - looked < LOOK_MS)
			continue;
		else if (scratch_size(k->job->scratch) > LEASH_FOLDER_MAX)
			k->end.outcome = LEASH_OUT_OF_SPACE;
		looked = now;
	}
}

/* Only children: they are reaped by us alone, so that their numbers are theirs. What they leave becomes ours. */
static void kill_children(const struct keeper *k)
{
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
}

static void kill_all(struct keeper *k)
{
	struct pollfd signals = {.fd = k->signals, .events = POLLIN};
	double until = clock_ms() + KILLING_MS;
	while (reap(k) && clock_ms() < until) {
		kill_children(k);
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
	return prctl(PR_SET_CHILD_SUBREAPER, 1) == 0;
}

/* Descriptors of its own: no terminal. */
static bool detach(const struct keeper *k)
{
	const int ours[] = {k->log, k->result, k->control, k->job->scratch->fd};
	const int n_ours = (int)(sizeof ours / sizeof *ours), n_held = k->job->n_held;
	int *kept = base_calloc((size_t)(n_ours + n_held), sizeof *kept);
	for (int i = 0; i < n_ours + n_held; i++)
		kept[i] = i < n_ours ? ours[i] : k->job->held[i - n_ours];
	close_others(kept, n_ours + n_held);
	free(kept);
	return open("/dev/null", O_RDWR) == 0 && dup(0) == 1 && dup(0) == 2;
}

static _Noreturn void keep(struct keeper *k)
{
	if (!adopt() || !open_signals(k))
		k->end.error = errno;
	else if (start_tool(k))
		wait_for_tool(k);
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

/* --- whoever wants the tool run --------------------------------------------------------------------------------------- */

static bool is_replaced(const char *entry, const char *locale)
{
	static const char *const names[] = {"TMPDIR=", "TMP=", "TEMP=", "PWD=", "OLDPWD="};
	if (locale && strncmp(entry, "LC_ALL=", 7) == 0)
		return true;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strncmp(entry, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

#define ADDED 3

/* Our environment with the tool's folders and locale; the caller frees it. `added` holds the new entries. */
static char **make_env(const struct leash_job *job, struct buf added[ADDED])
{
	size_t n = 0, kept = 0;
	while (environ[n])
		n++;
	char **env = base_calloc(n + ADDED + 1, sizeof *env);
	for (size_t i = 0; i < n; i++)
		if (!is_replaced(environ[i], job->locale))
			env[kept++] = environ[i];
	buf_printf(&added[0], "TMPDIR=%s", job->scratch->path);
	buf_printf(&added[1], "PWD=%s", job->scratch->path);
	if (job->locale)
		buf_printf(&added[2], "LC_ALL=%s", job->locale);
	for (int i = 0; i < ADDED; i++)
		if (added[i].len)
			env[kept++] = added[i].data;
	return env;
}

_Noreturn void leash_keep(const struct leash_job *job, const struct leash_ends *ends)
{
	struct buf added[ADDED] = {{0}};
	struct keeper k = {
		.job = job,
		.log = ends->log,
		.result = ends->result,
		.control = ends->control,
		.signals = -1,
		.deadline = clock_ms() + leash_seconds() * 1e3,
	};
	k.env = make_env(job, added);
	leash_reach(arena_new(), job, &k.profile);
	pid_t keeper = detach(&k) && adopt() ? fork() : -1;
	if (keeper > 0)
		stand_by(&k, keeper);
	if (keeper == 0)
		keep(&k);
	k.end.error = errno;
	_exit(file_put(k.result, &k.end, sizeof k.end) ? EXIT_SUCCESS : EXIT_FAILURE);
}

/* With all signals held back, so that none ends the keeper. Its process, if that is to be waited for, else 0; -1: it `error`. */
static pid_t start_keeper(const struct leash_job *job, const struct leash_ends *ends, int *error)
{
	sigset_t all, before;
	if (starter_is_there()) {
		*error = starter_keep(job, ends);
		return *error ? -1 : 0;
	}
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pid_t pid = fork();
	if (pid == 0)
		leash_keep(job, ends);
	*error = errno;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return pid;
}

/* Reads once. False at the end. */
static bool read_log(int fd, size_t max, struct buf *log, size_t *dropped)
{
	char chunk[16384];
	ssize_t n = read(fd, chunk, sizeof chunk);
	if (n > 0) {
		size_t room = log->len < max ? max - log->len : 0, kept = (size_t)n < room ? (size_t)n : room;
		buf_append(log, chunk, kept);
		*dropped += (size_t)n - kept;
	}
	return n > 0 || (n < 0 && errno == EINTR);
}

static void ask_to_stop(int control)
{
	(void)file_put(control, "", 1);
}

/* Reads what the tool prints until the keeper says how it ended. */
static struct leash_end follow(const struct leash_job *job, int printed, int result, int control, struct buf *log)
{
	struct leash_end end;
	size_t most = log->len + job->log_max, dropped = 0;
	bool flooded = false;
	sigset_t ending;
	scratch_signals(&ending);
	int signals = signalfd(-1, &ending, SFD_CLOEXEC);
	struct pollfd fds[] = {
		{.fd = result, .events = POLLIN}, {.fd = printed, .events = POLLIN}, {.fd = signals, .events = POLLIN}};
	double slow_at = clock_ms() + LEASH_SLOW_MS;
	bool patient = job->on_slow != NULL;
	do {
		double left = slow_at - clock_ms();
		if (patient && left <= 0) {
			job->on_slow();
			patient = false;
		}
		if (poll(fds, 3, patient ? (int)left + 1 : -1) <= 0)
			continue;
		if (fds[1].revents && !read_log(printed, most, log, &dropped))
			fds[1].fd = -1;
		if (fds[2].revents) { /* it stays pending: whoever made the folder lets it arrive */
			ask_to_stop(control);
			fds[2].fd = -1;
		}
		if (!flooded && dropped > LEASH_PRINTED_MAX) {
			ask_to_stop(control);
			flooded = true;
		}
	} while (!fds[0].revents);
	if (!file_get_all(result, &end, sizeof end))
		end = (struct leash_end){.outcome = LEASH_INTERRUPTED}; /* the keeper was killed */
	fcntl(printed, F_SETFL, O_NONBLOCK);
	while (read_log(printed, most, log, &dropped))
		continue;
	if (signals >= 0)
		close(signals);
	if (flooded && end.outcome == LEASH_INTERRUPTED)
		end.outcome = LEASH_FLOODED;
	end.dropped = dropped;
	return end;
}

static void close_pipe(int fd[2])
{
	for (int i = 0; i < 2; i++)
		if (fd[i] >= 0)
			close(fd[i]);
}

struct leash_end leash_run(const struct leash_job *job, struct buf *log)
{
	int printed[2] = {-1, -1}, result[2] = {-1, -1}, control[2] = {-1, -1}, error = 0;
	struct leash_end end = {0};
	pid_t pid = -1;
	if (process_pipe(printed) && process_pipe(result) && process_pipe(control) &&
		fcntl(control[READ_SIDE], F_SETFL, O_NONBLOCK) == 0)
		pid = start_keeper(
			job, &(struct leash_ends){printed[WRITE_SIDE], result[WRITE_SIDE], control[READ_SIDE]}, &error);
	else
		error = errno;
	end.error = error;
	if (pid >= 0) {
		close(printed[WRITE_SIDE]);
		close(result[WRITE_SIDE]);
		close(control[READ_SIDE]);
		printed[WRITE_SIDE] = result[WRITE_SIDE] = control[READ_SIDE] = -1;
		end = follow(job, printed[READ_SIDE], result[READ_SIDE], control[WRITE_SIDE], log);
		while (pid && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			continue;
	}
	close_pipe(printed);
	close_pipe(result);
	close_pipe(control);
	return end;
}

bool leash_succeeded(const struct leash_end *end)
{
	return end->outcome == LEASH_ENDED && process_succeeded(end->status);
}

bool leash_failed(const struct leash_end *end)
{
	return end->outcome == LEASH_ENDED && WIFEXITED(end->status) && WEXITSTATUS(end->status) != 0;
}

void leash_describe(const struct leash_end *end, struct buf *out)
{
	switch (end->outcome) {
	case LEASH_NOT_STARTED: buf_printf(out, "cannot be started: %s", strerror(end->error)); break;
	case LEASH_OUT_OF_TIME: buf_printf(out, "did not end within %d s and was stopped", leash_seconds()); break;
	case LEASH_OUT_OF_SPACE:
		buf_printf(out, "wrote more than %zu MiB and was stopped", LEASH_FOLDER_MAX >> 20);
		break;
	case LEASH_FLOODED:
		buf_printf(out, "printed more than %zu MiB and was stopped", LEASH_PRINTED_MAX >> 20);
		break;
	case LEASH_INTERRUPTED: buf_puts(out, "was interrupted"); break;
	case LEASH_ENDED:
		if (WIFEXITED(end->status))
			buf_printf(out, "ended with exit status %d", WEXITSTATUS(end->status));
		else
			buf_printf(out, "was ended by signal %d (%s)", WTERMSIG(end->status),
				strsignal(WTERMSIG(end->status)));
		break;
	}
}
