#include "tools/compile/compile.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

#define LOC "\t.loc\t"
#define FILE_LINE "\t.file\t"
#define INLINED "inlined_at "

/* A line, without its end; `text` is malloc'ed. NULL: it is left out. */
struct kept_line {
	char *text;
};

struct kept_lines {
	struct kept_line *lines;
	size_t n, cap;
};

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static void drop(struct kept_line *line)
{
	free(line->text);
	line->text = NULL;
}

/* The number of a .file or .loc directive; -1: it is none. */
static int file_of(const char *line, const char *directive)
{
	long file = line && begins(line, directive) ? strtol(line + strlen(directive), NULL, 10) : -1;
	return file >= 0 && file <= INT_MAX ? (int)file : -1;
}

/* What was inlined from another file gets the line in `main` that it is inlined at; false: it has none. */
static bool place_inlined(struct kept_line *line, int main)
{
	char mark[32], *names = strstr(line->text, ", function_name ");
	snprintf(mark, sizeof mark, INLINED "%d ", main);
	if (!names)
		return true;
	if (file_of(line->text, LOC) == main) {
		*names = '\0';
		return true;
	}
	char *at = strstr(line->text, mark);
	if (!at)
		return false;
	struct buf placed = {0};
	buf_printf(&placed, LOC "%d %s", main, at + strlen(mark));
	free(line->text);
	line->text = buf_steal(&placed);
	return true;
}

static bool has_lines(const struct kept_lines *lines, int file)
{
	for (size_t i = 0; i < lines->n; i++)
		if (file_of(lines->lines[i].text, LOC) == file)
			return true;
	return false;
}

void kernel_ptx_keep(const struct kernel_ptx *how, const char *text, size_t len, struct buf *out)
{
	struct kept_lines lines = {0};
	for (const char *at = text, *end = text + len; at < end;) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		size_t n = (size_t)((newline ? newline : end) - at);
		struct buf line = {0};
		buf_append(&line, at, n);
		*vec_push(lines.lines, lines.n, lines.cap) = (struct kept_line){buf_steal(&line)};
		at += n + 1;
	}

	int main = -1; /* the number of the file that has how->main for a name */
	for (size_t i = 0; i < lines.n && main < 0; i++) {
		int file = file_of(lines.lines[i].text, FILE_LINE);
		const char *quote = file < 0 ? NULL : strchr(lines.lines[i].text, '"');
		if (quote && begins(quote + 1, how->main) && quote[1 + strlen(how->main)] == '"')
			main = file;
	}

	/* The names of functions that were inlined, which need PTX 7.0. */
	bool inside = false;
	for (size_t i = 0; i < lines.n; i++) {
		const char *line = lines.lines[i].text;
		inside |= begins(line, "\t.section\t.debug_str");
		bool last = inside && begins(line, "\t}");
		if (inside)
			drop(&lines.lines[i]);
		inside = inside && !last;
	}

	if (main >= 0) {
		const char *before = NULL;
		for (size_t i = 0; i < lines.n; i++) {
			struct kept_line *line = &lines.lines[i];
			if (file_of(line->text, LOC) < 0)
				continue;
			bool inlined = strstr(line->text, INLINED) && file_of(line->text, LOC) != main;
			if (!place_inlined(line, main) || (inlined && before && strcmp(before, line->text) == 0))
				drop(line);
			else
				before = line->text;
		}
	}
	for (size_t i = 0; i < lines.n; i++) {
		const char *line = lines.lines[i].text;
		int file = file_of(line, FILE_LINE);
		if (!line || (file >= 0 && !has_lines(&lines, file)))
			continue;
		if (begins(line, ".version ")) {
			buf_printf(out, ".version %s", how->version);
		} else if (file >= 0) {
			/* Without the names of `roots` after a quotation mark. */
			const char *quote = strchr(line, '"');
			size_t skip = 0;
			for (int j = 0; quote && how->roots[j] && !skip; j++)
				skip = begins(quote + 1, how->roots[j]) ? strlen(how->roots[j]) : 0;
			if (quote)
				buf_append(out, line, (size_t)(quote + 1 - line));
			buf_puts(out, quote ? quote + 1 + skip : line);
		} else {
			buf_puts(out, line);
		}
		buf_putc(out, '\n');
	}
	for (size_t i = 0; i < lines.n; i++)
		free(lines.lines[i].text);
	free(lines.lines);
}
