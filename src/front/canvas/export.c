#include "front/canvas/export.h"

#include <ctype.h>
#include <string.h>

#include "base/utf8.h"
#include "front/canvas/format.h"

static const struct {
	const char *name;
	canvas_export_fn *write;
} formats[CANVAS_FORMATS] = {
	[CANVAS_FORMAT_TEXT] = {"text", canvas_export_text},
	[CANVAS_FORMAT_ANSI] = {"ansi", canvas_export_ansi},
	[CANVAS_FORMAT_SVG] = {"svg", canvas_export_svg},
	[CANVAS_FORMAT_HTML] = {"html", canvas_export_html},
};

const char *canvas_format_name(enum canvas_format format)
{
	return (unsigned)format < CANVAS_FORMATS ? formats[format].name : NULL;
}

struct canvas *canvas_textured(const struct canvas *canvas, enum canvas_theme theme)
{
	if (!canvas_theme_row(theme)->colorless)
		return NULL;
	struct canvas *textured = canvas_new(canvas->rows, canvas->cols);
	for (int i = 0; i < canvas->rows * canvas->cols; i++)
		textured->cells[i] = canvas_cell_without_color(&canvas->cells[i]);
	return textured;
}

void canvas_export(const struct canvas *canvas, enum canvas_format format, const struct canvas_export_options *options,
	struct buf *out)
{
	static const struct canvas_export_options plain = {.colors = CANVAS_COLORS_NONE};
	if (!options)
		options = &plain;
	bool document = format == CANVAS_FORMAT_SVG || format == CANVAS_FORMAT_HTML;
	struct canvas *textured = document ? canvas_textured(canvas, options->theme) : NULL;
	if ((unsigned)format < CANVAS_FORMATS)
		formats[format].write(textured ? textured : canvas, options, out);
	canvas_free(textured);
}

static void put_utf8(uint32_t ch, struct buf *out)
{
	char bytes[4];
	buf_append(out, bytes, utf8_put(ch, bytes));
}

void canvas_export_cell(const struct cell *cell, enum canvas_charset charset, struct buf *out)
{
	if (charset == CANVAS_ASCII) {
		buf_putc(out, (char)canvas_ascii(cell->ch));
		return;
	}
	if (cell->ch == 0)
		return;
	put_utf8(cell->ch, out);
	if (cell->mark)
		put_utf8(cell->mark, out);
}

void canvas_export_escaped(const char *text, struct buf *out)
{
	static const char *const entities[128] = {['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;"};
	struct buf shown = {0};
	escape_text(text, strlen(text), ESCAPE_BLOCK, &shown);
	for (const unsigned char *c = (const unsigned char *)buf_str(&shown); *c; c++) {
		if (*c < 128 && entities[*c])
			buf_puts(out, entities[*c]);
		else
			buf_putc(out, (char)*c);
	}
	buf_free(&shown);
}

void canvas_export_cell_escaped(const struct cell *cell, enum canvas_charset charset, struct buf *out)
{
	struct buf one = {0};
	canvas_export_cell(cell, charset, &one);
	canvas_export_escaped(buf_str(&one), out);
	buf_free(&one);
}

bool canvas_cell_is_blank(const struct cell *cell)
{
	const struct role_look *look = &canvas_roles[cell->role];
	return cell->ch == ' ' && !cell->mark && cell->ground == ROLE_TEXT && !look->reverse;
}

int canvas_row_end(const struct canvas *canvas, int row)
{
	int end = canvas->cols;
	while (end > 0 && canvas_cell_is_blank(canvas_at(canvas, row, end - 1)))
		end--;
	return end;
}

bool canvas_uses_role(const struct canvas *canvas, enum role role)
{
	for (int i = 0; i < canvas->rows * canvas->cols; i++)
		if (canvas->cells[i].role == role || (role != ROLE_TEXT && canvas->cells[i].ground == role))
			return true;
	return false;
}

void canvas_role_class(enum role role, struct buf *out)
{
	for (const char *c = canvas_roles[role].name; *c; c++)
		buf_putc(out, (char)tolower((unsigned char)*c));
}

void canvas_export_text(const struct canvas *canvas, const struct canvas_export_options *options, struct buf *out)
{
	for (int row = 0; row < canvas->rows; row++) {
		int end = canvas->cols; /* blanks at the end are left out */
		for (; end > 0; end--) {
			struct cell cell = canvas_cell_without_color(canvas_at(canvas, row, end - 1));
			if (cell.ch != ' ' || cell.mark)
				break;
		}
		for (int col = 0; col < end; col++) {
			struct cell cell = canvas_cell_without_color(canvas_at(canvas, row, col));
			canvas_export_cell(&cell, options->charset, out);
		}
		buf_putc(out, '\n');
	}
}
