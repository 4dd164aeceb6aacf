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
	int used = 0;
	for (size_t i = 0, n; i < len; i += n) {
		uint32_t ch;
		n = utf8_decode(text + i, len - i, &ch);
		if (ch == '\n') {
			*next = i + 1;
			return i;
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
		used += utf8_width(ch);
		if (used > cols) {
			if (!fits) /* one word */
				fits = after = i ? i : n;
			*next = after;
			return fits;
		}
		if (ch == '/' && at == WRAP_AFTER_SLASHES)
			fits = after = i + n;
	}
	return *next = len;
}
