/* cmd/program_grade.h: whole programs as solutions of exercises.
 *
 * One is compiled, and each run of it is a `simttutor run` in a sandbox (tools/sandbox/sandbox.h): in a private folder, without network, with a
 * deadline and limits, whoever wrote it. What it prints is compared with what the exercise says; problems that are reported are defects;
 * the launches of its first run are kept, and counted again for goals. */
#pragma once
#include "cmd/confined.h"
#include "course/experiment/grade.h"

/* What running programs so needs: adds to those of a command with tools. */
void program_grade_needs(struct cmd_needs *needs);

/* Whether it can be: a compiler is there, and the reader has agreed, or does so now. An exit status, with an error. */
int program_grade_can(struct cmd_ctx *ctx, const char *path);

/* Grades the program at `path`. NULL with an exit status, with errors; the compiler's messages are printed. All in `arena`. */
const struct experiment_grade *program_grade(struct cmd_ctx *ctx, struct arena *arena, const struct lesson *lesson,
	const struct step *step, const char *path, int *status);
