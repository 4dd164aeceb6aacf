#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "view/draw.h"

/* The row as text, worked out before the columns are laid out. */
struct row {
	struct buf predicted, measured;
	enum role predicted_role, measured_role, relation_role;
	uint32_t relation;              /* '=', GLYPH_NOT_EQUAL, or a blank */
};

struct widths {
	int label, predicted, measured, unit, ratio, formula;
};

const char *view_draw_numbers_lacks(const struct view_input *input)
{
	return input->numbers.n_rows > 0 ? NULL : "This step shows no numbers.";
}

static enum role value_role(const struct value *value, enum witness witness)
{
	static const enum role roles[] = {
		[WITNESS_NONE] = ROLE_TEXT, [WITNESS_MODEL] = ROLE_MODEL, [WITNESS_LIVE] = ROLE_LIVE,
		[WITNESS_RECORDED] = ROLE_RECORDED,
	};
	return value->state == VALUE_OK ? roles[witness] : ROLE_MISSING;
}

/* A missing number shows why; a dash where nobody asked for it. */
static void value_text(const struct value *value, const char *nobody, struct buf *out)
{
	if (value->state == VALUE_OK)
		value_format(value->v, out);
	else if (value->state == VALUE_NONE)
		buf_puts(out, nobody);
	else
		buf_puts(out, value_reason(value->state));
}

static struct row row_of(const struct view_number *number)
{
	enum counter_trust trust = metric_trust(number->metric);
	struct row row = {.relation = ' '};
	value_text(&number->predicted, trust == COUNTER_HARDWARE ? "not modelled" : "–", &row.predicted);
	value_text(&number->measured, "–", &row.measured);
	row.predicted_role = value_role(&number->predicted, WITNESS_MODEL);
	row.measured_role = value_role(&number->measured, number->measured_by);
	if (number->predicted.state == VALUE_OK && number->measured.state == VALUE_OK) {
		bool same = strcmp(buf_str(&row.predicted), buf_str(&row.measured)) == 0;
		row.relation = same ? '=' : GLYPH_NOT_EQUAL;
		row.relation_role = same ? ROLE_GOOD : trust == COUNTER_EXACT ? ROLE_BAD : ROLE_DIM;
	}
	return row;
}

static void row_free(struct row *row)
{
	buf_free(&row->predicted);
	buf_free(&row->measured);
}

static int most(int a, int b)
{
	return a > b ? a : b;
}

static int formula_columns(const struct view_numbers *numbers)
{
	int cols = 0;
	for (int i = 0; i < numbers->n_rows; i++) {
		struct buf text = {0};
		metric_formula(numbers->rows[i].metric, &text);
		cols = most(cols, utf8_columns(buf_str(&text)));
		buf_free(&text);
	}
	return cols;
}

/* Gives room in the order of weight: numbers, label, unit, ratio, formula. Widths include the blank before a column. */
static struct widths widths_of(const struct view_numbers *numbers, int cols)
{
	struct widths w = {.predicted = 10, .measured = 9};
	int label = 0, unit = 0;
	for (int i = 0; i < numbers->n_rows; i++) {
		struct row row = row_of(&numbers->rows[i]);
		w.predicted = most(w.predicted, utf8_columns(buf_str(&row.predicted)) + 1);
		w.measured = most(w.measured, utf8_columns(buf_str(&row.measured)) + 1);
		label = most(label, utf8_columns(metric_table[numbers->rows[i].metric].label));
		unit = most(unit, utf8_columns(metric_table[numbers->rows[i].metric].unit) + 1);
		row_free(&row);
	}
	int left = cols - w.predicted - 2 - w.measured;
	/* With long reasons and little room the label keeps a third. */
	while (left < cols * 2 / 5 && (w.measured > 9 || w.predicted > 8)) {
		if (w.measured >= w.predicted)
			w.measured--;
		else
			w.predicted--;
		left++;
	}
	w.label = left < label ? left : label;
	left -= w.label;
	if (left >= unit) {
		w.unit = unit;
		left -= unit;
	}
	if (left >= 7 && w.unit) {
		w.ratio = 7;
		left -= 7;
	}
	if (left >= 24 && w.ratio)
		w.formula = left - 2 < formula_columns(numbers) ? left - 2 : formula_columns(numbers);
	return w;
}

static void draw_right(struct canvas *canvas, int row, int right, int width, enum role role, const char *text)
{
	int cols = utf8_columns(text);
	canvas_text_fit(canvas, row, right - (cols < width ? cols : width), width, role, text);
}

/* "predicted (model)" and "measured: NVIDIA H200 · live" over their columns; on two rows where one is too narrow. */
static int draw_header(struct canvas *canvas, struct rect rect, const struct view_numbers *n, const struct widths *w)
{
	char on[160];
	snprintf(on, sizeof on, "measured: %s", n->measured_on ? n->measured_on : "nowhere yet");
	enum role role = ROLE_DIM;
	for (int i = 0; i < n->n_rows; i++)
		if (n->rows[i].measured.state == VALUE_OK)
			role = value_role(&n->rows[i].measured, n->rows[i].measured_by);
	int predicted = rect.col + w->label + w->predicted, row = rect.row;
	int measured = predicted + 2 + w->measured;
	int on_cols = utf8_columns(on);
	if (on_cols <= rect.cols - w->label - w->predicted - 2 && w->label + w->predicted >= 18) {
		draw_right(canvas, row, predicted, w->label + w->predicted, ROLE_MODEL, "predicted (model)");
		canvas_text(canvas, row, measured - 8, role, on);
		if (measured - 8 + on_cols > rect.col + rect.cols)
			draw_right(canvas, row, rect.col + rect.cols, on_cols, role, on);
		return 1;
	}
	canvas_text_fit(canvas, row, rect.col, rect.cols, role, on);
	draw_right(canvas, row + 1, predicted, w->predicted, ROLE_MODEL, w->predicted > 9 ? "predicted" : "model");
	draw_right(canvas, row + 1, measured, w->measured, role, "measured");
	return 2;
}

static void draw_extras(struct canvas *canvas, int row, int col, const struct view_number *n, const struct widths *w)
{
	const struct metric *metric = &metric_table[n->metric];
	if (w->unit)
		canvas_text_fit(canvas, row, col + 1, w->unit - 1, ROLE_DIM, metric->unit);
	col += w->unit;
	if (w->ratio && n->predicted.state == VALUE_OK && n->measured.state == VALUE_OK && n->predicted.v > 0 &&
			n->measured.v != n->predicted.v) {
		struct buf text = {0};
		buf_puts(&text, "×");
		value_format(n->measured.v / n->predicted.v, &text);
		canvas_text_fit(canvas, row, col + 1, w->ratio - 1, ROLE_DIM, buf_str(&text));
		buf_free(&text);
	}
	col += w->ratio;
	if (w->formula) {
		struct buf text = {0};
		metric_formula(n->metric, &text);
		canvas_text_fit(canvas, row, col + 2, w->formula, ROLE_DIM, buf_str(&text));
		buf_free(&text);
	}
}

static void draw_row(struct canvas *canvas, int row, int col, const struct view_number *number, const struct widths *w)
{
	struct row r = row_of(number);
	canvas_text_fit(canvas, row, col, w->label, ROLE_TEXT, metric_table[number->metric].label);
	col += w->label + w->predicted;
	draw_right(canvas, row, col, w->predicted - 1, r.predicted_role, buf_str(&r.predicted));
	canvas_put(canvas, row, col + 1, r.relation, r.relation_role);
	col += 2 + w->measured;
	draw_right(canvas, row, col, w->measured - 1, r.measured_role, buf_str(&r.measured));
	row_free(&r);
	draw_extras(canvas, row, col, number, w);
}

void view_draw_numbers(struct canvas *canvas, struct rect rect, const struct view_input *input)
{
	const struct view_numbers *numbers = &input->numbers;
	struct widths widths = widths_of(numbers, rect.cols);
	int row = rect.row + draw_header(canvas, rect, numbers, &widths), end = rect.row + rect.rows;
	int shown = numbers->n_rows;
	if (shown > end - row)
		shown = end - row - 1;
	for (int i = 0; i < shown; i++)
		draw_row(canvas, row++, rect.col, &numbers->rows[i], &widths);
	if (shown < numbers->n_rows)
		canvas_textf(canvas, row, rect.col, ROLE_DIM, "⋮ %d more", numbers->n_rows - shown);
}
