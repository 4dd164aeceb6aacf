/* tools/compile/cc.h: the command line of simttutor cc, a compiler's. Inside cmd/ only. */
#pragma once
#include "tools/compile/build.h"

struct cc_line {
	struct build_request request;
	const char *output; /* NULL: by the usual name */
	bool compile_only, device_link, all_cuda;
};

/* Reads the words. False with an error. */
bool cc_read(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n, struct cc_line *out);

/* What an input is, by the end of its name; false: a compiler does not know it. */
bool cc_kind(const char *path, enum build_kind *kind);

/* The options as lines of the help. */
const char *cc_help(void);
