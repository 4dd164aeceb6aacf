/* base/utf8.h: characters and how many columns they take. Invalid bytes decode to U+FFFD, one byte each. */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* Decodes the character at `text` (`len` > 0 bytes) into `*ch` and returns how many bytes it took, at least 1. */
size_t utf8_decode(const char *text, size_t len, uint32_t *ch);

/* Encodes `ch` and returns its length, 1 to 4; `out` is not terminated. */
size_t utf8_encode(uint32_t ch, char out[4]);

/* Columns of a terminal: 0 for combining and control characters, 2 for wide ones, else 1. */
int utf8_width(uint32_t ch);

/* Columns of a whole NUL-terminated string. */
int utf8_columns(const char *text);
