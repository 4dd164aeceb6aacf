/* tools/compile/build_parts.h: device code of several source files, linked (nvcc -rdc=true). Inside cmd/ only. */
#pragma once
#include "tools/compile/build.h"

/* By which objects with such code go. */
struct build_part_names {
	const char **of;
	int n, cap;
	bool linked; /* one of them has linked them already: it was made by -dlink */
};

/* Adds those of an object or an archive. False, with an error: it cannot be read. */
bool build_parts_find(struct cmd_ctx *ctx, const char *path, struct build_part_names *names);

/* C++ source text by which the program registers them. */
void build_parts_write(const struct build_part_names *names, struct buf *out);
