/* tools/compile/renamed.h: what a tool in a private folder printed, with the reader's names for its files. Inside cmd/ only. */
#pragma once
#include <stddef.h>

#include "base/buf.h"

struct renamed {
	const char *ours, *readers; /* ours ends where theirs does */
};

/* Appends `text` with the reader's names; the first row that fits is taken. */
void renamed_put(const char *text, size_t len, const struct renamed *names, size_t n, struct buf *out);
