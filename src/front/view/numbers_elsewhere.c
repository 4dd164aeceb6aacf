/* What was recorded on further GPUs, each in a column beside the number measured. */
#include <string.h>

#include "base/utf8.h"
#include "front/view/numbers.h"

#define WIDE 100     /* columns of the picture; in fewer there is no such column */
#define VALUE_COLS 8 /* at least */

bool view_elsewhere_is_same(const struct view_number *number, struct value value)
{
	struct buf here = {0}, there = {0};
	bool same = false;
	if (number->measured.state == VALUE_OK && value.state == VALUE_OK) {
		value_format(number->measured.v, &here);
		value_format(value.v, &there);
		same = strcmp(buf_str(&here), buf_str(&there)) == 0;
	}
	buf_free(&here);
	buf_free(&there);
	return same;
}

/* With the sign before the value. */
static int columns_of(const struct view_numbers *numbers, const struct view_elsewhere *elsewhere)
{
	int cols = utf8_columns(elsewhere->name) > VALUE_COLS ? utf8_columns(elsewhere->name) : VALUE_COLS;
	for (int i = 0; i < numbers->n_rows; i++) {
		struct buf text = {0};
		if (elsewhere->measured[i].state == VALUE_OK)
			value_format(elsewhere->measured[i].v, &text);
		cols = text.len && utf8_columns(buf_str(&text)) > cols ? utf8_columns(buf_str(&text)) : cols;
		buf_free(&text);
	}
	return VIEW_NUMBER_SIGN + cols;
}

int view_elsewhere_fit(const struct view_numbers *numbers, int cols, int left, int *n)
{
	int taken = 0;
	for (*n = 0; cols >= WIDE && *n < numbers->n_elsewhere; (*n)++) {
		int more = columns_of(numbers, &numbers->elsewhere[*n]);
		if (taken + more > left)
			break;
		taken += more;
	}
	return taken;
}

void view_elsewhere_draw(struct canvas *canvas, int row, int col, int n, const struct view_numbers *numbers,
	const struct view_number *number)
{
	for (int k = 0; k < n; k++) {
		const struct view_elsewhere *elsewhere = &numbers->elsewhere[k];
		struct value value = elsewhere->measured[number - numbers->rows];
		int cols = columns_of(numbers, elsewhere);
		bool same = view_elsewhere_is_same(number, value), both = number->measured.state == VALUE_OK;
		struct rect column = {row, col + VIEW_NUMBER_SIGN, 1, cols - VIEW_NUMBER_SIGN};
		struct buf text = {0};
		if (value.state == VALUE_OK)
			value_format(value.v, &text);
		view_number_draw_right(canvas, column,
			value.state != VALUE_OK ? ROLE_MISSING
				: same          ? ROLE_DIM
						: view_witness_role(WITNESS_RECORDED),
			text.len ? buf_str(&text) : "–");
		if (value.state == VALUE_OK && both)
			canvas_put(canvas, row, col + 1, same ? '=' : GLYPH_NOT_EQUAL, same ? ROLE_DIM : ROLE_STRONG);
		buf_free(&text);
		col += cols;
	}
}

/* Of what is measured and of the columns beside it, as much as has room: with dates, or at least who says it. */
static void draw_where(struct canvas *canvas, struct rect r, enum role role, int n, const struct view_numbers *numbers)
{
	struct buf all = {0};
	buf_printf(&all, "%s", numbers->measured_on);
	for (int k = 0; k < n; k++)
		buf_printf(&all, "; %s: recorded %s", numbers->elsewhere[k].name, numbers->elsewhere[k].date);
	const char *words[] = {buf_str(&all), numbers->measured_on,
		role == view_witness_role(WITNESS_LIVE) ? "live; others recorded" : "recorded",
		role == view_witness_role(WITNESS_LIVE) ? "live" : ""};
	size_t i = 0;
	while (i + 1 < sizeof words / sizeof *words && utf8_columns(words[i]) > r.cols)
		i++;
	canvas_text_fit(canvas, r, ROLE_DIM, words[i]);
	buf_free(&all);
}

void view_elsewhere_draw_heads(
	struct canvas *canvas, struct rect measured, int end, int n, const struct view_numbers *numbers)
{
	enum role role = view_numbers_measured_role(numbers->rows, numbers->n_rows);
	int col = measured.col + measured.cols;
	view_number_draw_right(canvas, measured, role, numbers->measured_name);
	for (int k = 0; k < n; k++) {
		int cols = columns_of(numbers, &numbers->elsewhere[k]);
		view_number_draw_right(canvas,
			(struct rect){measured.row, col + VIEW_NUMBER_SIGN, 1, cols - VIEW_NUMBER_SIGN},
			view_witness_role(WITNESS_RECORDED), numbers->elsewhere[k].name);
		col += cols;
	}
	if (end - col > 2)
		draw_where(canvas, (struct rect){measured.row, col + 2, 1, end - col - 2}, role, n, numbers);
}
