#include "course/experiment/json_place.h"

#include <string.h>

static const char *skip_json_blanks(const char *p)
{
	return p + strspn(p, " \t\r\n");
}

/* Past the string that starts at `p`. */
static const char *skip_string(const char *p)
{
	for (p++; *p && *p != '"'; p++)
		if (*p == '\\' && p[1])
			p++;
	return *p ? p + 1 : p;
}

/* Past the value that starts at `p`. */
static const char *skip_value(const char *p)
{
	int depth = 0;
	do {
		if (*p == '"') {
			p = skip_string(p);
		} else if (*p == '{' || *p == '[') {
			depth++;
			p++;
		} else if (*p == '}' || *p == ']') {
			depth--;
			p++;
		} else if (depth) {
			p++;
		} else {
			p += strcspn(p, ",]} \t\r\n");
		}
	} while (*p && depth > 0);
	return p;
}

/* From the end of a value to the next one; NULL at the container's end. */
static const char *next_value(const char *p)
{
	p = skip_json_blanks(p);
	return *p == ',' ? skip_json_blanks(p + 1) : NULL;
}

const char *experiment_place_member(const char *at, const char *name)
{
	size_t len = strlen(name);
	at = skip_json_blanks(at);
	const char *p = *at == '{' ? skip_json_blanks(at + 1) : NULL;
	while (p && *p == '"') {
		const char *after = skip_string(p), *value = skip_json_blanks(after);
		value = *value == ':' ? skip_json_blanks(value + 1) : value;
		if ((size_t)(after - p) == len + 2 && !memcmp(p + 1, name, len))
			return value;
		p = next_value(skip_value(value));
	}
	return at;
}

const char *experiment_place_item(const char *at, size_t index)
{
	at = skip_json_blanks(at);
	const char *p = *at == '[' ? skip_json_blanks(at + 1) : NULL;
	for (size_t i = 0; p && *p && *p != ']'; i++) {
		if (i == index)
			return p;
		p = next_value(skip_value(p));
	}
	return at;
}

const char *experiment_place_next(const char *at)
{
	const char *p = next_value(skip_value(at));
	return p ? p : at;
}

struct diag_pos experiment_place_pos(const char *file, const char *text, size_t len, const char *at)
{
	struct diag_pos pos = {file, 1, 1, text, len};
	for (const char *p = text; p < at; p++) {
		pos.col = *p == '\n' ? 1 : pos.col + 1;
		pos.line += *p == '\n';
	}
	return pos;
}
