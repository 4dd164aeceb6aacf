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
static int column_width(const struct view_source *source, int column, int cols, bool wide)
{
	struct buf text = {0};
	for (int i = 0; i < source->n_lines && text.len == 0 && cols >= columns[column].from; i++)
		if (source->lines[i].executed)
			columns[column].text(&source->lines[i], &text);
	bool used = text.len > 0;
	buf_free(&text);
	return !used ? 0 : wide ? columns[column].width_wide : columns[column].width_narrow;
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

/* The line as the reader sees it: the mark by which a lesson names it is of no interest. */
static void code_text(const struct view_source_line *line, int stop, struct buf *out)
{
	expand_tabs(line->text, stop, out);
	char *mark = strstr(buf_str(out), "//@");
	if (mark)
		out->len = (size_t)(mark - out->data);
	while (mark && out->len > 0 && out->data[out->len - 1] == ' ')
		out->len--;
	if (mark)
		out->data[out->len] = '\0';
}

/* Without the comment at its end, which may be cut. */
static int code_columns(const struct view_source_line *line, int stop)
{
	struct buf text = {0};
	code_text(line, stop, &text);
	char *comment = strstr(buf_str(&text), "//");
	if (comment)
		*comment = '\0';
	int cols = utf8_columns(buf_str(&text));
	buf_free(&text);
	return cols;
}

/* Whether what runs is seen whole in `cols` columns; a function's head, which is not indented, may be cut. */
static bool code_fits(const struct view_source *source, int cols, int stop)
{
	for (int i = 0; i < source->n_lines; i++) {
		const struct view_source_line *line = &source->lines[i];
		if (line->executed && strchr(" \t", line->text[0]) && code_columns(line, stop) > cols)
			return false;
	}
	return true;
}

/* A comment at the end of the line is of less weight. */
static void draw_code(struct canvas *canvas, struct rect rect, const char *text, enum role role)
{
	canvas_text_fit(canvas, rect.row, rect.col, rect.cols, role, text);
	const char *comment = strstr(text, "//");
	if (!comment)
		return;
	struct buf before = {0};
	buf_append(&before, text, (size_t)(comment - text));
	int at = utf8_columns(buf_str(&before));
	if (at < rect.cols)
		canvas_recolour(canvas, (struct rect){rect.row, rect.col + at, 1, rect.cols - at}, ROLE_DIM);
	buf_free(&before);
}

/* Where a line too long for `cols` columns is broken: behind the last blank within the fewest brackets, but not within
 * the indentation; 0: nowhere. */
static size_t break_at(const char *text, int cols)
{
	size_t found = 0, i = strspn(text, " ");
	int depth = 0, found_depth = 0;
	for (int col = (int)i; text[i] && col < cols; col++) {
		uint32_t ch;
		i += utf8_decode(text + i, strlen(text + i), &ch);
		depth += (ch == '(' || ch == '[') - (ch == ')' || ch == ']');
		if (ch == ' ' && (found == 0 || depth <= found_depth)) {
			found = i;
			found_depth = depth;
		}
	}
	return found;
}

/* The watched line is the one to read: where it is too long it goes on in a second row. Returns the rows taken. */
static int draw_watched(struct canvas *canvas, struct rect rect, const char *text)
{
	size_t at = utf8_columns(text) > rect.cols && rect.rows > 1 ? break_at(text, rect.cols) : 0;
	if (at == 0) {
		draw_code(canvas, rect, text, ROLE_WATCHED);
		return 1;
	}
	struct buf first = {0};
	buf_append(&first, text, at);
	draw_code(canvas, rect, buf_str(&first), ROLE_WATCHED);
	buf_free(&first);
	int indent = (int)strspn(text, " ") + 2, most = rect.cols - utf8_columns(text + at);
	indent = indent < most ? indent : most > 0 ? most : 0;
	draw_code(canvas, (struct rect){rect.row + 1, rect.col + indent, 1, rect.cols - indent}, text + at, ROLE_WATCHED);
	return 2;
}

static void draw_counts(struct canvas *canvas, struct rect rect, const struct view_source *source,
	const struct view_source_line *line, bool wide)
{
	int right = rect.col + rect.cols;
	for (int column = COLUMNS - 1; column >= 0; column--) {
		int width = column_width(source, column, rect.cols, wide);
		struct buf text = {0};
		columns[column].text(line, &text);
		if (width > 0 && line->executed)
			canvas_text_fit(canvas, rect.row, right - utf8_columns(buf_str(&text)), width - 1, columns[column].role,
				buf_str(&text));
		buf_free(&text);
		right -= width;
	}
}

static int draw_header(struct canvas *canvas, struct rect rect, const struct view_source *source, bool wide)
{
	int right = rect.col + rect.cols, width = 0;
	for (int column = COLUMNS - 1; column >= 0; column--) {
		int w = column_width(source, column, rect.cols, wide);
		const char *name = wide ? columns[column].wide : columns[column].narrow;
		if (w > 0)
			canvas_text(canvas, rect.row, right - width - utf8_columns(name), ROLE_DIM, name);
		width += w;
	}
	canvas_text_fit(canvas, rect.row, rect.col, rect.cols - width - 1, ROLE_DIM, source->file ? source->file : "");
	return width;
}

static int counts_columns(const struct view_source *source, int cols, bool wide)
{
	int width = 0;
	for (int column = 0; column < COLUMNS; column++)
		width += column_width(source, column, cols, wide);
	return width;
}

void view_draw_source(struct canvas *canvas, struct rect rect, const struct view_input *input)
{
	const struct view_source *source = &input->source;
	int gutter = gutter_digits(source) + 3, code = rect.cols - gutter - 1;
	/* Full words over the counts where they cost no code. */
	bool wide = rect.cols >= WIDE && code_fits(source, code - counts_columns(source, rect.cols, true), 2);
	code -= draw_header(canvas, rect, source, wide);
	int stop = code_fits(source, code, 4) ? 4 : 2;
	/* The last row explains the columns, where there is a row to spare. */
	int end = rect.row + rect.rows - (rect.rows >= 8), rows = end - rect.row - 1, row = rect.row + 1;
	for (int i = first_line(source, rows); row < end && i < source->n_lines; i++) {
		const struct view_source_line *line = &source->lines[i];
		bool watched = line->line == source->watched;
		struct rect text = {row, rect.col + gutter, end - row, code};
		struct buf words = {0};
		code_text(line, stop, &words);
		canvas_textf(canvas, row, rect.col, watched ? ROLE_WATCHED : ROLE_DIM, "%*d", gutter - 3, line->line);
		draw_counts(canvas, (struct rect){row, rect.col, 1, rect.cols}, source, line, wide);
		if (watched) {
			canvas_put(canvas, row, rect.col + gutter - 2, GLYPH_POINT_RIGHT, ROLE_WATCHED);
			row += draw_watched(canvas, text, buf_str(&words));
		} else {
			draw_code(canvas, text, buf_str(&words), line->executed ? ROLE_TEXT : ROLE_DIM);
			row++;
		}
		buf_free(&words);
	}
	if (rect.rows >= 8)
		canvas_text_fit(canvas, rect.row + rect.rows - 1, rect.col, rect.cols, ROLE_DIM, rect.cols >= WIDE ?
			"predicted: wavefronts and sectors per request, active lanes" :
			rect.cols >= 42 ? "predicted, per request; active lanes" : "predicted, per request");
}
