/* The process that becomes the program, and one that ends what the program leaves. */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/portable.h"
#include "cmd/program.h"
#include "machine/snapshot/snapshot.h"
#include "tools/sandbox/process.h"
#include "tools/sandbox/sandbox.h"

#define NOT_EXECUTED 127
#define ENDING_MS 10000      /* that is tried to end what a program left, or that a program has to end itself */
#define TERM_AFTER_MS 1000.0 /* past its limit of time, for one that does not end itself */

static struct {
	pid_t pid;       /* the guard; 0: there is none */
	int path[2];     /* by which it learns what to execute */
	int signals[2];  /* by which it learns of signals that are for the program */
	sigset_t before; /* the mask of whoever started us */
} runner;

static _Noreturn void fail(const char *what, const char *path)
{
	struct buf text = {0};
	buf_printf(&text, "simttutor: %s: %s: %s\n", path, what, strerror(errno));
	cmd_print_log(&text);
	_exit(NOT_EXECUTED);
}

/* A file for a report is opened while it can be, wherever it lies, and handed on. */
static void open_report(const char *variable)
{
	const char *path = getenv(variable);
	char name[32];
	if (!path || !*path || strcmp(path, "-") == 0 || strcmp(path, "none") == 0)
		return;
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOCTTY, 0666);
	if (fd < 0)
		fail("cannot be written", path);
	snprintf(name, sizeof name, "/dev/fd/%d", fd);
	setenv(variable, name, 1);
}

/* With nothing of ours but the descriptors 0 to 2, and those of reports: all others are closed by becoming a
 * program. */
static _Noreturn void become(const struct program_launch *launch, const char *path, bool confined)
{
	const struct confine_support support = confine_support();
	struct sigaction plain = {.sa_handler = SIG_DFL};
	sigaction(SIGPIPE, &plain, NULL);
	sigaction(SIGXFSZ, &plain, NULL);
	for (int i = 0; launch->variables[i]; i += 2)
		setenv(launch->variables[i], launch->variables[i + 1], 1);
	open_report("SIMTTUTOR_REPORT");
	open_report("SIMTTUTOR_REPORT_JSON");
	if (launch->output) {
		/* Ours are a client's. */
		int nothing = open("/dev/null", O_RDONLY);
		dup2(launch->output, STDOUT_FILENO);
		if (nothing >= 0)
			dup2(nothing, STDIN_FILENO);
	}
	sigprocmask(SIG_SETMASK, &runner.before, NULL);
	if (confined && !confine_self(&launch->profile, &support))
		fail("cannot be confined", path);
	execv(path, (char *const *)launch->argv);
	fail("cannot be started", path);
}

static _Noreturn void wait_for_path(const struct program_launch *launch)
{
	static char path[PATH_MAX];
	close(runner.path[1]);
	if (!file_get_all(runner.path[0], path, sizeof path))
		_exit(EXIT_SUCCESS); /* there is nothing to execute */
	path[sizeof path - 1] = '\0';
	become(launch, path, true);
}

/* Ends as the program did, by the same signal, but with no core of its own. */
static _Noreturn void end_as(int status)
{
	sigset_t all;
	if (WIFSIGNALED(status)) {
		struct sigaction plain = {.sa_handler = SIG_DFL};
		portable_leave_no_core();
		sigaction(WTERMSIG(status), &plain, NULL);
		sigemptyset(&all);
		sigprocmask(SIG_SETMASK, &all, NULL);
		raise(WTERMSIG(status));
	}
	_exit(WIFEXITED(status) ? WEXITSTATUS(status) : NOT_EXECUTED);
}

/* Whether the program has ended; reaps what else has. */
static bool has_ended(pid_t program, int *status)
{
	int one;
	for (pid_t pid; (pid = waitpid(-1, &one, WNOHANG)) > 0;)
		if (pid == program) {
			*status = one;
			return true;
		}
	return false;
}

static const char *variable_of(const struct program_launch *launch, const char *name)
{
	for (int i = 0; launch->variables[i]; i += 2)
		if (strcmp(launch->variables[i], name) == 0)
			return launch->variables[i + 1];
	return getenv(name);
}

#define BEGINS 0 /* in place of a signal: the program has its path, and begins */

/* Waits for the program, which waits for its path first where `waits`, or for the end of who started us: that is
 * confined, and where Landlock knows signals it has none for us when it dies. Signals of the terminal are the
 * program's. */
static _Noreturn void guard_program(
	const struct program_launch *launch, pid_t program, pid_t parent, bool waits, const sigset_t *watched)
{
	struct signals signals;
	int status = 0;
	bool ended = false, timed_out = false, begun = !waits;
	(void)signals_open(&signals, watched);
	struct pollfd fds[] = {{.fd = signals.fd, .events = POLLIN},
		{.fd = portable_watch_end(parent), .events = POLLIN}, {.fd = runner.signals[0], .events = POLLIN}};
	const char *time = variable_of(launch, "SIMTTUTOR_TIMEOUT");
	double seconds = time ? environment_duration(time) : 0;
	double limit = 0;
	while (!(ended = has_ended(program, &status)) && getppid() == parent) {
		/* Its runtime ends it in time; one that has not begun to use that, or cannot end, is ended here. */
		if (begun && limit <= 0 && seconds > 0)
			limit = clock_ms() + seconds * 1000 + TERM_AFTER_MS;
		double left = limit - clock_ms();
		if (limit > 0 && left <= 0) {
			kill(program, timed_out ? SIGKILL : SIGTERM);
			limit += ENDING_MS;
			left = ENDING_MS;
			timed_out = true;
		}
		int most_ms = limit <= 0 ? -1 : left < INT_MAX ? (int)left + 1 : INT_MAX;
		if (poll(fds, 3, signals_timeout_ms(&signals, most_ms)) < 0 && errno != EINTR)
			break;
		if (fds[2].revents) {
			/* What comes is for the program, which is to end, and may say something before. */
			unsigned char number;
			ssize_t n = read(fds[2].fd, &number, 1);
			if (n == 1 && number == BEGINS)
				begun = true;
			else if (n == 1)
				kill(program, number);
			else if (n == 0 || errno != EINTR)
				fds[2].fd = -1;
		}
		while (signals_take(&signals))
			continue;
	}
	process_end_children(ended ? 0 : program, ENDING_MS);
	if (!ended || WIFSIGNALED(status)) {
		/* A program that was ended by a signal may have left its line on the terminal, whose last row then does
		 * not scroll. */
		const char *how = variable_of(launch, "SIMTTUTOR_PROGRESS");
		if (how && strcmp(how, "line") == 0 && isatty(STDERR_FILENO) && tcgetpgrp(STDERR_FILENO) == getpgrp())
			cmd_print_all_rows();
	}
	if (timed_out && ended && WIFSIGNALED(status)) {
		static const char text[] = "simttutor: the program was ended by its limit of time\n";
		cmd_print_log(&(struct buf){.data = (char *)text, .len = strlen(text)});
		_exit(EXIT_TIMED_OUT);
	}
	end_as(status);
}

/* The parent of the program and of all that it leaves: it executes nothing and is not confined, so that it can end
 * them. */
static _Noreturn void become_guard(const struct program_launch *launch, const char *path, pid_t parent)
{
	sigset_t watched;
	sigemptyset(&watched);
	for (const int *s =
			(const int[]){SIGCHLD, SIGTERM, SIGINT, SIGQUIT, SIGHUP, SIGPIPE, SIGUSR1, SIGUSR2, SIGALRM, 0};
		*s; s++)
		sigaddset(&watched, *s);
	struct sigaction plain = {.sa_handler = SIG_DFL};
	sigaction(SIGCHLD, &plain, NULL);
	sigprocmask(SIG_BLOCK, &watched, NULL);
	if (!portable_end_with_parent(SIGTERM) || !portable_adopt_orphans() || getppid() != parent)
		_exit(NOT_EXECUTED);
	close(runner.signals[1]);
	pid_t guard = getpid(), program = fork();
	if (program == 0) {
		close(runner.signals[0]);
		/* What ends us ends it, however we end. */
		if (!portable_end_with_parent(SIGKILL) || getppid() != guard)
			_exit(NOT_EXECUTED);
		if (path)
			become(launch, path, false);
		wait_for_path(launch);
	}
	if (!path) {
		close(runner.path[0]);
		close(runner.path[1]);
	}
	if (program < 0)
		_exit(NOT_EXECUTED);
	guard_program(launch, program, parent, !path, &watched);
}

bool program_runner_begin(const struct program_launch *launch)
{
	pid_t parent = getpid();
	sigprocmask(SIG_BLOCK, NULL, &runner.before);
	if (!process_pipe(runner.path) || !process_pipe(runner.signals))
		return false;
	runner.pid = fork();
	if (runner.pid == 0)
		become_guard(launch, NULL, parent);
	close(runner.path[0]);
	close(runner.signals[0]);
	return runner.pid > 0;
}

static bool send_path(const char *path)
{
	static char sent[PATH_MAX];
	if (strlen(path) >= sizeof sent) {
		errno = ENAMETOOLONG;
		return false;
	}
	strcpy(sent, path);
	const char begins = BEGINS;
	bool ok = file_put(runner.path[1], sent, sizeof sent);
	close(runner.path[1]);
	/* A program that has ended by now has no use for it. */
	if (ok)
		(void)file_put(runner.signals[1], &begins, 1);
	return ok;
}

static bool start_now(const struct program_launch *launch, const char *path)
{
	pid_t parent = getpid();
	if (!process_pipe(runner.signals))
		return false;
	runner.pid = fork();
	if (runner.pid == 0)
		become_guard(launch, path, parent);
	close(runner.signals[0]);
	return runner.pid > 0;
}

/* The terminal's signals reach the program, too, and are its to handle; others ask us to end, and the program before
 * us, which has some time for that. */
static int wait_for_end(struct signals *signals, int *by_signal)
{
	int status = -1;
	double until = 0;
	while (waitpid(runner.pid, &status, WNOHANG) == 0) {
		struct pollfd fds = {.fd = signals->fd, .events = POLLIN};
		double left = until - clock_ms();
		if (*by_signal && left <= 0)
			return status;
		poll(&fds, 1, signals_timeout_ms(signals, *by_signal ? (int)left + 1 : -1));
		int number = signals_take(signals);
		if (!number || number == SIGCHLD || number == SIGINT || number == SIGQUIT)
			continue;
		unsigned char byte = (unsigned char)number;
		if (*by_signal || !file_put(runner.signals[1], (const char *)&byte, 1)) {
			*by_signal = number;
			return status;
		}
		*by_signal = number;
		until = clock_ms() + ENDING_MS;
	}
	return status;
}

int program_runner_wait(const struct program_launch *launch, const char *path, int *by_signal)
{
	sigset_t watched, before;
	*by_signal = 0;
	scratch_signals(&watched);
	sigaddset(&watched, SIGCHLD);
	sigprocmask(SIG_BLOCK, &watched, &before);
	struct signals signals;
	bool ok = signals_open(&signals, &watched);
	bool waits_already = runner.pid > 0;
	if (!waits_already)
		sigprocmask(SIG_BLOCK, NULL, &runner.before);
	for (int i = 1; !waits_already && i < NSIG; i++)
		if (sigismember(&watched, i) == 1)
			sigdelset(&runner.before, i);
	ok = ok && (waits_already ? send_path(path) : start_now(launch, path));
	int status = ok ? wait_for_end(&signals, by_signal) : -1;
	signals_close(&signals);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return status;
}

/* --- a program that stops before a launch ------------------------------------------------------------------------- */

/* A program up to one of its launches, for the debugger. */

#define PRINTED_MAX ((size_t)1 << 20)

/* Where the launch is kept, which the program may write. Made before we are confined; or, where we are not, when it is
 * needed. */
static struct {
	const char *folder;
	struct scratch own; /* that, in the latter case */
	int output;         /* what the program prints, when it is not to go where we print; 0: there is none */
} kept = {.own = {.fd = -1}};

static bool is_choice(const char *value)
{
	const char *number = strncmp(value, "line=", 5) == 0 ? value + 5 : value;
	if (strncmp(value, "kernel=", 7) == 0)
		return value[7] && !strchr(value, ',');
	size_t n = strlen(number);
	return n && n < 10 && *number != '0' && strspn(number, "0123456789") == n;
}

bool program_launch_is(struct cmd_ctx *ctx, const char *value)
{
	return is_choice(value) ||
		cmd_bad_value(
			ctx, "--launch", value, "the launch's number, from 1, kernel=NAME or line=N of the program");
}

bool program_stop_prepare(struct cmd_needs *needs, struct confine_profile *profile)
{
	struct arena *arena = needs->ctx->arena;
	if (!needs->scratch)
		return false;
	kept.folder = path_join(arena, needs->scratch, "launches");
	if (mkdir(kept.folder, 0700) != 0 && errno != EEXIST)
		return false;
	confine_allow(arena, profile, kept.folder, CONFINE_READ | CONFINE_WRITE);
	return true;
}

int program_stop_output(bool keeps)
{
	if (keeps && !kept.output)
		kept.output = portable_temporary_file();
	return kept.output > 0 ? kept.output : 0;
}

void program_stop_printed(struct buf *out)
{
	char bytes[4096];
	ssize_t n;
	for (off_t at = 0; kept.output > 0 && out->len < PRINTED_MAX; at += n) {
		n = pread(kept.output, bytes, sizeof bytes, at);
		if (n <= 0)
			return;
		buf_append(out, bytes, (size_t)n);
	}
}

bool program_stop_begin(struct cmd_ctx *ctx)
{
	if (kept.folder)
		return true;
	if (!scratch_make(&kept.own, ctx->arena, &ctx->diag))
		return false;
	kept.folder = kept.own.path;
	return true;
}

const char *program_stop_folder(void)
{
	return kept.folder;
}

void program_stop_end(void)
{
	if (kept.own.path)
		scratch_remove(&kept.own);
}

const char *const *program_stop_variables(struct cmd_ctx *ctx, const char *file, const char *choice, const char *cc)
{
	const char **v = arena_array(ctx->arena, const char *, PROGRAM_LINKING + 13);
	int m = program_linking(ctx, file, v);
	const char *pairs[][2] = {{"SIMTTUTOR_RECORD", kept.folder}, {"SIMTTUTOR_RECORD_STOP", "1"},
		{"SIMTTUTOR_LAUNCHES", choice ? choice : "1"}, {"SIMTTUTOR_REPORT", "none"},
		{"SIMTTUTOR_CHECK", "default"}, {"SIMTTUTOR_CC", cc}};
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
		if (pairs[i][1]) {
			v[m++] = pairs[i][0];
			v[m++] = pairs[i][1];
		}
	return v;
}

const char *program_stop_find(struct cmd_ctx *ctx)
{
	DIR *dir = opendir(kept.folder);
	const char *path = NULL;
	for (struct dirent *entry; dir && !path && (entry = readdir(dir)) != NULL;)
		if (snapshot_is_named(entry->d_name))
			path = path_join(ctx->arena, kept.folder, entry->d_name);
	if (dir)
		closedir(dir);
	return path;
}
