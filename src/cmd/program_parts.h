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
};

/* program_agree.c: false with an error. */
bool program_agree(struct cmd_ctx *ctx, const char *file);

/* program_runner.c: forks the runner, which waits for the path. False with errno. */
bool program_runner_begin(const struct program_launch *launch);

/* Lets it execute `path`, now, and waits for its end: a wait status, or -1 with errno. Without program_runner_begin it is forked now, and
 * not confined. `*by_signal`: the signal that told us to end, and the program with us, before; 0: none. */
int program_runner_wait(const struct program_launch *launch, const char *path, int *by_signal);
