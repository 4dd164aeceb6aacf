/* cmd/program_parts.h: what program.c is made of. Inside program*.c only. */
#pragma once
#include <sys/types.h>

#include "cmd/program.h"

/* What the runner executes; all but `path` is known before we are confined. */
struct program_launch {
	const char *path; /* NULL: it is sent */
	const char *const *argv;
	const char *const *variables; /* NAME=VALUE, in pairs of setenv's arguments, ends in NULL */
	struct confine_profile profile;
	int output; /* in place of standard output, and it has no standard input; 0: it has ours */
};

/* program_agree.c: false with an error; `instead`: what can be done without, NULL: nothing. */
bool program_agree(struct cmd_ctx *ctx, const char *file, const char *instead);

/* program_stop.c: whether a value of --launch is one; false with an error. */
bool program_launch_is(struct cmd_ctx *ctx, const char *value);

/* The folder for the launch at which the program stops: made before we and the runner are confined; or later, where neither is. False with
 * errno; with an error. */
bool program_stop_prepare(struct cmd_needs *needs, struct confine_profile *profile);
bool program_stop_begin(struct cmd_ctx *ctx);
void program_stop_end(void);
const char *program_stop_folder(void);

/* A descriptor for what it prints, where that is kept; 0: it prints where we do. What it has printed, at most 1 MiB. */
int program_stop_output(bool keeps);

/* What the program is told, in pairs; `choice` NULL: its first launch; `cc` NULL: the default. */
const char *const *program_stop_variables(struct cmd_ctx *ctx, const char *choice, const char *cc);

/* The file of the launch; NULL: the program has made none. */
const char *program_stop_find(struct cmd_ctx *ctx);

/* program_live.c: the launches that are kept in a folder, on the machine and on the GPU; what differs goes to standard error. An exit
 * status. */
int program_live(struct cmd_ctx *ctx, const char *folder);

/* program_view.c: whether a program has such a view; false with an error. */
bool program_view_is(struct cmd_ctx *ctx, const char *name);

/* Where the program is to leave its report as JSON; NULL with errno. */
const char *program_view_report(void);

/* Prints the views that --view names, of the program that has ended. False with an error. */
bool program_view_print(struct cmd_ctx *ctx, const char *file, const struct cmd_parsed *args, int n);

/* program_runner.c: forks the runner, which waits for the path. False with errno. */
bool program_runner_begin(const struct program_launch *launch);

/* Lets it execute `path`, now, and waits for its end: a wait status, or -1 with errno. Without program_runner_begin it is forked now, and
 * not confined. `*by_signal`: the signal that told us to end, and the program with us, before; 0: none. */
int program_runner_wait(const struct program_launch *launch, const char *path, int *by_signal);
