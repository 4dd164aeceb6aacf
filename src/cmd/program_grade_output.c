/* What a program printed, and what it was to print. */
#include "config.h"
#include "cmd/program_grade_parts.h"

#include <string.h>

#include "base/utf8.h"

#define QUOTED_MAX 120 /* bytes of a line */

static const char *quoted(const struct grading_program *g, const char *line)
{
	struct buf out = {0};
	size_t len = strlen(line);
	if (len > QUOTED_MAX)
		line = arena_printf(g->arena, "%.*s...", QUOTED_MAX, line);
	buf_puts(&out, "\"");
	escape_puts(line, &out);
	buf_puts(&out, "\"");
	const char *text = arena_strdup(g->arena, buf_str(&out));
	buf_free(&out);
	return text;
}

/* The next line from `*at` on that has more than blanks, and its number; NULL: there is none. */
static const char *next_line(const struct grading_program *g, const struct buf *output, size_t *at, int *number)
{
	while (*at < output->len) {
		const char *first = output->data + *at, *end = memchr(first, '\n', output->len - *at);
		size_t len = end ? (size_t)(end - first) : output->len - *at;

		/* A line with single blanks, and none at its ends. */
		struct buf out = {0};
		for (size_t i = 0; i < len; i++) {
			bool blank = first[i] == ' ' || first[i] == '\t' || first[i] == '\r';
			if (!blank && i && strchr(" \t\r", first[i - 1]) && out.len)
				buf_putc(&out, ' ');
			if (!blank)
				buf_putc(&out, first[i] ? first[i] : '?');
		}
		const char *line = arena_strndup(g->arena, buf_str(&out), out.len);
		buf_free(&out);

		*at += len + (end != NULL);
		++*number;
		if (*line)
			return line;
	}
	return NULL;
}

const char *program_grade_output(
	const struct grading_program *g, const struct exercise_run *run, const char *with, const struct buf *output)
{
	size_t at = 0;
	int number = 0;
	for (int i = 0; i < run->n_prints; i++) {
		const char *line = next_line(g, output, &at, &number);
		if (!line)
			return arena_printf(g->arena, "%sits output ends before %s", with, quoted(g, run->prints[i]));
		if (strcmp(line, run->prints[i]) != 0)
			return arena_printf(g->arena, "%sline %d of its output is %s, not %s", with, number,
				quoted(g, line), quoted(g, run->prints[i]));
	}
	const char *more = next_line(g, output, &at, &number);
	return more ? arena_printf(g->arena, "%sline %d of its output is %s, where there is to be none", with, number,
			      quoted(g, more))
		    : NULL;
}
