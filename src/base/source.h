/* base/source.h: the text of a source file, with places in it. Offsets and columns are in bytes. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/diag.h"

struct source {
	const char *file, *text; /* the caller's; must outlive it */
	size_t len;
	size_t *line_starts; /* offset of the first byte of each line */
	int n_lines;
};

/* Finds the lines of a source whose `file`, `text` and `len` are set. False, with an error at the place, when it is not text:
 * bytes that are not UTF-8, or control characters other than tabs and line ends. */
bool source_open(struct arena *arena, struct source *source, struct diag *diag);

/* The place of an offset from 0 to the length. */
struct diag_pos source_pos(const struct source *source, size_t offset);

/* The place of a line, from 0, and a column in characters, from 0. Beyond the text: its end. */
struct diag_pos source_pos_chars(const struct source *source, size_t line, size_t column);

/* Index from 0 of the line that holds the offset. */
int source_line(const struct source *source, size_t offset);

/* The line without its end ("\n" or "\r\n"); `*len` bytes. */
const char *source_line_text(const struct source *source, int line, size_t *len);
