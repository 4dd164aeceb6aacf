/* cmd/linear.h: the lessons line by line, for screen readers and terminals that cannot place the cursor. */
#pragma once
#include "cmd/cmd.h"
#include "front/tutor/tutor.h"

/* Reads commands and answers from standard input until its end or `quit`. Returns an exit status. */
int cmd_linear_run(struct cmd_ctx *ctx, struct tutor *tutor);

/* What the session shows, once: step, numbers, picture. An exit status. */
int cmd_linear_print(struct cmd_ctx *ctx, struct tutor *tutor);

/* --- what linear*.c share. Inside linear*.c only. --- */

#define LINEAR_LOOK_NS 50000000 /* between two looks at a compiler's work */
#define LINEAR_LOOKS 1200       /* a minute */

struct linear {
	struct cmd_ctx *ctx;
	struct tutor *tutor, *below; /* below: the lessons, while a playground is open over them; else NULL */
	struct buf out;              /* printed before the next line is read */
	bool quit;
};
