#include "front/canvas/export.h"

#include <string.h>

#include "base/utf8.h"
#include "front/canvas/format.h"

static void put_event(double seconds, char kind, const struct buf *data, struct buf *out)
{
	buf_printf(out, "[%.3f, \"%c\", ", seconds, kind);

	buf_putc(out, '"');
	for (size_t i = 0; i < data->len; i++) {
		unsigned char c = (unsigned char)data->data[i];
		if (c < ' ' || c == '"' || c == '\\' || c == 127)
			buf_printf(out, "\\u%04x", c);
		else
			buf_putc(out, (char)c);
	}
	buf_putc(out, '"');

	buf_puts(out, "]\n");
}

static bool same_cell(const struct cell *a, const struct cell *b)
{
	return a->ch == b->ch && a->mark == b->mark && a->role == b->role && a->ground == b->ground;
}

void canvas_cast_frame(
	struct canvas_cast *cast, const struct canvas *canvas, enum canvas_theme theme, double seconds, struct buf *out)
{
	struct canvas_palette palette = canvas_palette(theme, CANVAS_COLORS_RGB);
	struct buf data = {0};
	bool resized = cast->last && (cast->last->rows != canvas->rows || cast->last->cols != canvas->cols);
	if (!cast->began) {
		buf_printf(out,
			"{\"version\": 2, \"width\": %d, \"height\": %d, \"env\": {\"TERM\": \"xterm-256color\"}}\n",
			canvas->cols, canvas->rows);
	} else if (resized) {
		buf_printf(&data, "%dx%d", canvas->cols, canvas->rows);
		put_event(seconds, 'r', &data, out);
		buf_clear(&data);
	}
	if (resized || theme != cast->theme)
		canvas_cast_end(cast);
	if (!cast->last)
		buf_puts(&data, "\033[?25l\033[0m\033[2J");
	size_t before = data.len;
	for (int row = 0; row < canvas->rows; row++) {
		/* From the first cell that differs to the last, whole characters. */
		int from = 0, to = canvas->cols;
		while (cast->last && from < to &&
			same_cell(canvas_at(canvas, row, from), canvas_at(cast->last, row, from)))
			from++;
		while (cast->last && to > from &&
			same_cell(canvas_at(canvas, row, to - 1), canvas_at(cast->last, row, to - 1)))
			to--;
		while (from > 0 && from < to && canvas_at(canvas, row, from)->ch == 0)
			from--;
		if (from == to)
			continue;
		buf_printf(&data, "\033[%d;%dH", row + 1, from + 1);
		canvas_ansi_run(canvas, (struct rect){row, from, 1, to - from}, &palette, &data);
	}
	if (data.len > before || !cast->last)
		put_event(seconds, 'o', &data, out);
	if (!cast->last)
		cast->last = canvas_new(canvas->rows, canvas->cols);
	memcpy(cast->last->cells, canvas->cells, (size_t)(canvas->rows * canvas->cols) * sizeof *canvas->cells);
	cast->began = true;
	cast->theme = theme;
	buf_free(&data);
}

void canvas_cast_mark(const char *label, double seconds, struct buf *out)
{
	struct buf shown = {0};
	escape_puts(label, &shown);
	put_event(seconds, 'm', &shown, out);
	buf_free(&shown);
}

void canvas_cast_end(struct canvas_cast *cast)
{
	canvas_free(cast->last);
	cast->last = NULL;
}
