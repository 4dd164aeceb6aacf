#include "front/screen/flow.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static bool is_letter(char c)
{
	return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* "SM" is no "sm"; all others are in any case, as at the beginning of a sentence. */
static bool is_acronym(const char *term)
{
	for (; *term; term++)
		if (islower((unsigned char)*term))
			return false;
	return true;
}

/* The bytes that `term` takes at the beginning of the text, its plural included; 0: it is not there. */
static size_t term_at(const char *term, const char *text, size_t len)
{
	size_t n = strlen(term);
	if (n > len || (is_acronym(term) ? strncmp : strncasecmp)(text, term, n) != 0)
		return 0;
	if (n < len && text[n] == 's')
		n++;
	return n < len && (is_letter(text[n]) || text[n] == '-') ? 0 : n;
}

bool screen_term_next(const struct catalog *catalog, const char *text, size_t len, size_t at, struct screen_term *out)
{
	*out = (struct screen_term){0};
	for (; at < len && !out->to; at++) {
		if (!is_letter(text[at]) || (at > 0 && (is_letter(text[at - 1]) || text[at - 1] == '-')))
			continue;
		for (int i = 0; i < catalog->n_terms; i++) {
			size_t n = term_at(catalog->terms[i].term, text + at, len - at);
			if (n > out->to - out->from)
				*out = (struct screen_term){at, at + n, i};
		}
	}
	return out->to > 0;
}

void screen_term_say(const struct catalog *catalog, int64_t index, struct buf *out)
{
	if (index >= 0 && index < catalog->n_terms)
		buf_printf(out, "%s: %s", catalog->terms[index].term, catalog->terms[index].definition);
}
