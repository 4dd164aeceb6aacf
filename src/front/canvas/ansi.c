#include <string.h>

#include "front/canvas/format.h"

static const struct canvas_pen plain = {.fg = -1, .bg = -1};

static bool pen_same(const struct canvas_pen *a, const struct canvas_pen *b)
{
	return a->fg == b->fg && a->bg == b->bg && a->bold == b->bold && a->dim == b->dim &&
		a->underline == b->underline && a->reverse == b->reverse;
}

struct codes {
	char text[80];
	size_t len;
};

static void code(struct codes *codes, const char *text)
{
	size_t len = strlen(text);
	if (codes->len + len + 2 > sizeof codes->text)
		return;
	if (codes->len > 0)
		codes->text[codes->len++] = ';';
	memcpy(codes->text + codes->len, text, len + 1);
	codes->len += len;
}

enum ground { FOREGROUND = 0, BACKGROUND = 10 }; /* what is added to the codes of colors */

static void code_color(struct codes *codes, int32_t color, enum ground ground, enum canvas_colors colors)
{
	struct buf text = {0};
	if (color >= 0 && colors == CANVAS_COLORS_RGB)
		buf_printf(&text, "%d;2;%d;%d;%d", 38 + (int)ground, color >> 16 & 255, color >> 8 & 255, color & 255);
	else if (color < 0)
		buf_printf(&text, "%d", 39 + (int)ground);
	else if (color < 8)
		buf_printf(&text, "%d", color + 30 + (int)ground);
	else if (color < 16)
		buf_printf(&text, "%d", color - 8 + 90 + (int)ground);
	else
		buf_printf(&text, "%d;5;%d", 38 + (int)ground, color);
	code(codes, buf_str(&text));
	buf_free(&text);
}

/* Writes only what differs. */
static void change(
	struct buf *out, const struct canvas_pen *from, const struct canvas_pen *to, enum canvas_colors colors)
{
	if (pen_same(from, to))
		return;
	if (pen_same(to, &plain)) {
		buf_puts(out, "\033[0m");
		return;
	}
	struct codes codes = {0};
	bool weight_off = (from->bold && !to->bold) || (from->dim && !to->dim);
	if (weight_off)
		code(&codes, "22");
	if (to->bold && (weight_off || !from->bold))
		code(&codes, "1");
	if (to->dim && (weight_off || !from->dim))
		code(&codes, "2");
	if (to->underline != from->underline)
		code(&codes, to->underline ? "4" : "24");
	if (to->reverse != from->reverse)
		code(&codes, to->reverse ? "7" : "27");
	if (to->fg != from->fg)
		code_color(&codes, to->fg, FOREGROUND, colors);
	if (to->bg != from->bg)
		code_color(&codes, to->bg, BACKGROUND, colors);
	buf_printf(out, "\033[%sm", codes.text);
}

void canvas_ansi_run(
	const struct canvas *canvas, struct rect run, const struct canvas_palette *palette, struct buf *out)
{
	struct canvas_pen now = plain;
	for (int col = run.col; col < run.col + run.cols; col++) {
		const struct cell *cell = canvas_at(canvas, run.row, col);
		struct canvas_pen want = canvas_pen(palette, cell);
		change(out, &now, &want, palette->colors);
		now = want;
		canvas_export_cell(cell, CANVAS_UTF8, out);
	}
	change(out, &now, &plain, palette->colors);
}

void canvas_export_ansi(const struct canvas *canvas, const struct canvas_export_options *options, struct buf *out)
{
	struct canvas_palette palette = canvas_palette(options->theme, options->colors);
	for (int row = 0; row < canvas->rows; row++) {
		struct canvas_pen now = plain;
		/* a theme with a background of its own paints all of it */
		int end = palette.paper >= 0 ? canvas->cols : canvas_row_end(canvas, row);
		for (int col = 0; col < end; col++) {
			struct cell cell = *canvas_at(canvas, row, col);
			if (palette.colors == CANVAS_COLORS_NONE)
				cell = canvas_cell_without_color(&cell);
			struct canvas_pen want = canvas_pen(&palette, &cell);
			/* A blank shows no ink, so the pen need not change for it. */
			bool keep = canvas_cell_is_blank(&cell) && !want.underline && !now.underline && !now.reverse &&
				now.bg == want.bg;
			if (!keep) {
				change(out, &now, &want, palette.colors);
				now = want;
			}
			canvas_export_cell(&cell, options->charset, out);
		}
		change(out, &now, &plain, palette.colors);
		buf_putc(out, '\n');
	}
}
