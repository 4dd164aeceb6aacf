/* cmd/linear.h: the lessons line by line, for screen readers and terminals that cannot place the cursor. */
#pragma once
#include "cmd/cmd.h"
#include "front/tutor/tutor.h"

/* Reads commands and answers from standard input until its end or `quit`. Returns an exit status. */
int cmd_linear_run(struct cmd_ctx *ctx, struct tutor *tutor);

/* What the session shows, once: step, numbers, picture. An exit status. */
int cmd_linear_print(struct cmd_ctx *ctx, struct tutor *tutor);
