/* Fuzz target of the way that any text takes to an output: escaped, as JSON, wrapped, drawn, in each format of a
 * picture. What comes out is UTF-8 that can be seen; no control character but a newline, or a tab in a block, is in
 * it. */
#include "config.h"

#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "base/diag.h"
#include "base/utf8.h"
#include "front/canvas/export.h"

#define ROWS 3
#define COLS 40

/* Only what can be seen, and the characters of `also`. */
static void check_visible(const struct buf *out, const char *also)
{
	for (size_t at = 0; at < out->len;) {
		uint32_t ch;
		at += utf8_decode(out->data + at, out->len - at, &ch);
		if (!utf8_is_graphic(ch) && (!ch || ch > 0x7F || !strchr(also, (char)ch)))
			abort();
	}
}

static void check_escaped(const char *text, size_t len)
{
	static const char *const also[] = {[ESCAPE_LINE] = "", [ESCAPE_BLOCK] = "\n\t", [ESCAPE_SGR] = "\n\t\x1b"};
	struct buf once = {0}, twice = {0};
	for (int form = ESCAPE_LINE; form <= ESCAPE_SGR; form++) {
		buf_clear(&once);
		buf_clear(&twice);
		escape_text(text, len, (enum escape_form)form, &once);
		escape_text(buf_str(&once), once.len, (enum escape_form)form, &twice);
		check_visible(&once, also[form]);
		if (once.len != twice.len || memcmp(buf_str(&once), buf_str(&twice), once.len) != 0)
			abort();
	}
	buf_free(&once);
	buf_free(&twice);
}

/* The width of a text is that of what is shown of it. */
static void check_width(const char *text)
{
	struct buf shown = {0};
	escape_puts(text, &shown);
	if (utf8_columns(text) != utf8_columns(buf_str(&shown)))
		abort();
	buf_free(&shown);
}

/* Characters and back. */
static void check_utf8(const char *text, size_t len)
{
	struct buf valid = {0};
	for (size_t at = 0; at < len;) {
		char again[4];
		uint32_t ch;
		size_t n = utf8_decode(text + at, len - at, &ch);
		if (!n || n > len - at || utf8_put(ch, again) != n || memcmp(again, text + at, n) != 0)
			abort();
		at += n;
	}
	utf8_replace_invalid(text, len, &valid);
	for (size_t at = 0; at < valid.len;) {
		uint32_t ch;
		at += utf8_decode(valid.data + at, valid.len - at, &ch);
		if (utf8_invalid_byte(ch) >= 0)
			abort();
	}
	buf_free(&valid);
}

/* JSON holds any bytes, and what escape_json has made of it is the same value. */
static void check_json(const char *text, size_t len)
{
	struct buf string = {0}, escaped = {0};
	escape_to_json(text, len, &string);
	json_t *value = json_stringn(buf_str(&string), string.len);
	char *json = value ? json_dumps(value, JSON_ENCODE_ANY) : NULL;
	if (!json)
		abort();
	escape_json(json, strlen(json), &escaped);
	json_t *again = json_loadb(buf_str(&escaped), escaped.len, JSON_DECODE_ANY, NULL);
	if (!again || !json_equal(value, again))
		abort();
	check_visible(&escaped, "");
	json_decref(value);
	json_decref(again);
	free(json);
	buf_free(&string);
	buf_free(&escaped);
}

/* Lines take no more columns than there are, but for one character that is wider; nothing is lost but blanks and
 * newlines. */
static void check_wrapped(const char *text, size_t len, int cols, enum wrap_break at)
{
	for (size_t from = 0, next; from < len; from = next) {
		uint32_t ch;
		size_t n = wrap_line(text + from, len - from, cols, at, &next);
		size_t first = utf8_decode(text + from, len - from, &ch);
		if (n > len - from || next < n || next > len - from || next == 0)
			abort();
		char *line = strndup(text + from, n);
		if (strlen(line) == n && n > first && utf8_columns(line) > cols && utf8_width(ch) <= cols)
			abort();
		free(line);
		for (size_t i = n; i < next; i++)
			if (text[from + i] != ' ' && text[from + i] != '\n')
				abort();
		next += from;
	}
}

static void check_drawn(const char *text)
{
	static const char *const also[] = {[CANVAS_FORMAT_TEXT] = "\n",
		[CANVAS_FORMAT_ANSI] = "\n\x1b",
		[CANVAS_FORMAT_SVG] = "\n\t",
		[CANVAS_FORMAT_HTML] = "\n\t"};
	struct canvas *canvas = canvas_new(ROWS, COLS);
	canvas_text(canvas, 0, -1, ROLE_TEXT, text);
	canvas_text_fit(canvas, (struct rect){1, 3, 1, 20}, ROLE_TITLE, text);
	canvas_box(canvas, (struct rect){2, 0, 1, COLS}, ROLE_DIM, text);
	for (int format = 0; format < CANVAS_FORMATS; format++) {
		struct canvas_export_options options = {
			.colors = CANVAS_COLORS_256, .charset = format % 2 ? CANVAS_ASCII : CANVAS_UTF8, .title = text};
		struct buf out = {0};
		canvas_export(canvas, (enum canvas_format)format, &options, &out);
		check_visible(&out, also[format]);
		buf_free(&out);
	}
	canvas_free(canvas);
}

/* Every offset of a source has a place, and its line is that of the place. */
static void check_source(struct arena *arena, const char *text, size_t len)
{
	struct source source = {.file = "fuzz", .text = text, .len = len};
	struct diag diag = {0};
	struct buf shown = {0};
	if (source_open(arena, &source, &diag) != (diag.errors == 0))
		abort();
	for (size_t at = 0; !diag.errors && at <= len; at++) {
		struct diag_pos pos = source_pos(&source, at);
		size_t length;
		if (pos.line < 1 || pos.line > source.n_lines || pos.line != source_line(&source, at) + 1 ||
			pos.col < 1)
			abort();
		source_line_text(&source, pos.line - 1, &length);
	}
	diag_format(&diag, &shown);
	check_visible(&shown, "\n\t");
	buf_free(&shown);
	diag_free(&diag);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *bytes = (const char *)data, *found;
	struct arena *arena = arena_new();
	const char *text = arena_strndup(arena, bytes, size);
	size_t found_len;

	check_escaped(bytes, size);
	check_utf8(bytes, size);
	check_json(bytes, size);
	check_width(text);
	check_drawn(text);
	check_source(arena, bytes, size);
	for (int cols = 1; cols <= 12; cols += 3) {
		check_wrapped(bytes, size, cols, WRAP_AT_BLANKS);
		check_wrapped(bytes, size, cols, WRAP_AFTER_SLASHES);
	}
	found = mangled_source(bytes, size, &found_len);
	if (found && (!found_len || found < bytes || found + found_len > bytes + size))
		abort();
	arena_free(arena);
	return 0;
}

#include "replay.h"
