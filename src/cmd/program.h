/* cmd/program.h: other programs that a command runs: compilers, ptxas. */
#pragma once
#include "cmd/cmd.h"

/* The path of a program, looked for in PATH when its name has no slash; NULL when there is none. A variable that is set and
 * not empty decides instead: a program that is not there (":", as configure writes it) means none. `names` ends in NULL. */
const char *program_find(struct arena *arena, const char *variable, const char *const *names);

/* Runs argv[0] with argv, both its outputs to the file descriptor `output`. Its wait status, or -1 with errno when it cannot
 * be started. An interrupt is the program's: it ends, and we live to remove what it wrote. */
int program_run(const char *const *argv, int output);

/* Runs argv[0] and appends what both its outputs say, which passes through the file `scratch`, made and removed. False when
 * it did not end well. */
bool program_read(const char *const *argv, const char *scratch, struct buf *out);

/* Whether a wait status is that of a program that ended well. */
bool program_ended_well(int status);

/* A new, empty folder for what a program reads and writes, in $TMPDIR or /tmp; NULL with an error. Who asked removes it. */
const char *program_folder(struct cmd_ctx *ctx);
