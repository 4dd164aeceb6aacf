#include "tools/compile/renamed.h"

#include <stdbool.h>
#include <string.h>

/* Whether an identifier or a path goes on before `at`. */
static bool is_inside_name(const char *text, const char *at)
{
	return at > text && (at[-1] == '/' || at[-1] == '-' || at[-1] == '_');
}

void renamed_put(const char *text, size_t len, const struct renamed *names, size_t n, struct buf *out)
{
	const char *at = text, *end = text + len;
	while (at < end) {
		const struct renamed *found = NULL;
		for (size_t i = 0; i < n && !found; i++)
			if ((size_t)(end - at) >= strlen(names[i].ours) &&
				memcmp(at, names[i].ours, strlen(names[i].ours)) == 0 && !is_inside_name(text, at))
				found = &names[i];
		if (found)
			buf_puts(out, found->readers);
		else
			buf_putc(out, *at);
		at += found ? strlen(found->ours) : 1;
	}
}
