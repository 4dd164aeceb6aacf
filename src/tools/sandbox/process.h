/* tools/sandbox/process.h: programs that run beside us: the worker. Arguments are passed as they are, never through a
 * shell, and children start with default signals. Programs that are waited for: sandbox.h.
 *
 * A child has pipes that never block us, and a session of its own: it has no terminal to write on or to read a password
 * from, no Ctrl-C reaches it, and all that it started ends with it. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/buf.h"

#define PROCESS_ERRORS_KEPT 2000

struct process {
	pid_t pid;        /* 0: none */
	int in, out, err; /* our ends: we write `in`; -1 when closed */
	int pidfd;        /* readable once the child has ended; -1 where the system has none */
	int epoll;        /* readable when `out`, `err` or `pidfd` is; -1 where the system has none */
	bool ended;       /* reaped; `status` as from waitpid */
	int status;
	struct buf errors; /* the end of what it wrote to standard error */
	double errors_at;  /* standard error is not watched until then, by clock_ms; 0: it is */
};

#define PROCESS_NONE ((struct process){.in = -1, .out = -1, .err = -1, .pidfd = -1, .epoll = -1})

/* Children that were asked to end and may still run. */
#define PROCESS_DYING_MAX 8
#define PROCESS_GRACE_MS 3000
struct process_dying {
	struct {
		pid_t pid;      /* 0: none */
		double kill_at; /* ms on the monotonic clock; 0: it was killed */
	} rows[PROCESS_DYING_MAX];
};

/* Starts argv[0] (looked for in PATH when it has no slash). False with a sentence in `why` when it cannot be
 * started. */
bool process_start(struct process *process, const char *const argv[], struct buf *why);

/* Like process_start, for a copy of this program that runs `run` and exits with what it returns. It reads nothing; both
 * its outputs are the pipe `out`. It gets SIGTERM when we end. */
bool process_fork(struct process *process, int (*run)(void *ctx), void *ctx, struct buf *why);

/* Ends the child and everything in its session's group and closes the pipes. Does not wait: process_reap does later.
 * With SIGTERM it has PROCESS_GRACE_MS to end by itself. */
void process_stop(struct process *process, int sig, struct process_dying *dying);

/* Asks the child to end, so that it can remove what it made, waits for it, up to PROCESS_GRACE_MS, and then does what
 * process_kill does. What it still writes is lost. */
void process_end(struct process *process);

/* Kills the child and everything in its session's group, waits for it and closes the pipes. Fine when there is none. */
void process_kill(struct process *process);

/* Reaps those that have ended, and kills those whose time is over. Whether any are left. */
bool process_reap(struct process_dying *dying);

/* Returns the bytes written: 0 when the pipe is full, -1 when its other end is closed. */
ssize_t process_write(struct process *process, const char *bytes, size_t len);

/* Appends at most `most` bytes of standard output. 1: some came; 0: none now; -1: it is closed. */
int process_read(struct process *process, struct buf *out, size_t most);

/* Readable when it has to be looked at; -1: its output is closed. process_errors_timeout_ms says when it has to be,
 * anyway. */
int process_fd(const struct process *process);

/* Takes what came on standard error, keeping the last PROCESS_ERRORS_KEPT bytes. After any, process_fd does not report
 * more for PROCESS_ERRORS_PAUSE_MS, so that a flood waits in its pipe and costs nothing, whether it comes at once or
 * line by line. */
#define PROCESS_ERRORS_PAUSE_MS 100
void process_read_errors(struct process *process);

/* The milliseconds until process_read_errors and process_ended should be called although nothing is reported, -1: no
 * need. */
int process_errors_timeout_ms(const struct process *process);

/* Keeps a line of standard output with those of standard error. */
void process_keep_error(struct process *process, const char *line, size_t len);

/* Appends the last line that it wrote to standard error, control characters made spaces; nothing when there is none. */
void process_last_error(const struct process *process, struct buf *out);

/* Whether the child has ended; reaps it. */
bool process_ended(struct process *process);

/* Appends how it ended ("ended with exit status 3", "was ended by signal 9 (Killed)"), and its last error. */
void process_describe(const struct process *process, struct buf *out);

/* --- any process -------------------------------------------------------------------------------------------------- */

struct process_origin {
	pid_t parent;
	unsigned long long started; /* ticks since the machine started */
};

/* From /proc. False: there is no such process, or no such /proc. */
bool process_find_origin(pid_t pid, struct process_origin *origin);

/* The entries of our environment, which end in NULL. */
char **process_environment(void);

/* --- programs ----------------------------------------------------------------------------------------------------- */

/* A pipe that programs started do not inherit, its ends above 2, so that putting them on 0, 1 and 2 of a child cannot
 * overwrite one that is still needed. False with errno. */
bool process_pipe(int fd[2]);

/* The path from the root of a program, looked for in PATH when its name has no slash; NULL when there is none. An
 * environment variable that is set and not empty decides instead: a program that does not exist (":", as configure
 * writes it) means none. `names` ends in NULL. */
const char *process_find(struct arena *arena, const char *variable, const char *const *names);

/* Why the program that the variable names is none, some words that begin with the variable's name; NULL where it is
 * one, or none is named, or none is meant. */
const char *process_find_fault(struct arena *arena, const char *variable);

/* Kills our children and reaps them, again and again until there are none, for `ms` at most: what they leave is among
 * them (portable_adopt_orphans). Where /proc does not list them, only `known` is killed, 0: none. */
void process_end_children(pid_t known, double ms);

/* Whether a wait status, or -1, is that of a program that exited with status 0. */
bool process_succeeded(int status);
