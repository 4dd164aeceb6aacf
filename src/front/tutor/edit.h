/* front/tutor/edit.h: a text that is typed and changed in place: one line, or many. Pure: no terminal, no file.
 *
 * The text is UTF-8; what was in it stays as it is, and only what can be shown is typed into it. Places are bytes; the cursor
 * stands before a character, never between one and what combines with it. Columns are those of a terminal, from 0. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

#define TUTOR_EDIT_TAB 4 /* columns from one tab stop to the next */

struct tutor_edit_change;

/* All zero at first, but for the first two. */
struct tutor_edit {
	bool one_line; /* no line end can be typed */
	size_t most;   /* bytes that it may have */

	struct buf text;
	size_t at;        /* the cursor */
	int wanted;       /* one more than the column that the cursor goes back to in a longer line; 0: its own */
	unsigned changes; /* how often the text has changed */

	struct tutor_edit_change *done; /* the first `n_done` of `n_made` are; the others were taken back */
	int n_done, n_made, cap;
	bool joins; /* the next character belongs to the last change */
};

/* Puts this text in, the cursor at its end or, of many lines, at its beginning; there is nothing to take back. */
void tutor_edit_set(struct tutor_edit *edit, const char *text, size_t len);
void tutor_edit_free(struct tutor_edit *edit);

/* Types what can be shown of it, tabs and line ends. False when nothing of it was, or there is no more room. */
bool tutor_edit_type(struct tutor_edit *edit, const char *text, size_t len);
/* The character before the cursor goes; the one at it. */
void tutor_edit_rub_out(struct tutor_edit *edit);
void tutor_edit_delete(struct tutor_edit *edit);
/* Takes the last change back; makes the one that was taken back again. False: there is none. */
bool tutor_edit_undo(struct tutor_edit *edit);
bool tutor_edit_redo(struct tutor_edit *edit);

/* By one character; to the line's first or last place; by so many lines, in the same column as far as there is one. */
void tutor_edit_left(struct tutor_edit *edit);
void tutor_edit_right(struct tutor_edit *edit);
void tutor_edit_home(struct tutor_edit *edit);
void tutor_edit_end(struct tutor_edit *edit);
void tutor_edit_lines(struct tutor_edit *edit, int by);
/* To a line, from 0, and the character in it that has the column; to the nearest there is. */
void tutor_edit_go(struct tutor_edit *edit, int line, int column);

/* Where the cursor is; how many lines there are, at least 1. */
int tutor_edit_line(const struct tutor_edit *edit);
int tutor_edit_column(const struct tutor_edit *edit);
int tutor_edit_count(const struct tutor_edit *edit);

/* A line, from 0, without its end: `*len` bytes, which are not terminated. NULL: there is none. */
const char *tutor_edit_text_of(const struct tutor_edit *edit, int line, size_t *len);

/* Columns from `column` on that the first character of `text` takes; `*bytes`: how many it has, with what combines with it. */
int tutor_edit_width(const char *text, size_t len, int column, size_t *bytes);
