/* cmd/exercise.h: how the grade of a kernel is printed. */
#pragma once
#include "cmd/cmd.h"
#include "course/experiment/grade.h"

/* Appends the PTX of a reader's kernel, compiled by the worker that --gpu names, else on this machine, or by
 * its worker where there is no compiler. An exit status. */
int exercise_compile(struct cmd_ctx *ctx, const char *path, struct buf *ptx);

void exercise_text(const struct experiment_grade *grade, const char *path, struct buf *out);
void exercise_json(const struct experiment_grade *grade, const char *path, struct buf *out);
