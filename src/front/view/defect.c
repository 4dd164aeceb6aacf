/* What the detector found: both sides of a defect. */
#include "front/view/defect.h"
#include "front/view/light.h"

#include <stdio.h>

#define ROWS_MOST 99 /* that a message takes */

static const char *defect_lacks(const struct view_input *input)
{
	return input->defects.looked ? NULL : "The detector is off in this step.";
}

static bool shows_lanes(const struct view_side *side, int rows, int cols)
{
	return rows >= 3 && side->lanes && cols >= 2 + WARP_SIZE;
}

static int side_rows(const struct view_side *side, int rows, int cols)
{
	return shows_lanes(side, rows, cols) ? 3 : 2;
}

/* The source line, which threads do what there, and where there is room the warp's lanes that do. Returns the rows it took. */
static int draw_side(struct canvas *canvas, struct rect r, const struct view_input *input, const struct view_side *side,
	enum role role)
{
	char text[200];
	int col = r.col + 1;
	canvas_put(canvas, r.row, r.col, GLYPH_POINT_RIGHT, role);
	if (side->line)
		col += canvas_textf(canvas, r.row, r.col + 1, ROLE_DIM, " %d  ", side->line);
	view_draw_code_row(canvas, (struct rect){r.row, col, 1, r.col + r.cols - col}, side->text);
	snprintf(text, sizeof text, "%s%s%s", side->who, *side->does ? ": " : "", side->does);
	canvas_text_fit(canvas, (struct rect){r.row + 1, r.col + 2, 1, r.cols - 2}, role, text);
	if (side->line)
		view_spot_of(canvas, input, (struct rect){r.row, r.col, 1, col - r.col - 1}, THING_LINE, side->line);
	if (!shows_lanes(side, r.rows, r.cols))
		return 2;
	for (int lane = 0; lane < WARP_SIZE; lane++) {
		bool is = side->lanes >> lane & 1;
		canvas_put(canvas, r.row + 2, r.col + 2 + lane, is ? view_lane_digit(lane) : GLYPH_MIDDLE_DOT,
			is ? role : ROLE_IDLE);
	}
	if (r.cols >= 2 + WARP_SIZE + 7)
		canvas_text(canvas, r.row + 2, r.col + 2 + WARP_SIZE + 1, ROLE_DIM, "lanes");
	return 3;
}

static int count_rows(const struct view_notes *notes, int cols)
{
	struct view_notes all = *notes;
	return view_notes_fit(&all, ROWS_MOST, cols);
}

/* Rows are left free after the kind, between the sides and before the message, the last one last, where the message is whole without
 * them. */
static void draw_one(struct canvas *canvas, struct rect r, const struct view_input *input)
{
	const struct view_defect *d = &input->defects.at[0];
	struct view_notes notes = {.n = 0};
	view_notes_add(&notes, ROLE_TEXT, "%s", d->message);
	canvas_text_fit(canvas, r, ROLE_BAD, d->kind);
	int each = r.rows >= (d->other.who ? 14 : 10) ? 3 : 2, free_rows = d->other.who ? 3 : 2;
	int used = 1 + side_rows(&d->here, each, r.cols) + count_rows(&notes, r.cols);
	used += d->other.who ? side_rows(&d->other, each, r.cols) : 0;
	int over = used + free_rows - r.rows, row = r.row + 1 + (over < 1);
	if (d->other.who)
		row += draw_side(canvas, (struct rect){row, r.col, each, r.cols}, input, &d->other, ROLE_WAVE2) +
			(over < 2);
	row += draw_side(canvas, (struct rect){row, r.col, each, r.cols}, input, &d->here, ROLE_CONFLICT) +
		(over < free_rows);
	int rows = r.row + r.rows - row;
	if (rows > 0) {
		view_notes_fit(&notes, rows, r.cols);
		view_notes_draw(canvas, (struct rect){row, r.col, rows, r.cols}, &notes);
	}
}

static void draw_defect(struct canvas *canvas, struct rect rect, const struct view_input *input)
{
	const struct view_defects *found = &input->defects;
	if (found->n == 0) {
		canvas_text_fit(canvas, rect, ROLE_GOOD, "no defect");
		view_draw_sentence(canvas, (struct rect){rect.row + 2, rect.col, rect.rows - 2, rect.cols}, ROLE_TEXT,
			"The machine ran the whole launch with the detector on and found nothing wrong.");
		return;
	}
	if (input->roomy) {
		view_draw_defect_roomy(canvas, rect, input);
		return;
	}
	if (found->n > 1)
		canvas_textf(canvas, rect.row + rect.rows - 1, rect.col, ROLE_DIM, "and %d more defect%s", found->n - 1,
			view_plural(found->n - 1));
	draw_one(canvas, (struct rect){rect.row, rect.col, rect.rows - (found->n > 1), rect.cols}, input);
}

const struct view_drawer view_drawer_defect = {.draw = draw_defect, .lacks = defect_lacks};
