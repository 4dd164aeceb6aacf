/* tools/compile/cuda_source.h: CUDA source with the headers that it includes by name, as it is sent to a compiler that has none of our
 * files. */
#pragma once
#include "cmd/cmd.h"
#include "gpu/wire/wire.h"

struct cuda_file {
	const char *file;  /* absolute, links followed */
	const char *shown; /* as the reader would name it */
	const char *text;  /* NUL-terminated */
	size_t len;
	const char *sent; /* the text, with `file` in the #includes that were found */
};

/* files[0] is the source, the others are its headers and theirs. */
struct cuda_source {
	struct cuda_file files[WIRE_HEADERS_MAX + 1];
	int n;
};

/* Reads `path` and what it includes by relative names from below its own folder, or `folder`, which has simt.h. A file that is
 * somewhere else is an error, since anyone may have written the source; what is not found is left to the compiler. Strings belong
 * to the command's arena. NULL with an error. */
struct cuda_source *cuda_source_read(struct cmd_ctx *ctx, const char *path, const char *folder);

/* Adds the messages of NVRTC's log, each with its place; warnings too. False when none of them is an error. */
bool cuda_source_report(struct cmd_ctx *ctx, const struct cuda_source *source, const char *log);
