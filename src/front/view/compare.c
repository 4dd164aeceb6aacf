#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "front/view/draw.h"
#include "front/view/source.h"
#include "model/hardware/metrics.h"

#define RATIO_COLS 8
#define VALUE_COLS_NARROW 9
#define VALUE_COLS_WIDE 12
#define NARROW 60
#define COUNT_COLS 6 /* wavefronts, or sectors, of a line */
#define SIDE_BY_SIDE 70
#define LABEL_COLS 30 /* from there on they are cut */
#define LABEL_COLS_MAX 40

static const char *compare_lacks(const struct view_input *input)
{
	return input->compare->names[0]
		? NULL
		: "There is nothing to compare it with: the step has no compare, or explore no --compare.";
}

/* --- metrics ------------------------------------------------------------------------------------------------------ */

static void value_words(const struct value *v, struct buf *out)
{
	if (v->state == VALUE_OK)
		value_format(v->v, out);
	else
		buf_puts(out, v->state == VALUE_COVERED ? "?" : "–");
}

static bool metric_differs(const struct view_compare *c, int i)
{
	struct buf one = {0}, other = {0};
	value_words(&c->values[0][i], &one);
	value_words(&c->values[1][i], &other);
	bool differs = strcmp(buf_str(&one), buf_str(&other)) != 0;
	buf_free(&one);
	buf_free(&other);
	return differs;
}

/* As wide as the names, as long as labels keep their room. */
static int value_cols(const struct view_compare *c, int cols)
{
	int a = utf8_columns(c->names[0]) + 1, b = utf8_columns(c->names[1]) + 1, wanted = a > b ? a : b;
	int least = cols < NARROW ? VALUE_COLS_NARROW : VALUE_COLS_WIDE, most = (cols - RATIO_COLS - LABEL_COLS) / 2;
	return wanted < least || most < least ? least : wanted < most ? wanted : most;
}

/* How far the second is from the first: what differs most is named first. 0: not at all. */
static double weight(const struct view_compare *c, int i)
{
	const struct value *a = &c->values[0][i], *b = &c->values[1][i];
	if (!metric_differs(c, i))
		return 0;
	if (a->state != VALUE_OK || b->state != VALUE_OK || !(a->v > 0) || !(b->v > 0))
		return HUGE_VAL;
	return a->v > b->v ? a->v / b->v : b->v / a->v;
}

/* The next in this order after `before`, -1: the first; -1: there are no more. */
static int next_metric(const struct view_compare *c, int before)
{
	int best = -1;
	for (int i = 0; i < c->n_metrics; i++) {
		bool later = before < 0 || weight(c, i) < weight(c, before) ||
			(!(weight(c, i) > weight(c, before)) && i > before);
		if (later && (best < 0 || weight(c, i) > weight(c, best)))
			best = i;
	}
	return best;
}

static void draw_right_of(struct canvas *canvas, int row, int end, int cols, enum role role, const char *text)
{
	int n = utf8_columns(text) < cols ? utf8_columns(text) : cols;
	canvas_text_fit(canvas, (struct rect){row, end - n, 1, n}, role, text);
}

static enum role side_role(const struct view_compare *c, int side)
{
	return side == c->shown ? ROLE_TITLE : ROLE_DIM;
}

static int label_cols(const struct view_compare *c, int cols)
{
	int label = cols - RATIO_COLS - 2 * value_cols(c, cols) - 1;
	return label > LABEL_COLS_MAX ? LABEL_COLS_MAX : label;
}

/* A label that has no room before its values has a row of its own. */
static int metric_rows(const struct view_compare *c, int cols, int i)
{
	return utf8_columns(metric_table[c->metrics[i]].label) > label_cols(c, cols) ? 2 : 1;
}

/* Those that differ first, the more the earlier. Returns the row after the last, where how many are left out may
 * stand. */
static int draw_metrics(struct canvas *canvas, struct rect r, const struct view_input *input)
{
	const struct view_compare *c = input->compare;
	int width = value_cols(c, r.cols), row = r.row, end = r.row + r.rows;
	int label = label_cols(c, r.cols), left = 0;
	for (int side = 0; side < 2; side++) {
		/* Of names that begin alike and have no room the ends, by which they differ. */
		int name_end = r.col + label + 1 + (side + 1) * width;
		int cols = width - 1;
		const char *name = c->names[side];
		struct buf text = {0};
		if (utf8_columns(name) > cols && strncmp(name, c->names[1 - side], 4) == 0) {
			while (*name && utf8_columns(name) > cols - 1)
				do
					name++;
				while (((unsigned char)*name & 0xc0) == 0x80);
			buf_puts(&text, "…");
		}
		buf_puts(&text, name);
		draw_right_of(canvas, row, name_end, cols, side_role(c, side), buf_str(&text));
		buf_free(&text);
	}
	canvas_text_fit(canvas, (struct rect){row, r.col, 1, label}, ROLE_DIM, "predicted");
	row++;
	for (int i = next_metric(c, -1); i >= 0; i = next_metric(c, i)) {
		int rows = metric_rows(c, r.cols, i);
		if (row + rows > end) {
			left++;
			end = row; /* none that is less different comes before it */
			continue;
		}

		/* In as many rows as metric_rows says. */
		const struct metric *metric = &metric_table[c->metrics[i]];
		int values_row = row + (rows > 1), values_end = r.col + label + 1 + 2 * width;
		bool differs = metric_differs(c, i);
		struct rect at = {row, r.col, 1, rows > 1 ? r.cols : label};
		canvas_text_fit(canvas, at, differs ? ROLE_TEXT : ROLE_DIM, metric->label);
		view_spot_of(canvas, input, at, THING_METRIC, c->metrics[i]);
		struct buf text = {0};
		for (int side = 0; side < 2; side++) {
			buf_clear(&text);
			value_words(&c->values[side][i], &text);
			draw_right_of(canvas, values_row, values_end - (1 - side) * width, width - 1,
				differs ? ROLE_MODEL : ROLE_DIM, buf_str(&text));
		}
		buf_clear(&text);

		/* The second of the first, where both are numbers. */
		const struct value *a = &c->values[0][i], *b = &c->values[1][i];
		if (a->state == VALUE_OK && b->state == VALUE_OK && a->v > 0 && differs) {
			struct buf ratio = {0};
			bool less = b->v > 0 && b->v < a->v;
			value_format(less ? a->v / b->v : b->v / a->v, &ratio);
			if (strcmp(buf_str(&ratio), "1") != 0)
				buf_printf(&text, "%s%s", less ? "÷" : "×", buf_str(&ratio));
			buf_free(&ratio);
		}

		canvas_text_fit(
			canvas, (struct rect){values_row, values_end + 1, 1, RATIO_COLS - 1}, ROLE_BAD, buf_str(&text));
		buf_free(&text);

		row += rows;
	}
	if (left) /* in the row that parts them from the lines */
		canvas_textf(canvas, row, r.col, ROLE_DIM, "⋮ %d more", left);
	return row;
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

static enum role mark_role(uint32_t mark)
{
	return mark == '#' ? ROLE_MODEL : ROLE_WATCHED;
}

/* One line of one version: number, text, wavefronts and sectors. */
static void draw_line(
	struct canvas *canvas, struct rect r, const struct view_input *input, int side, int index, uint32_t mark)
{
	const struct view_source *source = &input->compare->sources[side];
	const struct view_source_line *line = &source->lines[index];
	struct buf text = {0};
	int code = r.cols - 5 - 2 * COUNT_COLS;
	canvas_textf(canvas, r.row, r.col, line->line == source->watched ? ROLE_WATCHED : ROLE_DIM, "%4d", line->line);
	const char *code_end = line->text + view_code_length(line->text);
	for (const char *at = line->text; at < code_end; at++) /* a tab is two columns */
		*at == '\t' ? buf_puts(&text, "  ") : buf_putc(&text, *at);
	view_fit_head(&text, code);
	canvas_text_fit(canvas, (struct rect){r.row, r.col + 5, 1, code},
		mark && mark != '#'      ? ROLE_STRONG
			: line->executed ? ROLE_TEXT
					 : ROLE_DIM,
		buf_str(&text));
	if (side == input->compare->shown)
		view_spot_of(canvas, input, (struct rect){r.row, r.col, 1, 5 + code}, THING_LINE, line->line);
	const struct value counts[] = {line->wavefronts, line->sectors};
	for (int i = 0; i < 2; i++) {
		struct value v = counts[i];
		buf_clear(&text);
		if (v.state == VALUE_OK)
			value_format(v.v, &text);

		draw_right_of(canvas, r.row, r.col + r.cols - (1 - i) * COUNT_COLS, COUNT_COLS - 1,
			mark ? mark_role('#') : ROLE_DIM, buf_str(&text));
	}
	buf_free(&text);
}

static void draw_lines_header(struct canvas *canvas, struct rect r, const struct view_compare *c, int side)
{
	canvas_text_fit(
		canvas, (struct rect){r.row, r.col, 1, r.cols - 2 * COUNT_COLS}, side_role(c, side), c->names[side]);
	draw_right_of(canvas, r.row, r.col + r.cols - COUNT_COLS, COUNT_COLS - 1, ROLE_DIM, "wave");
	draw_right_of(canvas, r.row, r.col + r.cols, COUNT_COLS - 1, ROLE_DIM, "sect");
}

static void draw_more(struct canvas *canvas, struct rect r, int n)
{
	if (n > 0)
		canvas_textf(canvas, r.row + r.rows - 1, r.col, ROLE_DIM, "⋮ %d more", n);
}

/* The first row shown: where not all have room, so that the watched line is in the middle. */
static int first_row(const struct view_compare *c, int room)
{
	const struct view_source *source = &c->sources[c->shown];
	int first = 0, most = c->n_rows - room + 1;
	while (first < c->n_rows &&
		!(c->rows[first].lines[c->shown] >= 0 &&
			source->lines[c->rows[first].lines[c->shown]].line == source->watched))
		first++;
	first = first == c->n_rows ? 0 : first - room / 2;
	first = first < most ? first : most;
	return c->n_rows <= room || first < 0 ? 0 : first;
}

static void draw_compare(struct canvas *canvas, struct rect rect, const struct view_input *input)
{
	const struct view_compare *c = input->compare;
	int differing = 0, all = 1, first = next_metric(c, -1); /* rows, with those of the head */
	for (int i = 0; i < c->n_metrics; i++) {
		all += metric_rows(c, rect.cols, i);
		differing += metric_differs(c, i) ? metric_rows(c, rect.cols, i) : 0;
	}
	int least = first < 0 ? 2 : 1 + metric_rows(c, rect.cols, first);
	/* numbers that differ have up to half of the room; the others fill what the lines leave */
	int most = (rect.rows - 1) / 2, rows = differing + 2 < most ? differing + 2 : most;
	int lines = c->n_rows + 1;
	if (rect.cols >= SIDE_BY_SIDE && rect.rows - rows - 1 > lines)
		rows = rect.rows - lines - 1;
	rows = rows > all ? all : rows < least ? least : rows;
	int row = draw_metrics(canvas, (struct rect){rect.row, rect.col, rows, rect.cols}, input) + 1;
	struct rect below = {row, rect.col, rect.row + rect.rows - row, rect.cols};
	if (below.rows < 2)
		return;
	if (rect.cols >= SIDE_BY_SIDE) {
		/* Both versions beside each other. */
		int half = (below.cols - 3) / 2, room = below.rows - 1, from = first_row(c, room);
		int shown = c->n_rows - from <= room ? c->n_rows - from : room - 1;
		for (int side = 0; side < 2; side++)
			draw_lines_header(
				canvas, (struct rect){below.row, below.col + side * (half + 3), 1, half}, c, side);
		canvas_put(canvas, below.row, below.col + half + 1, GLYPH_LINE_V, ROLE_FRAME);
		for (int i = 0; i < shown; i++) {
			const struct view_compared_row *line = &c->rows[from + i];
			int beside_row = below.row + 1 + i;
			for (int side = 0; side < 2; side++)
				if (line->lines[side] >= 0)
					draw_line(canvas,
						(struct rect){beside_row, below.col + side * (half + 3), 1, half},
						input, side, line->lines[side], line->mark);
			canvas_put(canvas, beside_row, below.col + half + 1, line->mark ? line->mark : GLYPH_LINE_V,
				line->mark ? mark_role(line->mark) : ROLE_FRAME);
		}
		draw_more(canvas, below, c->n_rows - from - shown);
	} else {
		/* Only the lines that differ, the first version's above the second's. */
		int below_row = below.row + 1, end = below.row + below.rows, left = 0;
		draw_lines_header(canvas, (struct rect){below.row, below.col + 2, 1, below.cols - 2}, c, c->shown);
		canvas_fill(
			canvas, (struct rect){below.row, below.col, 1, below.cols - 2 * COUNT_COLS}, ' ', ROLE_TEXT);
		canvas_text_fit(canvas, (struct rect){below.row, below.col, 1, below.cols - 2 * COUNT_COLS - 1},
			ROLE_DIM, "lines that differ");
		for (int i = 0; i < c->n_rows; i++) {
			const struct view_compared_row *line = &c->rows[i];
			for (int side = 0; side < 2 && line->mark; side++) {
				if (line->lines[side] < 0)
					continue;
				if (below_row >= end - 1) {
					left++;
					continue;
				}
				canvas_put(canvas, below_row, below.col, side ? '+' : '-', mark_role(line->mark));
				draw_line(canvas, (struct rect){below_row++, below.col + 2, 1, below.cols - 2}, input,
					side, line->lines[side], line->mark);
			}
		}
		draw_more(canvas, below, left);
	}
}

static void describe_compare(const struct view_input *input, struct buf *out)
{
	const struct view_compare *c = input->compare;
	for (int i = 0; i < c->n_metrics; i++) {
		buf_printf(out, "%s: ", metric_table[c->metrics[i]].label);
		for (int side = 0; side < 2; side++) {
			buf_printf(out, "%s%s ", side ? ", " : "", c->names[side]);
			view_describe_value(c->values[side][i], out);
		}
		buf_puts(out, ".\n");
	}
	for (int i = 0; i < c->n_rows; i++)
		if (c->rows[i].mark) {
			const struct view_compared_row *row = &c->rows[i];
			for (int side = 0; side < 2; side++) {
				if (row->lines[side] < 0)
					continue;
				const struct view_source_line *line = &c->sources[side].lines[row->lines[side]];
				const char *text = line->text + strspn(line->text, " \t");
				buf_printf(out, "%s, line %d: ", c->names[side], line->line);
				buf_append(out, text, view_code_length(text));
				buf_puts(out, "\n");
				if (line->wavefronts.state == VALUE_OK) {
					buf_puts(out, "  wavefronts per request: ");
					view_describe_value(line->wavefronts, out);
					buf_putc(out, '\n');
				}
				if (line->sectors.state == VALUE_OK) {
					buf_puts(out, "  sectors per request: ");
					view_describe_value(line->sectors, out);
					buf_putc(out, '\n');
				}
			}
		}
}

const struct view_drawer view_drawer_compare = {.draw = draw_compare,
	.lacks = compare_lacks,
	.describe = describe_compare};
