#include "course/experiment/private.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

#define MEASURED_MAX ((size_t)1 << 16) /* bytes of the file */

struct row {
	const char *name;
	double value;
};

struct experiment_measured {
	struct row *rows;
	int n;
};

static bool is_name(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)text[i]) && text[i] != '_')
			return false;
	return len && !isdigit((unsigned char)text[0]);
}

static bool read_row(struct arena *arena, const char *line, struct row *out)
{
	size_t len = strcspn(line, "\t");
	char *end;
	if (line[len] != '\t' || !is_name(line, len))
		return false;
	out->name = arena_strndup(arena, line, len);
	out->value = strtod(line + len + 1, &end);
	return end != line + len + 1 && (!*end || *end == '\t') && isfinite(out->value);
}

struct experiment_measured *experiment_measured_load(struct arena *arena, const char *path, struct diag *diag)
{
	struct buf text = {0};
	struct experiment_measured *out = NULL;
	if (!file_is_named(path) || !file_read_text(path, MEASURED_MAX, &text, diag)) {
		buf_free(&text);
		return NULL;
	}
	size_t lines = 1;
	for (const char *at = buf_str(&text); (at = strchr(at, '\n')); at++)
		lines++;
	out = arena_alloc(arena, sizeof *out);
	*out = (struct experiment_measured){.rows = arena_array(arena, struct row, lines)};

	int line = 0;
	double seen;
	for (char *at = (arena_strdup(arena, buf_str(&text))), *next; at && *at; at = next) {
		struct row row;
		next = strchr(at, '\n');
		if (next)
			*next++ = '\0';
		line++;
		if (!*at || *at == '#')
			continue;
		if (!read_row(arena, at, &row))
			diag_error(diag, (struct diag_pos){.file = path, .line = line},
				"expected a name, a tab and a number");
		else if (experiment_measured_find(out, row.name, &seen))
			diag_error(diag, (struct diag_pos){.file = path, .line = line}, "a second '%.60s'", row.name);
		else
			out->rows[out->n++] = row;
	}

	buf_free(&text);
	return out;
}

bool experiment_measured_find(const struct experiment_measured *measured, const char *name, double *out)
{
	for (int i = 0; i < measured->n; i++)
		if (strcmp(measured->rows[i].name, name) == 0) {
			*out = measured->rows[i].value;
			return true;
		}
	return false;
}
