#include "base/source.h"

#include <string.h>

#include "base/utf8.h"

static void find_lines(struct arena *arena, struct source *source)
{
	int n = 1;
	for (size_t i = 0; i < source->len; i++)
		n += source->text[i] == '\n';
	source->line_starts = arena_array(arena, size_t, (size_t)n);
	source->n_lines = 1;
	for (size_t i = 0; i < source->len; i++)
		if (source->text[i] == '\n')
			source->line_starts[source->n_lines++] = i + 1;
}

static bool control_allowed(const struct source *source, size_t offset, uint32_t ch)
{
	if (ch == '\r')
		return offset + 1 < source->len && source->text[offset + 1] == '\n';
	return ch == '\n' || ch == '\t';
}

bool source_open(struct arena *arena, struct source *source, struct diag *diag)
{
	find_lines(arena, source);
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
		if ((ch < 0x20 || (ch >= 0x7F && ch < 0xA0)) && !control_allowed(source, i, ch)) {
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
