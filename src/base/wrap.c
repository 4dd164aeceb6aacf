#include "base/wrap.h"

#include "base/utf8.h"

static size_t skip_blanks(const char *text, size_t len, size_t at)
{
	while (at < len && text[at] == ' ')
		at++;
	return at;
}

/* Where the part of a name begins that is at `i`: "MaxThreads" at the T, "max_threads" at the t; such a name is cut there. */
static bool begins_part(const char *text, size_t i)
{
	char before = text[i - 1], ch = text[i];
	bool small = (before >= 'a' && before <= 'z') || (before >= '0' && before <= '9');
	return (small && ch >= 'A' && ch <= 'Z') || (before == '_' && ch != '_');
}

size_t wrap_line(const char *text, size_t len, int cols, enum wrap_break at, size_t *next)
{
	size_t fits = 0,
	       after = 0, /* the longest line so far that ends at a place to break, and where the next begins */
		part = 0; /* where a word that is too long is cut best */
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
		if (used > cols / 2 && begins_part(text, i))
			part = i;
		if (used + utf8_width(ch) > cols) {
			if (!fits) { /* one word, or blanks before it */
				after = part ? part : i ? i : n;
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
