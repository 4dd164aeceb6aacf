/* cmd/output.h: files that the user names to be written. Inside cmd/ only. */
#pragma once
#include "cmd/cmd.h"

struct output {
	const char *option; /* that named it, for messages: "--output" */
	const char *path;
	const char *mark; /* how all files begin that this command writes */
	bool force;       /* whatever is there is overwritten */
};

/* Whether writing there destroys nothing: nothing is there, an empty file, one of the command's own, or what keeps nothing, as a
 * FIFO. False with an error that names --force. Before the work is begun whose result is to be written; it also removes what
 * interrupted writes left in the folder. */
bool output_check(struct cmd_ctx *ctx, const struct output *output);

/* Checks again, and writes. */
bool output_write(struct cmd_ctx *ctx, const struct output *output, const struct buf *text);
