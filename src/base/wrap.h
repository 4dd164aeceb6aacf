/* base/wrap.h: running text broken into lines of so many columns. */
#pragma once
#include <stddef.h>

enum wrap_break {
	WRAP_AT_BLANKS,
	WRAP_AFTER_SLASHES, /* a path: its blanks are characters like any other */
};

/* How many bytes of the UTF-8 text are its first line, which takes at most `cols` columns; `*next`, past the blanks or the
 * newline that end it, is where the line after it begins, `len` when there is none. A newline always ends a line. A word
 * too long for a line is cut, after one character at least, however narrow the line is. A hard space breaks nothing. */
size_t wrap_line(const char *text, size_t len, int cols, enum wrap_break at, size_t *next);
