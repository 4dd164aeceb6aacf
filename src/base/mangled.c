#include "base/mangled.h"

#include <string.h>

/* A number and as many characters, at the beginning of `text`. */
static const char *counted(const char *text, size_t len, size_t *source_len)
{
	size_t n = 0, at = 0;
	while (at < len && at < 6 && text[at] >= '0' && text[at] <= '9')
		n = 10 * n + (size_t)(text[at++] - '0');
	*source_len = n;
	return n && n <= len - at ? text + at : NULL;
}

const char *mangled_source(const char *name, size_t len, size_t *source_len)
{
	if (len > 2 && memcmp(name, "_Z", 2) == 0 && name[2] != 'Z')
		return counted(name + 2, len - 2, source_len);
	for (size_t i = len; i-- > 3 && memcmp(name, "_ZZ", 3) == 0;) {
		const char *found = name[i] == 'E' ? counted(name + i + 1, len - i - 1, source_len) : NULL;
		if (found && found + *source_len == name + len)
			return found;
	}
	return NULL;
}
