#include "base/diag.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "base/utf8.h"

#define SOURCE_MAX 200

static void free_entry(struct diag_entry *entry)
{
	free(entry->file);
	free(entry->message);
	free(entry->source);
}

void diag_free(struct diag *diag)
{
	for (size_t i = 0; i < diag->count; i++)
		free_entry(&diag->entries[i]);
	free(diag->entries);
	*diag = (struct diag){0};
}

/* The line of pos.text that pos.line names, or its beginning, as far as whole characters; NULL when there is none. */
static char *quoted_line(struct diag_pos pos)
{
	if (!pos.text || pos.line < 1)
		return NULL;
	const char *p = pos.text, *end = pos.text + pos.text_len;
	for (int line = 1; line < pos.line; line++) {
		p = memchr(p, '\n', (size_t)(end - p));
		if (!p)
			return NULL;
		p++;
	}
	const char *stop = memchr(p, '\n', (size_t)(end - p));
	size_t len = (size_t)((stop ? stop : end) - p);
	if (len && p[len - 1] == '\r')
		len--;
	if (len > SOURCE_MAX)
		for (len = SOURCE_MAX; len > SOURCE_MAX - 3 && (p[len] & 0xC0) == 0x80;)
			len--;
	char *copy = base_malloc(len + 1);
	for (size_t i = 0; i < len; i++)
		copy[i] = p[i] ? p[i] : ' ';
	copy[len] = '\0';
	return copy;
}

/* A place read again, as each step of a lesson reads its front matter, has no more to say. */
static bool is_repeated(const struct diag *diag, struct diag_pos pos, const char *message)
{
	for (size_t i = 0; pos.file && pos.line > 0 && i < diag->count; i++) {
		const struct diag_entry *e = &diag->entries[i];
		if (e->line == pos.line && e->col == pos.col && e->file && strcmp(e->file, pos.file) == 0 &&
			strcmp(e->message, message) == 0)
			return true;
	}
	return false;
}

__attribute__((format(printf, 4, 0))) static void add_entry(
	struct diag *diag, enum diag_severity severity, struct diag_pos pos, const char *format, va_list args)
{
	if (severity == DIAG_ERROR)
		diag->errors++;
	if (diag->count == DIAG_MAX)
		return;
	struct buf message = {0};
	buf_vprintf(&message, text_translate(format), args);
	if (is_repeated(diag, pos, buf_str(&message))) {
		buf_free(&message);
		return;
	}
	*vec_push(diag->entries, diag->count, diag->cap) = (struct diag_entry){
		.severity = severity,
		.file = pos.file ? base_strdup(pos.file) : NULL,
		.line = pos.line,
		.col = pos.col,
		.message = buf_steal(&message),
		.source = quoted_line(pos),
	};
}

struct diag_pos diag_pos_in(const char *what, const char *text, const char *at)
{
	return (struct diag_pos){
		.file = what, .line = 1, .col = (int)(at - text) + 1, .text = text, .text_len = strlen(text)};
}

void diag_verror(struct diag *diag, struct diag_pos pos, const char *format, va_list args)
{
	add_entry(diag, DIAG_ERROR, pos, format, args);
}

void diag_error(struct diag *diag, struct diag_pos pos, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	add_entry(diag, DIAG_ERROR, pos, format, args);
	va_end(args);
}

void diag_warn(struct diag *diag, struct diag_pos pos, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	add_entry(diag, DIAG_WARNING, pos, format, args);
	va_end(args);
}

void diag_note(struct diag *diag, struct diag_pos pos, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	add_entry(diag, DIAG_NOTE, pos, format, args);
	va_end(args);
}

void diag_move(struct diag *from, struct diag *to)
{
	for (size_t i = 0; i < from->count; i++) {
		struct diag_entry *entry = &from->entries[i];
		struct diag_pos pos = {.file = entry->file, .line = entry->line, .col = entry->col};
		if (to->count < DIAG_MAX && !is_repeated(to, pos, entry->message))
			*vec_push(to->entries, to->count, to->cap) = *entry;
		else
			free_entry(entry);
	}
	to->errors += from->errors;
	free(from->entries);
	*from = (struct diag){0};
}

static void format_entry(const struct diag_entry *e, struct buf *out)
{
	static const char *const word[] = {[DIAG_NOTE] = "note: ", [DIAG_WARNING] = "warning: ", [DIAG_ERROR] = ""};

	buf_puts(out, "simttutor: ");
	if (e->file)
		escape_puts(e->file, out);
	if (e->file && e->line > 0)
		buf_printf(out, ":%d", e->line);
	if (e->file && e->line > 0 && e->col > 0)
		buf_printf(out, ":%d", e->col);
	if (e->file)
		buf_puts(out, ": ");
	buf_puts(out, word[e->severity]);

	/* Lines after the first are indented, so that none of them looks like another entry. */
	for (const char *line = e->message;; line++) {
		size_t len = strcspn(line, "\n"), indent = strspn(line, " ");
		if (line != e->message && indent < 4)
			buf_pad(out, ' ', 4 - (int)indent);
		escape_text(line, len, ESCAPE_LINE, out);
		buf_putc(out, '\n');
		line += len;
		if (!line[0] || !line[1])
			break;
	}

	if (e->source) {
		/* The line with a caret under its column; tabs stay, above and below. */
		size_t len = strlen(e->source), before = e->col > 0 ? (size_t)e->col - 1 : len + 1;
		buf_puts(out, "    ");
		escape_text(e->source, len, ESCAPE_BLOCK, out);
		buf_putc(out, '\n');
		if (before > len)
			return;
		buf_puts(out, "    ");
		for (size_t i = 0; i < before;) {
			uint32_t ch;
			i += utf8_decode(e->source + i, len - i, &ch);
			if (ch == '\t')
				buf_putc(out, '\t');
			else
				buf_pad(out, ' ', utf8_width(ch));
		}
		buf_puts(out, "^\n");
	}
}

void diag_format(const struct diag *diag, struct buf *out)
{
	for (size_t i = 0; i < diag->count; i++)
		format_entry(&diag->entries[i], out);
	if (diag->count == DIAG_MAX)
		buf_printf(
			out, "simttutor: (only the first %d messages are shown; %zu errors)\n", DIAG_MAX, diag->errors);
}

/* --- source texts ------------------------------------------------------------------------------------------------- */

bool source_open(struct arena *arena, struct source *source, struct diag *diag)
{
	int n = 1;
	for (size_t i = 0; i < source->len; i++)
		n += source->text[i] == '\n';
	source->line_starts = arena_array(arena, size_t, (size_t)n);
	source->n_lines = 1;
	for (size_t i = 0; i < source->len; i++)
		if (source->text[i] == '\n')
			source->line_starts[source->n_lines++] = i + 1;

	for (size_t i = 0, used; i < source->len; i += used) {
		uint32_t ch = (unsigned char)source->text[i];
		if (ch >= 0x20 && ch < 0x7F) { /* nearly all */
			used = 1;
			continue;
		}
		used = utf8_decode(source->text + i, source->len - i, &ch);
		if (utf8_invalid_byte(ch) >= 0) {
			diag_error(diag, source_pos(source, i), "not UTF-8 text (byte 0x%02X)",
				(unsigned char)source->text[i]);
			return false;
		}
		bool line_end = ch == '\n' || (ch == '\r' && i + 1 < source->len && source->text[i + 1] == '\n');
		if ((ch < 0x20 || (ch >= 0x7F && ch < 0xA0)) && !line_end && ch != '\t') {
			diag_error(diag, source_pos(source, i), "control character U+%04X", (unsigned)ch);
			return false;
		}
	}
	return true;
}

int source_line(const struct source *source, size_t offset)
{
	int low = 0, high = source->n_lines - 1;
	while (low < high) {
		int middle = (low + high + 1) / 2;
		if (source->line_starts[middle] <= offset)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

struct diag_pos source_pos(const struct source *source, size_t offset)
{
	int line = source_line(source, offset);
	return (struct diag_pos){.file = source->file,
		.line = line + 1,
		.col = (int)(offset - source->line_starts[line]) + 1,
		.text = source->text,
		.text_len = source->len};
}

struct diag_pos source_pos_chars(const struct source *source, size_t line, size_t column)
{
	if (line >= (size_t)source->n_lines)
		return source_pos(source, source->len);
	size_t at = source->line_starts[line];
	while (column-- > 0 && at < source->len && source->text[at] != '\n') {
		uint32_t ch;
		at += utf8_decode(source->text + at, source->len - at, &ch);
	}
	return source_pos(source, at);
}

const char *source_line_text(const struct source *source, int line, size_t *len)
{
	const char *start = source->text + source->line_starts[line];
	const char *end = memchr(start, '\n', (size_t)(source->text + source->len - start));
	if (!end)
		end = source->text + source->len;
	if (end > start && end[-1] == '\r')
		end--;
	*len = (size_t)(end - start);
	return start;
}
