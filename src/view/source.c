#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "view/draw.h"

enum { COLUMN_REQUESTS, COLUMN_WAVEFRONTS, COLUMN_SECTORS, COLUMN_LANES, COLUMNS };

static void requests_text(const struct view_source_line *line, struct buf *out)
{
	if (line->requests > 0)
		buf_printf(out, "%llu", (unsigned long long)line->requests);
}

static void value_text(const struct value *value, struct buf *out)
{
	if (value->state == VALUE_OK)
		value_format(value->v, out);
}

static void wavefronts_text(const struct view_source_line *line, struct buf *out)
{
	value_text(&line->wavefronts, out);
}

static void sectors_text(const struct view_source_line *line, struct buf *out)
{
	value_text(&line->sectors, out);
}

static void lanes_text(const struct view_source_line *line, struct buf *out)
{
	value_text(&line->active_lanes, out);
}

/* What stands right of the text, and the columns of the whole view from which it does. */
static const struct {
	const char *narrow, *wide;
	int width_narrow, width_wide, from;
	enum role role;
	void (*text)(const struct view_source_line *line, struct buf *out);
} columns[COLUMNS] = {
	[COLUMN_REQUESTS] = {"", "requests", 0, 9, 100, ROLE_MODEL, requests_text},
	[COLUMN_WAVEFRONTS] = {"wave", "wavefronts", 5, 11, 0, ROLE_MODEL, wavefronts_text},
	[COLUMN_SECTORS] = {"sect", "sectors", 5, 8, 0, ROLE_MODEL, sectors_text},
	[COLUMN_LANES] = {"lane", "lanes", 5, 6, 42, ROLE_MODEL, lanes_text},
};

#define WIDE 70

const char *view_draw_source_lacks(const struct view_input *input)
{
	return input->source.n_lines > 0 ? NULL : "There is no source to show.";
}

/* A column that would stay empty takes no room. */
static int column_width(const struct view_source *source, int column, int cols)
{
	struct buf text = {0};
	for (int i = 0; i < source->n_lines && text.len == 0 && cols >= columns[column].from; i++)
		if (source->lines[i].executed)
			columns[column].text(&source->lines[i], &text);
	bool used = text.len > 0;
	buf_free(&text);
	return !used ? 0 : cols >= WIDE ? columns[column].width_wide : columns[column].width_narrow;
}

static int gutter_digits(const struct view_source *source)
{
	int digits = 1;
	for (int last = source->lines[source->n_lines - 1].line; last >= 10; last /= 10)
		digits++;
	return digits < 2 ? 2 : digits;
}

/* The first line shown, so that the watched one lies in the middle third where it can. */
static int first_line(const struct view_source *source, int rows)
{
	int watched = 0;
	for (int i = 0; i < source->n_lines; i++)
		if (source->lines[i].line == source->watched)
			watched = i;
	int first = watched - rows / 2, most = source->n_lines - rows;
	first = first > most ? most : first;
	return first < 0 ? 0 : first;
}

static void expand_tabs(const char *text, int stop, struct buf *out)
{
	int col = 0;
	for (size_t len = strlen(text); len > 0;) {
		uint32_t ch;
		size_t n = utf8_decode(text, len, &ch);
		if (ch == '\t') {
			int blanks = stop - col % stop;
			buf_pad(out, ' ', blanks);
			col += blanks;
		} else {
			buf_append(out, text, n);
			col += utf8_width(ch);
		}
		text += n;
		len -= n;
	}
}

/* The text of a line; a comment at its end is of less weight. */
static void draw_code(struct canvas *canvas, struct rect rect, const struct view_source_line *line, enum role role)
{
	struct buf text = {0};
	expand_tabs(line->text, rect.cols >= 50 ? 4 : 2, &text);
	canvas_text_fit(canvas, rect.row, rect.col, rect.cols, role, buf_str(&text));
	const char *comment = strstr(buf_str(&text), "//");
	if (comment) {
		struct buf before = {0};
		buf_append(&before, text.data, (size_t)(comment - text.data));
		int at = utf8_columns(buf_str(&before));
		if (at < rect.cols)
			canvas_recolour(canvas, (struct rect){rect.row, rect.col + at, 1, rect.cols - at}, ROLE_DIM);
		buf_free(&before);
	}
	buf_free(&text);
}

static void draw_counts(struct canvas *canvas, struct rect rect, const struct view_source *source,
	const struct view_source_line *line)
{
	int right = rect.col + rect.cols;
	for (int column = COLUMNS - 1; column >= 0; column--) {
		int width = column_width(source, column, rect.cols);
		struct buf text = {0};
		columns[column].text(line, &text);
		if (width > 0 && line->executed)
			canvas_text_fit(canvas, rect.row, right - utf8_columns(buf_str(&text)), width - 1, columns[column].role,
				buf_str(&text));
		buf_free(&text);
		right -= width;
	}
}

static int draw_header(struct canvas *canvas, struct rect rect, const struct view_source *source)
{
	int right = rect.col + rect.cols, width = 0;
	for (int column = COLUMNS - 1; column >= 0; column--) {
		int w = column_width(source, column, rect.cols);
		const char *name = rect.cols >= WIDE ? columns[column].wide : columns[column].narrow;
		if (w > 0)
			canvas_text(canvas, rect.row, right - width - utf8_columns(name), ROLE_DIM, name);
		width += w;
	}
	canvas_text_fit(canvas, rect.row, rect.col, rect.cols - width - 1, ROLE_DIM, source->file ? source->file : "");
	return width;
}

void view_draw_source(struct canvas *canvas, struct rect rect, const struct view_input *input)
{
	const struct view_source *source = &input->source;
	int counts = draw_header(canvas, rect, source), gutter = gutter_digits(source) + 3;
	/* The last row explains the columns, where there is a row to spare. */
	int rows = rect.rows - 1 - (rect.rows >= 8), first = first_line(source, rows);
	for (int i = 0; i < rows && first + i < source->n_lines; i++) {
		const struct view_source_line *line = &source->lines[first + i];
		bool watched = line->line == source->watched;
		enum role role = watched ? ROLE_WATCHED : line->executed ? ROLE_TEXT : ROLE_DIM;
		int row = rect.row + 1 + i;
		canvas_textf(canvas, row, rect.col, watched ? ROLE_WATCHED : ROLE_DIM, "%*d", gutter - 3, line->line);
		if (watched)
			canvas_put(canvas, row, rect.col + gutter - 2, GLYPH_POINT_RIGHT, ROLE_WATCHED);
		draw_code(canvas, (struct rect){row, rect.col + gutter, 1, rect.cols - gutter - counts - 1}, line, role);
		draw_counts(canvas, (struct rect){row, rect.col, 1, rect.cols}, source, line);
	}
	if (rect.rows >= 8)
		canvas_text_fit(canvas, rect.row + rect.rows - 1, rect.col, rect.cols, ROLE_DIM, rect.cols >= WIDE ?
			"predicted: wavefronts and sectors per request, active lanes" :
			rect.cols >= 42 ? "predicted, per request; active lanes" : "predicted, per request");
}
