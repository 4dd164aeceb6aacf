/* cmd/editor.h: simttutor debug --dap, over standard input and output. */
#pragma once
#include "cmd/cmd.h"
#include "front/dap/dap.h"

bool editor_is_asked(const struct cmd_parsed *args, int n);

/* Serves the client until it says what to debug, in place of arguments: the command line's, with what the client's
 * configuration adds. Called before we are confined, and, where we are not, later; the second call has the same. False:
 * it said nothing. */
bool editor_begin(struct cmd_ctx *ctx, const struct cmd_entry *entry, const struct cmd_parsed **args, int *n);

/* Tells the client what went wrong, all that is in ctx->diag. */
void editor_fail(struct cmd_ctx *ctx);

/* What the program printed before its launch. */
void editor_output(const char *text, size_t len);

/* Serves it until it goes. */
void editor_run(struct cmd_ctx *ctx, const struct dap_launched *launched);

/* The same where there is nothing to debug, or there was; frees all. False: something could not be written to the
 * client. */
bool editor_end(struct cmd_ctx *ctx);
