/* base/utf8.h: characters and how many columns they take. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decodes the character at `text` (`len` > 0 bytes) into `*ch` and returns how many bytes it took, at least 1. A byte that is
 * not part of valid UTF-8 is one of its own: U+DC00 + byte, which valid UTF-8 never has. */
size_t utf8_decode(const char *text, size_t len, uint32_t *ch);

/* The byte that such a character stands for; -1 for every other. */
int utf8_invalid_byte(uint32_t ch);

/* Encodes `ch` and returns its length, 1 to 4; `out` is not terminated. The inverse of utf8_decode; what is neither a character
 * nor such a byte becomes U+FFFD. (jansson, whose archive the worker is linked with, has a utf8_encode.) */
size_t utf8_put(uint32_t ch, char out[4]);

/* Appends the text with U+FFFD for each byte that is not part of valid UTF-8. */
struct buf;
void utf8_replace_invalid(const char *text, size_t len, struct buf *out);

/* Whether a character can be shown as itself: one that has a glyph, or combines with the one before, and that neither controls a
 * terminal nor is invisible. */
bool utf8_is_graphic(uint32_t ch);

/* Columns of a terminal: 0 for combining characters, 2 for wide ones, else 1; of one that is not graphic, the columns of what
 * escape_char (base/escape.h) shows instead. */
int utf8_width(uint32_t ch);

/* Columns of a whole NUL-terminated string. */
int utf8_columns(const char *text);
