#include "base/wrap.h"

#include "base/utf8.h"

static size_t skip_blanks(const char *text, size_t len, size_t at)
{
	while (at < len && text[at] == ' ')
		at++;
	return at;
}

size_t wrap_line(const char *text, size_t len, int cols, enum wrap_break at, size_t *next)
{
	size_t fits = 0,
	       after = 0; /* the longest line so far that ends at a place to break, and where the next begins */
	int used = 0;     /* more than `cols` only where blanks end the line, or begin it */
	for (size_t i = 0, n; i < len; i += n) {
		uint32_t ch;
		n = utf8_decode(text + i, len - i, &ch);
		if (ch == '\n') {
			*next = i + 1;
			return used > cols ? fits : i;
		}
		if (ch == ' ' && at == WRAP_AT_BLANKS) {
			size_t end = skip_blanks(text, len, i);
			if (i > 0) {
				fits = i;
				after = end;
			}
			used += (int)(end - i);
			n = end - i;
			continue;
		}
		if (used + utf8_width(ch) > cols) {
			if (!fits) { /* one word, or blanks before it */
				after = i ? i : n;
				fits = used > cols ? 0 : after;
			}
			*next = after;
			return fits;
		}
		used += utf8_width(ch);
		if (ch == '/' && at == WRAP_AFTER_SLASHES)
			fits = after = i + n;
	}
	*next = len;
	return used > cols ? fits : len;
}
