#include "front/screen/parts.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"
#include "front/screen/flow.h"
#include "front/screen/modes.h"
#include "front/tutor/playground.h"
#include "model/hardware/access.h"

#define NUMBER_COLS 4 /* of a line's number, with a blank */
#define FAULT_ROWS 6  /* that an error may take of the text */
#define FIRST_PAGE 10 /* rows of a page before anything was laid out */
#define FIELD_GAP 2

bool screen_pad_alone(const struct tutor *tutor)
{
	const struct tutor_playground *p = tutor->playground;
	return p && p->kind == PLAYGROUND_KERNEL && !p->has_kernel;
}

bool screen_pad_covers_source(const struct tutor *tutor)
{
	const struct tutor_playground *p = tutor->playground;
	return p && (p->kind == PLAYGROUND_ACCESS || p->typing || !p->has_kernel);
}

/* --- the form of an access ---------------------------------------------------------------------------------------- */

static void draw_cursor(struct canvas *canvas, int row, int col)
{
	canvas_recolor(canvas, (struct rect){row, col, 1, 1}, ROLE_SELECTED);
}

/* One line of the text from column `from` on, as wide as the place. */
static void draw_typed(struct canvas *canvas, struct rect r, int from, const char *text, size_t len)
{
	struct rect old = canvas_clip(canvas, r);
	int column = 0;
	for (size_t at = 0, bytes; at < len && column < from + r.cols; at += bytes) {
		int width = tutor_edit_width(text + at, len - at, column, &bytes);
		for (size_t i = 0; text[at] != '\t' && i < bytes;) {
			uint32_t ch;
			size_t n = utf8_decode(text + at + i, bytes - i, &ch);
			canvas_put(canvas, r.row, r.col + column - from + (i > 0 ? width : 0), ch, ROLE_TEXT);
			i += n;
		}
		column += width;
	}
	canvas_unclip(canvas, old);
}

static int draw_expr(struct screen_sketch *sketch, struct rect r)
{
	const struct tutor_playground *p = sketch->tutor->playground;
	struct canvas *canvas = sketch->canvas;
	struct rect line = {r.row + 1, r.col + 2, 1, r.cols - 2};
	bool on = p->typing && p->field == PLAYGROUND_EXPR;
	int at = tutor_edit_column(&p->expr), from = at >= line.cols ? at - line.cols + 1 : 0, rows = 2;
	canvas_text_fit(canvas, (struct rect){r.row, r.col, 1, r.cols}, ROLE_DIM, _("element of each lane, 0 to 31:"));
	canvas_text(canvas, line.row, r.col, ROLE_KEY, on ? "▸" : " ");
	draw_typed(canvas, line, from, buf_str(&p->expr.text), p->expr.text.len);
	if (on)
		draw_cursor(canvas, line.row, line.col + at - from);
	if (p->fault.text[0]) {
		int caret = p->fault.column;
		struct screen_flow flow = {.canvas = canvas, .row = line.row + 1, .col = line.col, .cols = line.cols};
		if (caret >= from && caret - from < line.cols) {
			/* columns of an error are bytes; what stands in an expression that is read are letters of
			 * one */
			canvas_put(canvas, flow.row++, line.col + caret - from, '^', ROLE_ERROR);
		}
		screen_flow_plain(&flow, ROLE_ERROR, "", 0, p->fault.text);
		rows = flow.row - r.row;
	}
	return rows;
}

/* In a row, or two where that is too wide. Returns the rows they took. */
static int draw_fields(struct screen_sketch *sketch, struct rect r)
{
	static const char *const names[] = {"", N_("space"), N_("op"), N_("width")};
	static const int cols[] = {0, 18, 18, 18}; /* most that a field takes */
	const struct tutor_playground *p = sketch->tutor->playground;
	struct canvas *canvas = sketch->canvas;
	int row = r.row, col = r.col;
	for (int field = PLAYGROUND_SPACE; field < PLAYGROUND_FIELDS; field++) {
		if (col > r.col && col + cols[field] > r.col + r.cols) {
			row++;
			col = r.col;
		}
		bool on = p->typing && (int)p->field == field;
		char value[32];
		if (field == PLAYGROUND_WIDTH)
			snprintf(value, sizeof value, text_plural(" %d byte ", " %d bytes ", p->access.width),
				p->access.width);
		else
			snprintf(value, sizeof value, " %s ",
				field == PLAYGROUND_SPACE ? warp_space_name(p->access.space)
							  : warp_op_name(p->access.op));
		col += canvas_text(canvas, row, col, on ? ROLE_STRONG : ROLE_DIM, text_translate(names[field])) + 1;
		screen_add_target(sketch, (struct rect){row, col, 1, 2}, ACTION_TYPE_LEFT, field);
		col += canvas_text(canvas, row, col, ROLE_KEY, "◂");
		col += canvas_text(canvas, row, col, on ? ROLE_SELECTED : ROLE_TEXT, value);
		screen_add_target(sketch, (struct rect){row, col - 1, 1, 2}, ACTION_TYPE_RIGHT, field);
		col += canvas_text(canvas, row, col, ROLE_KEY, "▸") + FIELD_GAP;
	}
	return row + 1 - r.row;
}

/* --- the text of a kernel ----------------------------------------------------------------------------------------- */

/* What the compiler says, below the text. */
static struct rect fault_place(const struct tutor_playground *p, struct rect r)
{
	if (!p->fault.text[0] || r.rows < 4)
		return (struct rect){r.row + r.rows, r.col, 0, r.cols};
	struct screen_flow flow = screen_flow_measure(r.cols);
	screen_flow_plain(&flow, ROLE_TEXT, "", 2, p->fault.text);
	int most = r.rows / 2 < FAULT_ROWS ? r.rows / 2 : FAULT_ROWS, rows = flow.row + 1 < most ? flow.row + 1 : most;
	return (struct rect){r.row + r.rows - rows, r.col, rows, r.cols};
}

static struct rect text_place(const struct tutor_playground *p, struct rect r)
{
	struct rect fault = fault_place(p, r);
	return (struct rect){r.row, r.col + NUMBER_COLS, r.rows - fault.rows, r.cols - NUMBER_COLS};
}

void screen_pad_lay_out(struct screen_state *state, const struct tutor *tutor, struct rect r)
{
	const struct tutor_playground *p = tutor->playground;
	if (p->kind != PLAYGROUND_KERNEL)
		return;
	struct rect text = text_place(p, r);
	int line = tutor_edit_line(&p->source), column = tutor_edit_column(&p->source), *row = &state->pad_row,
	    *col = &state->pad_col;
	*row = line < *row ? line : line >= *row + text.rows ? line - text.rows + 1 : *row;
	*col = column < *col ? column : column >= *col + text.cols ? column - text.cols + 1 : *col;
	if (*col > 0 && column < text.cols)
		*col = 0;
	state->pad_place = text;
}

void screen_pad_draw(struct screen_sketch *sketch, struct rect r)
{
	const struct tutor_playground *p = sketch->tutor->playground;
	const char *title = p->kind == PLAYGROUND_ACCESS ? _("one access of a warp") : path_last(p->by.path);
	if (r.rows < 1 || r.cols <= NUMBER_COLS)
		return;
	screen_draw_label(sketch->canvas, (struct rect){r.row - 1, r.col, 1, r.cols}, ROLE_TITLE, title);
	struct rect old = canvas_clip(sketch->canvas, r);
	if (p->kind == PLAYGROUND_ACCESS) {
		struct screen_flow flow = {.canvas = sketch->canvas, .row = r.row, .col = r.col, .cols = r.cols};
		flow.row += draw_expr(sketch, r);
		flow.row += draw_fields(sketch, (struct rect){flow.row, r.col, r.rows, r.cols});
		screen_flow_gap(&flow);
		screen_flow_plain(&flow, p->fault.text[0] ? ROLE_DIM : ROLE_TEXT, "", 0, buf_str(&p->explained));
		screen_flow_gap(&flow);

		/* Those tried before, the latest first. */
		struct rect tried = {flow.row, r.col, r.row + r.rows - flow.row, r.cols};
		if (tried.rows >= 2 && p->n_tried) {
			canvas_text(sketch->canvas, tried.row, tried.col, ROLE_DIM, _("tried:"));
			for (int i = 0; i < p->n_tried && i < tried.rows - 1; i++) {
				const struct tutor_playground_tried *t = &p->tried[p->n_tried - 1 - i];
				int row = tried.row + 1 + i;
				bool on = p->n_tried - 1 - i == p->at_tried;
				char text[TUTOR_PLAYGROUND_EXPR_MAX + 40];
				snprintf(text, sizeof text, "%s %s %d  %s", warp_space_name(t->space),
					warp_op_name(t->op), t->width, t->text);
				canvas_text(sketch->canvas, row, tried.col, ROLE_KEY, on ? "▸" : " ");
				canvas_text_fit(sketch->canvas, (struct rect){row, tried.col + 2, 1, tried.cols - 2},
					on ? ROLE_STRONG : ROLE_TEXT, text);
			}
		}
	} else {
		const struct screen_state *state = sketch->state;
		struct rect text = text_place(p, r);
		int n = tutor_edit_count(&p->source);
		for (int line = state->pad_row; line < n && line < state->pad_row + text.rows; line++) {
			struct canvas *canvas = sketch->canvas;
			size_t len;
			int row = text.row + line - state->pad_row;
			const char *words = tutor_edit_text_of(&p->source, line, &len);
			bool faulty = p->fault.text[0] && p->fault.line == line + 1;
			canvas_textf(canvas, row, text.col - NUMBER_COLS, faulty ? ROLE_ERROR : ROLE_DIM, "%3d",
				(line + 1) % 1000);
			draw_typed(canvas, (struct rect){row, text.col, 1, text.cols}, state->pad_col, words, len);
			if (!faulty)
				continue;
			int column = p->fault.column < 0 ? 0 : p->fault.column - state->pad_col;
			int cols = p->fault.column < 0 ? text.cols : 1;
			if (column >= 0 && column < text.cols)
				canvas_recolor(canvas, (struct rect){row, text.col + column, 1, cols}, ROLE_ERROR);
		}
		if (p->typing)
			draw_cursor(sketch->canvas, text.row + tutor_edit_line(&p->source) - state->pad_row,
				text.col + tutor_edit_column(&p->source) - state->pad_col);

		struct rect below = fault_place(p, r);
		if (below.rows >= 2) {
			struct rect clip = canvas_clip(sketch->canvas, below);
			struct screen_flow flow = {
				.canvas = sketch->canvas, .row = below.row + 1, .col = below.col, .cols = below.cols};
			canvas_hline(sketch->canvas, below.row, below.col, below.cols, ROLE_FRAME);
			screen_flow_plain(&flow, ROLE_ERROR, "", 2, p->fault.text);
			canvas_unclip(sketch->canvas, clip);
		}
	}
	canvas_unclip(sketch->canvas, old);
}

/* --- keys and the mouse ------------------------------------------------------------------------------------------- */

static bool type_into_pad(const struct screen_subject *on, key_code key)
{
	int page = on->state->pad_place.rows > 1 ? on->state->pad_place.rows - 1 : FIRST_PAGE;
	enum tutor_action action = tutor_key_action(tutor_key_mode_of(on->tutor), key);
	char text[5] = "";
	if (action == ACTION_TYPE_PAGE_UP || action == ACTION_TYPE_PAGE_DOWN) {
		tutor_playground_lines(on->tutor, action == ACTION_TYPE_PAGE_UP ? -page : page);
	} else if (action != ACTION_NONE) {
		return false;
	} else if (key_types(key)) {
		utf8_put(key, text);
		tutor_playground_type(on->tutor, text);
	}
	return true;
}

const struct screen_mode screen_mode_pad = {.key = type_into_pad};

bool screen_pad_click(struct screen_state *state, struct tutor *tutor, int row, int col)
{
	struct tutor_playground *p = tutor->playground;
	struct rect text = state->pad_place;
	if (!p || p->kind != PLAYGROUND_KERNEL || !p->typing || !canvas_rect_holds(text, row, col))
		return false;
	tutor_edit_go(&p->source, state->pad_row + row - text.row, state->pad_col + col - text.col);
	return true;
}
