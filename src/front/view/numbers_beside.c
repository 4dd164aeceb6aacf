/* The numbers of two settings beside each other: of each, what is predicted and what was measured. */
#include <string.h>

#include "base/utf8.h"
#include "front/view/numbers.h"
#include "model/hardware/metrics.h"

#define BELOW 66     /* columns; in fewer the numbers stand in a row below their label */
#define WORDS 100    /* columns; in fewer a dash says that a metric is not modeled */
#define VALUE_COLS 8 /* at least, of what is predicted, and of what was measured */
#define PREDICTED_COLS 9
#define FACTOR_COLS 8
#define BETWEEN 3 /* a line with its blanks */
#define NARROW_BETWEEN 2
#define ESTIMATE "≈ estimate"
#define MAKER "NVIDIA "

struct columns {
	int label, predicted, measured, between;
	int factor, formula; /* 0: there is none */
	bool below;
	bool low; /* names have no row of witnesses below them */
};

static int most(int a, int b)
{
	return a > b ? a : b;
}

/* In how many columns a row's words are chosen. */
static int words_cols(int cols)
{
	return cols < WORDS ? VIEW_NUMBERS_NARROW - 1 : cols;
}

static int side_cols(const struct columns *c)
{
	return c->predicted + VIEW_NUMBER_SIGN + c->measured;
}

/* The first column of a side. */
static int side_col(const struct columns *c, int side)
{
	return c->label + (c->below ? 0 : 1) + side * (side_cols(c) + c->between);
}

/* Columns for the values; `reasons`: also for why there are none. */
static void widen(struct columns *c, const struct view_numbers *numbers, int cols, bool reasons)
{
	for (int i = 0; i < 2 * numbers->n_rows; i++) {
		const struct view_number *number = &view_numbers_of(numbers, i % 2)[i / 2];
		struct view_number_cells cells = view_number_cells_of(number, words_cols(cols));
		if (reasons || number->predicted.state == VALUE_OK)
			c->predicted = most(c->predicted, utf8_columns(buf_str(&cells.predicted)));
		if (reasons || number->measured.state == VALUE_OK)
			c->measured = most(c->measured, utf8_columns(buf_str(&cells.measured)));
		view_number_cells_free(&cells);
	}
}

/* Columns that are left over. */
static int left_over(const struct columns *c, int cols)
{
	return cols - side_col(c, 1) - side_cols(c);
}

/* Numbers come before labels, these before reasons, then come factors, and formulas are last. */
static struct columns fit_columns(const struct view_numbers *numbers, int cols)
{
	struct columns c = {.label = most(view_number_label_columns(numbers),
				    view_numbers_have_estimate(numbers) ? utf8_columns(ESTIMATE) : 0),
		.predicted = PREDICTED_COLS,
		.measured = VALUE_COLS,
		.between = BETWEEN};
	if (cols < BELOW) {
		int half = (cols - NARROW_BETWEEN) / 2;
		c.below = true;
		c.label = 0;
		c.between = cols - 2 * half;
		c.measured = VALUE_COLS;
		c.predicted = half - VIEW_NUMBER_SIGN - c.measured;
		return c;
	}
	widen(&c, numbers, cols, false);
	int over = -left_over(&c, cols);
	for (; over > 0 && (c.predicted > VALUE_COLS || c.measured > VALUE_COLS); over -= 2)
		*(c.measured >= c.predicted ? &c.measured : &c.predicted) -= 1;
	c.label -= over > 0 ? over : 0;
	struct columns wider = c;
	widen(&wider, numbers, cols, true);
	if (left_over(&wider, cols) >= 0)
		c = wider;
	c.factor = left_over(&c, cols) >= FACTOR_COLS ? FACTOR_COLS : 0;
	int formula = view_numbers_formula_columns(numbers) + 2;
	c.formula = c.factor && left_over(&c, cols) - c.factor >= formula ? formula : 0;
	return c;
}

/* --- heads ------------------------------------------------------------------------------------------------------------ */

/* Where they were measured; without the word that stands over the columns, too, where there is no room for it. */
static void write_where(const struct view_numbers *n, int cols, struct buf *out)
{
	enum value_state why[2];
	for (int side = 0; side < 2; side++)
		why[side] = view_numbers_reason(view_numbers_of(n, side), n->n_rows);
	if (!n->measured_on && why[0] != why[1])
		buf_printf(out, "%s: %s; %s: %s", n->names[0], value_reason(why[0]), n->names[1], value_reason(why[1]));
	else
		view_numbers_measured_words(n, out);
	if (utf8_columns(buf_str(out)) > cols && n->measured_on) {
		buf_clear(out);
		buf_puts(out, n->measured_on);
	}
}

/* Before the names; in a row of its own where that is wanted to read it and there is one. Returns the rows before the names. */
static int draw_where(struct canvas *canvas, struct rect rect, const struct view_numbers *n, const struct columns *c)
{
	struct buf text = {0};
	write_where(n, c->below ? rect.cols : c->label, &text);
	bool own = c->below ? rect.rows > 4 : utf8_columns(buf_str(&text)) > c->label && rect.rows > n->n_rows + 2;
	/* "recorded" stands over the columns, too */
	const char *comma = n->measured_on && !strchr(n->measured_on, ';') ? strchr(buf_str(&text), ',') : NULL;
	if (!own && !c->low && comma && utf8_columns(buf_str(&text)) > c->label)
		text.data[text.len = (size_t)(comma - text.data)] = '\0';
	/* and which maker's it is goes without saying */
	const char *words = buf_str(&text);
	if (!own && utf8_columns(words) > c->label && strncmp(words, MAKER, strlen(MAKER)) == 0)
		words += strlen(MAKER);
	if (own || !c->below)
		canvas_text_fit(canvas, (struct rect){rect.row, rect.col, 1, own ? rect.cols : c->label},
			view_numbers_measured_role(n->rows, n->n_rows), words);
	buf_free(&text);
	return own;
}

static void draw_name(struct canvas *canvas, struct rect r, const struct view_numbers *n, int side)
{
	view_number_draw_right(canvas, r, side == n->shown ? ROLE_TITLE : ROLE_DIM, n->names[side]);
}

/* The witnesses of a side. */
static void draw_witnesses(
	struct canvas *canvas, int row, int col, const struct view_numbers *n, int side, const struct columns *c)
{
	enum role role = view_numbers_measured_role(view_numbers_of(n, side), n->n_rows);
	view_number_draw_right(canvas, (struct rect){row, col, 1, c->predicted}, ROLE_MODEL,
		c->predicted >= PREDICTED_COLS ? "predicted" : "model");
	view_number_draw_right(canvas, (struct rect){row, col + c->predicted + VIEW_NUMBER_SIGN, 1, c->measured}, role,
		role == ROLE_LIVE               ? "live"
			: role == ROLE_RECORDED ? "recorded"
						: "measured");
}

/* Names over witnesses; in a low rectangle names alone. Returns the rows they take. */
static int draw_heads(struct canvas *canvas, struct rect rect, const struct view_numbers *n, const struct columns *c)
{
	bool low = c->low;
	int row = rect.row + draw_where(canvas, rect, n, c), last = c->label + 1 + 2 * side_cols(c) + c->between;
	for (int side = 0; side < 2; side++) {
		int col = rect.col + side_col(c, side);
		draw_name(canvas, (struct rect){row, col, 1, side_cols(c)}, n, side);
		if (!low)
			draw_witnesses(canvas, row + 1, col, n, side, c);
	}
	if (!low && !c->below && view_numbers_have_estimate(n))
		canvas_text_fit(canvas, (struct rect){row + 1, rect.col, 1, c->label}, ROLE_MODEL, ESTIMATE);
	if (!low && c->factor)
		view_number_draw_right(
			canvas, (struct rect){row + 1, rect.col + last, 1, c->factor - 1}, ROLE_DIM, "factor");
	return row + (low ? 1 : 2) - rect.row;
}

/* --- rows ------------------------------------------------------------------------------------------------------------- */

/* What was measured of both, or else what is predicted of both; false: neither is there. */
static bool pair_of(const struct view_number *a, const struct view_number *b, double pair[2])
{
	bool measured = a->measured.state == VALUE_OK && b->measured.state == VALUE_OK,
	     predicted = a->predicted.state == VALUE_OK && b->predicted.state == VALUE_OK;
	pair[0] = measured ? a->measured.v : a->predicted.v;
	pair[1] = measured ? b->measured.v : b->predicted.v;
	return (measured || predicted) && pair[0] > 0 && pair[1] > 0;
}

/* By what factor the second is more or less than the first; nothing where that prints as 1. */
static void draw_factor(struct canvas *canvas, struct rect r, const struct view_number *a, const struct view_number *b)
{
	struct buf text = {0}, out = {0};
	double pair[2];
	if (pair_of(a, b, pair)) {
		bool less = pair[1] < pair[0];
		value_format(less ? pair[0] / pair[1] : pair[1] / pair[0], &text);
		if (strcmp(buf_str(&text), "1") != 0) {
			buf_printf(&out, "%s%s", less ? "÷" : "×", buf_str(&text));
			view_number_draw_right(canvas, r, ROLE_STRONG, buf_str(&out));
		}
	}
	buf_free(&text);
	buf_free(&out);
}

/* A reason is there as a whole, or a dash for it. */
static void draw_value(
	struct canvas *canvas, struct rect r, enum role role, const struct value *value, struct buf *text)
{
	bool cut = value->state != VALUE_OK && utf8_columns(buf_str(text)) > r.cols;
	view_number_draw_right(canvas, r, role, cut ? "–" : buf_str(text));
}

static void draw_side(struct canvas *canvas, struct rect rect, const struct view_input *input, int side, int i,
	const struct columns *c)
{
	const struct view_numbers *n = &input->numbers;
	const struct view_number *number = &view_numbers_of(n, side)[i];
	struct view_number_cells cells = view_number_cells_of(number, words_cols(rect.cols));
	int col = rect.col + side_col(c, side);
	view_number_add_off(number, &cells, c->predicted);
	if (side == n->shown)
		view_number_replace_by_so_far(&cells, input, number->metric, c->predicted);
	draw_value(canvas, (struct rect){rect.row, col, 1, c->predicted}, cells.predicted_role, &number->predicted,
		&cells.predicted);
	col += c->predicted;
	canvas_put(canvas, rect.row, col + 1, cells.relation, cells.relation_role);
	draw_value(canvas, (struct rect){rect.row, col + VIEW_NUMBER_SIGN, 1, c->measured}, cells.measured_role,
		&number->measured, &cells.measured);
	view_number_cells_free(&cells);
}

static void draw_pair(
	struct canvas *canvas, struct rect rect, const struct view_input *input, int i, const struct columns *c)
{
	const struct view_numbers *n = &input->numbers;
	int label = c->below ? rect.cols : c->label, end = rect.col + side_col(c, 1) + side_cols(c);
	view_number_draw_label(
		canvas, (struct rect){rect.row, rect.col, 1, label}, input, n->rows[i].metric, VIEW_NUMBER_WITH_UNIT);
	for (int side = 0; side < 2; side++)
		draw_side(canvas, (struct rect){rect.row + c->below, rect.col, 1, rect.cols}, input, side, i, c);
	if (c->factor)
		draw_factor(canvas, (struct rect){rect.row, end, 1, c->factor - 1}, &view_numbers_of(n, 0)[i],
			&view_numbers_of(n, 1)[i]);
	if (c->formula) {
		struct buf text = {0};
		metric_formula(n->rows[i].metric, n->rows[i].counted, &text);
		canvas_text_fit(canvas, (struct rect){rect.row, end + c->factor + 2, 1, c->formula - 2}, ROLE_DIM,
			buf_str(&text));
		buf_free(&text);
	}
}

int view_numbers_beside_rows(int n, int cols)
{
	return cols < BELOW ? 2 * n + 3 : n + 2;
}

void view_numbers_draw_beside(struct canvas *canvas, struct rect rect, const struct view_input *input)
{
	const struct view_numbers *n = &input->numbers;
	struct columns c = fit_columns(n, rect.cols);
	c.low = rect.rows < 4 && !(rect.rows == 3 && n->n_rows == 1);
	int heads = draw_heads(canvas, rect, n, &c), row = rect.row + heads, end = rect.row + rect.rows;
	int each = 1 + c.below, room = end - row, meanings = 0, names = row - (c.low ? 1 : 2);
	int shown = n->n_rows * each <= room ? n->n_rows : (room - 1) / each;
	for (int i = 0; i < n->n_rows; i++)
		meanings += view_number_meaning_rows(&n->rows[i], rect.cols);
	bool means = input->roomy && n->n_rows + meanings <= room, gaps = means && 2 * n->n_rows + meanings <= room;
	for (int i = 0; i < shown; i++) {
		draw_pair(canvas, (struct rect){row, rect.col, 1, rect.cols}, input, i, &c);
		row += each;
		if (means)
			row += view_number_draw_meaning(
				       canvas, (struct rect){row, rect.col, 0, rect.cols}, &n->rows[i]) +
				gaps;
	}
	if (shown < n->n_rows && room > 0)
		canvas_textf(canvas, row, rect.col, ROLE_DIM, "⋮ %d more", n->n_rows - shown);
	int line = rect.col + side_col(&c, 0) + side_cols(&c) + 1;
	for (int at = names; !c.below && !means && at < row; at++)
		canvas_put(canvas, at, line, GLYPH_LINE_V, ROLE_FRAME);
}
