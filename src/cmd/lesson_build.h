/* cmd/lesson_build.h: the PTX beside the kernels of a lesson that is being written. */
#pragma once
#include "cmd/cmd.h"

/* Compiles each kernel below these folders whose PTX is missing or made from other text; all of them with `force`. `root` is the
 * folder of the course: names in the PTX begin there. A line for each to standard output. An exit status. */
int cmd_lesson_build(struct cmd_ctx *ctx, const char *root, const char *const *folders, int n_folders, bool force);
