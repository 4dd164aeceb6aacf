/* base/diag.h: what is wrong, and where. Libraries add to a list and go on; the caller decides. And the text of a
 * source file, whose offsets become lines and columns (source_).
 *
 * Lines and columns count from 1, columns in bytes; 0 means "none". */
#pragma once
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/buf.h"

enum diag_severity { DIAG_NOTE, DIAG_WARNING, DIAG_ERROR };

/* A place. `file` must outlive the call only. `text` is the whole text of the file, for the line shown under the
 * message, or NULL. */
struct diag_pos {
	const char *file;
	int line, col;
	const char *text;
	size_t text_len;
};

struct diag_entry {
	enum diag_severity severity;
	char *file; /* NULL: no place */
	int line, col;
	char *message;
	char *source; /* the line of `text` it is about, or NULL */
};

/* At most DIAG_MAX entries are kept (a broken file can have millions of faults); the counts go on. */
#define DIAG_MAX 100

struct diag {
	struct diag_entry *entries;
	size_t count, cap;
	size_t errors; /* all errors reported, kept or not */
};

void diag_free(struct diag *diag);
void diag_error(struct diag *diag, struct diag_pos pos, const char *format, ...) __attribute__((format(printf, 3, 4)));
void diag_warn(struct diag *diag, struct diag_pos pos, const char *format, ...) __attribute__((format(printf, 3, 4)));
void diag_note(struct diag *diag, struct diag_pos pos, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Appends the entries of `from` to `to`, and leaves it empty. */
void diag_move(struct diag *from, struct diag *to);

/* The place of the byte `at` of a text of one line, shown as file `what`: an option, "EXPR". */
struct diag_pos diag_pos_in(const char *what, const char *text, const char *at);

void diag_verror(struct diag *diag, struct diag_pos pos, const char *format, va_list args)
	__attribute__((format(printf, 3, 0)));

/* Appends every entry as `simttutor: FILE:LINE:COL: message`, the source line and a caret where there is one, all of it
 * as base/utf8.h shows what others wrote: lines of a message after its first are indented. */
void diag_format(const struct diag *diag, struct buf *out);

/* --- source texts ------------------------------------------------------------------------------------------------- */

struct source {
	const char *file, *text; /* the caller's; must outlive it */
	size_t len;
	size_t *line_starts; /* offset of the first byte of each line */
	int n_lines;
};

/* Finds the lines of a source whose `file`, `text` and `len` are set. False, with an error at the place, when it is not
 * text: bytes that are not UTF-8, or control characters other than tabs and line ends. */
bool source_open(struct arena *arena, struct source *source, struct diag *diag);

/* The place of an offset from 0 to the length. */
struct diag_pos source_pos(const struct source *source, size_t offset);

/* The place of a line, from 0, and a column in characters, from 0. Beyond the text: its end. */
struct diag_pos source_pos_chars(const struct source *source, size_t line, size_t column);

/* Index from 0 of the line that holds the offset. */
int source_line(const struct source *source, size_t offset);

/* The line without its end ("\n" or "\r\n"); `*len` bytes. */
const char *source_line_text(const struct source *source, int line, size_t *len);
