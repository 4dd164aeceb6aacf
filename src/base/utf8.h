/* base/utf8.h: characters, how many columns they take, how they are shown on an output (escape_), and lines of them
 * (wrap_). */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* Decodes the character at `text` (`len` > 0 bytes) into `*ch` and returns how many bytes it took, at least 1. A byte
 * that is not part of valid UTF-8 is one of its own: U+DC00 + byte, which valid UTF-8 never has. */
size_t utf8_decode(const char *text, size_t len, uint32_t *ch);

/* The byte that such a character stands for; -1 for every other. */
int utf8_invalid_byte(uint32_t ch);

/* Encodes `ch` and returns its length, 1 to 4; `out` is not terminated. The inverse of utf8_decode; what is neither a
 * character nor such a byte becomes U+FFFD. (jansson, whose archive the worker is linked with, has a utf8_encode.) */
size_t utf8_put(uint32_t ch, char out[4]);

/* Appends the text with U+FFFD for each byte that is not part of valid UTF-8. */
void utf8_replace_invalid(const char *text, size_t len, struct buf *out);

/* Whether a character can be shown as itself: one that has a glyph, or combines with the one before, and that neither
 * controls a terminal nor is invisible. */
bool utf8_is_graphic(uint32_t ch);

/* Columns of a terminal: 0 for combining characters, 2 for wide ones, else 1; of one that is not graphic, the columns
 * of what escape_char shows instead. */
int utf8_width(uint32_t ch);

/* Columns of a whole NUL-terminated string. */
int utf8_columns(const char *text);

/* --- what others wrote -----------------------------------------------------------------------------------------------
 *
 * The way of text that others wrote to an output. Names of files and kernels, what a kernel prints, messages of
 * compilers and workers, lines of source: none of it may move a cursor, set a title or turn the direction of writing.
 *
 * What can be seen is shown as it is. The rest (controls, bytes that are not UTF-8, formatting and bidirectional
 * characters, tags, variation selectors, what no font has) is shown as an escape in ASCII: \n, \t, \r, \x1b, \xff for a
 * byte that is no UTF-8, \u009b, \U000e0041. A backslash is itself, so that the text cannot be had back from it: JSON
 * is for that.
 *
 * utf8_width gives the columns of what is shown, so widths are right before and after. Escaping twice changes
 * nothing. */

#define ESCAPE_MAX 11 /* bytes and columns of one escape, with its NUL: \U0010ffff */

/* Writes how a character of utf8_decode is shown and returns the columns; 0, and nothing is written, when it is shown
 * as itself. */
int escape_char(uint32_t ch, char out[ESCAPE_MAX]);

enum escape_form {
	ESCAPE_LINE,  /* within a line: newlines and tabs are escaped */
	ESCAPE_BLOCK, /* newlines and tabs stay */
	/* a block with colors: the sequences of front/canvas/ansi.c, ESC [ digits and semicolons m, stay, too */
	ESCAPE_SGR,
};

/* Appends the text as it is shown; the bytes may be any. */
void escape_text(const char *text, size_t len, enum escape_form form, struct buf *out);

/* The same for a string within a line. */
void escape_puts(const char *text, struct buf *out);

/* Appends a whole line, with its newline; whatever the arguments hold, it is one. */
void escape_line(struct buf *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* --- JSON, which loses nothing ------------------------------------------------------------------------------------ */

/* Appends the bytes as valid UTF-8, for a string of JSON. A byte that is not part of valid UTF-8 becomes the character
 * U+10FF00 + byte. Those characters, U+10FF80 to U+10FFFF, become their four bytes that way where the text itself has
 * them, and so does a NUL: U+10FF00. Every sequence of bytes is another string. */
void escape_to_json(const char *bytes, size_t len, struct buf *out);

/* Appends a text of JSON with every character in it that escape_char escapes as \u009b or a pair of surrogates, which a
 * reader of JSON makes the same string of. */
void escape_json(const char *json, size_t len, struct buf *out);

/* --- lines -------------------------------------------------------------------------------------------------------- */

enum wrap_break {
	WRAP_AT_BLANKS,
	WRAP_AFTER_SLASHES, /* a path: its blanks are characters like any other */
};

/* How many bytes of the UTF-8 text are its first line, which takes at most `cols` columns; `*next`, past the blanks or
 * the newline that end it, is where the line after it begins, `len` when there is none. A newline always ends a line. A
 * word too long for a line is cut, after one character at least, however narrow the line is. A hard space breaks
 * nothing. */
size_t wrap_line(const char *text, size_t len, int cols, enum wrap_break at, size_t *next);
