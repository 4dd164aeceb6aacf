#include <string.h>

#include "canvas/format.h"

/* What a terminal is set to; colors -1: the default. */
struct pen {
	int fg, bg;
	bool bold, dim, underline, reverse;
};

static const struct pen plain = {.fg = -1, .bg = -1};

/* Dim carries meaning in monochrome only: on top of a gray it would make text too dark to read. Reverse gives way to a
 * background where there is one. */
static struct pen pen_of(enum role role, enum canvas_colors colors)
{
	const struct role_look *look = &canvas_roles[role];
	struct pen pen = {
		.fg = -1, .bg = -1, .bold = look->bold, .underline = look->underline, .reverse = look->reverse};
	switch (colors) {
	case CANVAS_COLORS_NONE: pen.dim = look->dim; break;
	case CANVAS_COLORS_16: pen.fg = look->reverse ? -1 : look->fg16; break;
	case CANVAS_COLORS_256:
		pen.fg = look->fg256;
		pen.bg = look->bg256;
		pen.reverse = look->reverse && look->bg256 < 0;
		break;
	}
	return pen;
}

static bool pen_same(const struct pen *a, const struct pen *b)
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

static void code_color(struct codes *codes, int color, enum ground ground)
{
	struct buf text = {0};
	if (color < 0)
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
static void change(struct buf *out, const struct pen *from, const struct pen *to)
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
		code_color(&codes, to->fg, FOREGROUND);
	if (to->bg != from->bg)
		code_color(&codes, to->bg, BACKGROUND);
	buf_printf(out, "\033[%sm", codes.text);
}

void canvas_export_ansi(const struct canvas *canvas, const struct canvas_export_options *options, struct buf *out)
{
	for (int row = 0; row < canvas->rows; row++) {
		struct pen now = plain;
		int end = canvas_row_end(canvas, row);
		for (int col = 0; col < end; col++) {
			const struct cell *cell = canvas_at(canvas, row, col);
			struct pen want = pen_of(cell->role, options->colors);
			/* A blank shows no ink, so the pen need not change for it. */
			bool keep = canvas_cell_is_blank(cell) && !want.underline && !now.underline && !now.reverse &&
				now.bg < 0;
			if (!keep) {
				change(out, &now, &want);
				now = want;
			}
			canvas_export_cell(cell, options->charset, out);
		}
		change(out, &now, &plain);
		buf_putc(out, '\n');
	}
}
