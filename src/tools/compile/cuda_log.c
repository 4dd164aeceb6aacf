#include "config.h"
#include "tools/compile/cuda_source.h"

#include <stdlib.h>
#include <string.h>

/* A message of NVRTC, whose front end is that of nvcc:
 *     FILE(LINE): error: what is wrong
 *                 more of it
 *       the line of source, two spaces in
 *         ^
 *               detected during ...
 * and an empty line. */
struct nvrtc_message {
	const char *file;
	int line, col;
	enum diag_severity severity;
	struct buf text;
};

static const struct {
	const char *word;
	enum diag_severity severity;
} severities[] = {
	{"error", DIAG_ERROR},
	{"catastrophic error", DIAG_ERROR},
	{"internal error", DIAG_ERROR},
	{"warning", DIAG_WARNING},
	{"remark", DIAG_NOTE},
};

#define LINE_DIGITS 9
#define NUMBER_MAX 40 /* characters of " #177-D" at most */

/* ": warning #177-D: text": the text, NULL when it is not a message. */
static const char *read_severity(const char *at, enum diag_severity *out)
{
	if (strncmp(at, ": ", 2) != 0)
		return NULL;
	at += 2;
	for (size_t i = 0; i < sizeof severities / sizeof *severities; i++) {
		size_t n = strlen(severities[i].word);
		if (strncmp(at, severities[i].word, n) != 0 || !strchr(": ", at[n]))
			continue;
		const char *text = memmem(at + n, strnlen(at + n, NUMBER_MAX), ": ", 2);
		*out = severities[i].severity;
		return text ? text + 2 : NULL;
	}
	return NULL;
}

/* "(12)": what follows it, NULL when it is something else. A log can have millions of parentheses: no more is looked at than this. */
static const char *read_line_number(const char *at, int *out)
{
	size_t digits = strspn(++at, "0123456789");
	if (!digits || digits > LINE_DIGITS || at[digits] != ')')
		return NULL;
	*out = (int)strtol(at, NULL, 10);
	return at + digits + 1;
}

static bool read_message_head(struct arena *arena, const char *line, struct nvrtc_message *out)
{
	for (const char *at = strchr(line, '('); at; at = strchr(at + 1, '(')) {
		int number;
		const char *end = read_line_number(at, &number),
			   *text = end ? read_severity(end, &out->severity) : NULL;
		if (!text)
			continue;
		out->file = arena_strndup(arena, line, (size_t)(at - line));
		out->line = number;
		buf_printf(&out->text, "%s", text);
		return true;
	}
	return false;
}

/* The column of the caret, in bytes; the caret and the line above it are indented by two spaces, and tabs are kept. 0: no
 * caret. */
static int caret_column(const char *caret)
{
	size_t n = strspn(caret, " \t");
	return n >= 2 && caret[n] == '^' && !caret[n + 1] ? (int)n - 1 : 0;
}

static void report_message(struct cmd_ctx *ctx, const struct cuda_source *source, const struct nvrtc_message *m)
{
	struct diag_pos pos = {m->file, m->line, m->col, NULL, 0};
	for (int i = 0; i < source->n; i++)
		if (!strcmp(source->files[i].file, m->file))
			pos = (struct diag_pos){
				source->files[i].shown, m->line, m->col, source->files[i].text, source->files[i].len};
	(m->severity == DIAG_ERROR                    ? diag_error
			: m->severity == DIAG_WARNING ? diag_warn
						      : diag_note)(&ctx->diag, pos, "%s", buf_str(&m->text));
}

/* The lines that follow its head, up to an empty one: `lines` ends in NULL. Returns how many there are. */
static int read_message_body(char **lines, struct nvrtc_message *m)
{
	int n = 0;
	for (; lines[n] && lines[n][0] && !m->col; n++) {
		m->col = lines[n + 1] ? caret_column(lines[n + 1]) : 0;
		if (m->col) {
			n++;
			continue;
		}
		buf_printf(&m->text, " %s", lines[n] + strspn(lines[n], " \t"));
	}
	for (; lines[n] && strncmp(lines[n], "          ", 10) == 0; n++)
		buf_printf(&m->text, "; %s", lines[n] + strspn(lines[n], " \t"));
	return n;
}

static char **split_lines(struct arena *arena, const char *log)
{
	size_t n = 1;
	for (const char *c = log; *c; c++)
		n += *c == '\n';
	char **lines = arena_array(arena, char *, n + 1);
	for (size_t i = 0; i < n; i++) {
		size_t len = strcspn(log, "\n");
		lines[i] = arena_strndup(arena, log, len);
		log += len + (log[len] == '\n');
	}
	return lines;
}

bool cuda_source_report(struct cmd_ctx *ctx, const struct cuda_source *source, const char *log)
{
	size_t before = ctx->diag.errors;
	for (char **lines = split_lines(ctx->arena, log); *lines;) {
		struct nvrtc_message m = {0};
		if (read_message_head(ctx->arena, *lines++, &m)) {
			lines += read_message_body(lines, &m);
			report_message(ctx, source, &m);
		}
		buf_free(&m.text);
	}
	return ctx->diag.errors > before;
}
