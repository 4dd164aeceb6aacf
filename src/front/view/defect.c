/* What the detector found: both sides of a defect. */
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "front/view/draw.h"
#include "front/view/launch.h"
#include "front/view/source.h"

#define ROWS_MOST 99 /* that a message takes */

static const char *defect_lacks(const struct view_input *input)
{
	return input->defects->looked ? NULL : "The detector is off in this step.";
}

static bool shows_lanes(const struct view_side *side, int rows, int cols)
{
	return rows >= 3 && side->lanes && cols >= 2 + WARP_SIZE;
}

static int side_rows(const struct view_side *side, int rows, int cols)
{
	return shows_lanes(side, rows, cols) ? 3 : 2;
}

/* The source line, which threads do what there, and where there is room the warp's lanes that do. Returns the rows it
 * took. */
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

/* What the detector found, as two boxes: both sides with the source around their lines, and between them what is
 * missing. */

#define GAP 14                       /* columns between the boxes */
#define CONTEXT 2                    /* lines above and below */
#define GUTTER 6                     /* "  22 ▸" */
#define LEAST_ROWS (2 * CONTEXT + 3) /* of a box */
#define TWO_ROWS_MAX 17              /* of one of two, which are of the same source */

struct side_box {
	struct rect rect;
	const struct view_input *input;
	const struct view_side *side;
	enum role role;
	const char *when; /* "first", "then"; between blocks, whose accesses are compared later, "one", "other" */
};

static const char *line_text(const struct view_input *input, int line)
{
	for (int i = 0; i < input->source->n_lines; i++)
		if (input->source->lines[i].line == line)
			return input->source->lines[i].text;
	return NULL;
}

/* A tab counts two columns. */
static int indent_of(const char *text)
{
	int cols = 0;
	for (; *text == ' ' || *text == '\t'; text++)
		cols += *text == '\t' ? 2 : 1;
	return cols;
}

static int columns_of(const char *text)
{
	struct buf code = {0};
	text += strspn(text, " \t");
	buf_append(&code, text, view_code_length(text));
	int cols = utf8_columns(buf_str(&code));
	buf_free(&code);
	return cols;
}

static int last_line(const struct view_input *input)
{
	int n = input->source->n_lines;
	return n > 0 ? input->source->lines[n - 1].line : 0;
}

static void draw_box(struct canvas *canvas, const struct side_box *b)
{
	char text[240];
	struct rect r = b->rect;
	canvas_box(canvas, r, b->role, NULL);
	snprintf(text, sizeof text, " %s: %s ", b->when, b->side->who);
	canvas_text_fit(canvas, (struct rect){r.row, r.col + 2, 1, r.cols - 4}, b->role, text);
	if (*b->side->does) {
		snprintf(text, sizeof text, " %s ", b->side->does);
		canvas_text(canvas, r.row + r.rows - 1, r.col + 2, b->role, text);
	}
	int lines = r.rows - 2, first = b->side->line - lines / 2, last = last_line(b->input) - lines + 1;
	first = first > last ? last : first;
	first = first < 1 ? 1 : first;
	for (int i = 0; i < lines; i++) {
		int line_row = r.row + 1 + i;
		int line = first + i;
		bool at = line == b->side->line;
		const char *code_text = at && *b->side->text ? b->side->text : line_text(b->input, line);
		struct rect line_r = {line_row, b->rect.col + 1, 1, b->rect.cols - 2};
		if (!code_text)
			continue;
		canvas_textf(canvas, line_row, line_r.col, at ? b->role : ROLE_DIM, "%4d %s", line, at ? "▸" : " ");
		int lead = GUTTER + 1 + indent_of(code_text), over = lead + columns_of(code_text) - line_r.cols;
		if (at && over > 0) /* what it says is worth more than its indentation */
			lead -= over < indent_of(code_text) ? over : indent_of(code_text);
		struct rect code = {line_row, line_r.col + lead, 1, line_r.cols - lead};
		view_draw_code_row(canvas, code, code_text);
		if (!at)
			canvas_recolor(canvas, code, ROLE_DIM);
		view_spot_of(canvas, b->input, (struct rect){line_row, line_r.col, 1, GUTTER}, THING_LINE, line);
	}
}

/* --- which lanes -------------------------------------------------------------------------------------------------- */

#define LANES_LEAD 22 /* "other: block 2 warp 3 " */
#define LANES_TAIL 9  /* " 24 lanes" */
#define LANES_PITCH_MAX 4

/* Of both sides, the first one above. Returns the rows it took. */
static int draw_sides_lanes(struct canvas *canvas, struct rect r, const struct side_box *sides, int n)
{
	int row = r.row;
	for (int i = 0; i < n; i++) {
		struct rect line = {row++, r.col, 1, r.cols};
		const struct side_box *b = &sides[i];
		char text[64];
		int pitch = (line.cols - LANES_LEAD - LANES_TAIL) / WARP_SIZE,
		    n_taking = __builtin_popcount(b->side->lanes);
		pitch = pitch > LANES_PITCH_MAX ? LANES_PITCH_MAX : pitch < 2 ? 2 : pitch;
		snprintf(text, sizeof text, "%s: block %u warp %u", b->when, b->side->block, b->side->warp);
		canvas_text_fit(canvas, (struct rect){line.row, line.col, 1, LANES_LEAD - 1}, b->role, text);
		for (int lane = 0; lane < WARP_SIZE; lane++) {
			struct rect cell = {line.row, line.col + LANES_LEAD + lane * pitch, 1, pitch - (pitch > 2)};
			view_cell_number(lane, lane, pitch, text);
			if (b->side->lanes >> lane & 1)
				view_draw_cell(canvas, cell, b->role, text);
			else
				canvas_put(canvas, cell.row, cell.col + (pitch - 1) / 2, GLYPH_MIDDLE_DOT, ROLE_IDLE);
		}
		int col = line.col + LANES_LEAD + WARP_SIZE * pitch + 1;
		canvas_text_fit(canvas, (struct rect){line.row, col, 1, line.col + line.cols - col}, b->role,
			n_taking == 1 ? "1 lane" : (snprintf(text, sizeof text, "%d lanes", n_taking), text));
	}
	return row - r.row;
}

static void draw_defect(struct canvas *canvas, struct rect rect, const struct view_input *input)
{
	const struct view_defects *found = input->defects;
	if (found->n == 0) {
		canvas_text_fit(canvas, rect, ROLE_GOOD, "no defect");
		view_draw_sentence(canvas, (struct rect){rect.row + 2, rect.col, rect.rows - 2, rect.cols}, ROLE_TEXT,
			"The machine ran the whole launch with the detector on and found nothing wrong.");
		return;
	}
	if (input->roomy) {
		const struct view_defect *d = &found->at[0];
		struct view_notes notes = {0};
		view_notes_add(&notes, ROLE_TEXT, "%s", d->message);
		int rows = view_notes_fit(&notes, 3, rect.cols), row = rect.row, end = rect.row + rect.rows;
		canvas_text_fit(canvas, rect, ROLE_BAD, d->kind);
		if (input->defects->n > 1)
			canvas_textf(canvas, row, rect.col + utf8_columns(d->kind) + 2, ROLE_DIM,
				"and %d more defect%s", input->defects->n - 1, view_plural(input->defects->n - 1));
		view_notes_draw(canvas, (struct rect){row + 1, rect.col, rows, rect.cols}, &notes);
		row += 1 + rows + 1;
		bool two = d->other.who != NULL, lanes = d->here.lanes && end - row >= LEAST_ROWS + 2 + two;
		int cols = two ? (rect.cols - GAP) / 2 : rect.cols;
		int most = two ? TWO_ROWS_MAX : last_line(input) + 2;
		bool in_turn = d->here.block == d->other.block;
		struct side_box sides[] = {
			{.input = input, .side = &d->other, .role = ROLE_WAVE2, .when = in_turn ? "first" : "one"},
			{.input = input,
				.side = &d->here,
				.role = ROLE_CONFLICT,
				.when = !two      ? "here"
					: in_turn ? "then"
						  : "other"}};
		if (lanes)
			row += 1 +
				draw_sides_lanes(canvas, (struct rect){row, rect.col, end - row, rect.cols},
					&sides[!two], 1 + two);
		most = most < LEAST_ROWS ? LEAST_ROWS : most;
		int height = end - row > most ? most : end - row;
		struct rect left = {row, rect.col, height, cols},
			    right = {row, rect.col + rect.cols - cols, height, cols};
		sides[0].rect = left;
		sides[1].rect = two ? right : left;
		draw_box(canvas, &sides[1]);
		if (two) {
			draw_box(canvas, &sides[0]);

			/* What lies between two accesses that race: nothing. */
			struct rect r = {row, rect.col + cols + 1, height, rect.cols - 2 * cols - 2};
			const char *kind = strcmp(d->kind, "race") == 0 ? "no order" : "";
			int between_row = r.row + r.rows / 2;
			canvas_hline(canvas, between_row, r.col, r.cols, ROLE_CONFLICT);
			if (d->here.block == d->other.block)
				canvas_put(canvas, between_row, r.col + r.cols - 1, GLYPH_POINT_RIGHT, ROLE_CONFLICT);
			int between_cols = utf8_columns(kind);
			if (between_cols + 2 <= r.cols)
				canvas_textf(canvas, between_row, r.col + (r.cols - between_cols - 2) / 2,
					ROLE_CONFLICT, " %s ", kind);
		}
		row += height + 1;

		struct rect r = {row, rect.col, end - row, rect.cols};
		for (int i = 1; i < input->defects->n && i <= r.rows; i++) {
			const struct view_defect *also = &input->defects->at[i];
			char text[400];
			snprintf(text, sizeof text, "also line %d, %s: %s", also->here.line, also->kind, also->message);
			canvas_text_fit(canvas, (struct rect){r.row + i - 1, r.col, 1, r.cols}, ROLE_DIM, text);
		}

		return;
	}
	if (found->n > 1)
		canvas_textf(canvas, rect.row + rect.rows - 1, rect.col, ROLE_DIM, "and %d more defect%s", found->n - 1,
			view_plural(found->n - 1));

	/* Rows are left free after the kind, between the sides and before the message, the last one last, where the
	 * message is whole without them. */
	struct rect r = {rect.row, rect.col, rect.rows - (found->n > 1), rect.cols};
	const struct view_defect *d = &found->at[0];
	struct view_notes notes = {.n = 0};
	view_notes_add(&notes, ROLE_TEXT, "%s", d->message);
	canvas_text_fit(canvas, r, ROLE_BAD, d->kind);
	int each = r.rows >= (d->other.who ? 14 : 10) ? 3 : 2, free_rows = d->other.who ? 3 : 2;
	struct view_notes all = notes;
	int used = 1 + side_rows(&d->here, each, r.cols) + view_notes_fit(&all, ROWS_MOST, r.cols);
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

static void describe_defects(const struct view_input *input, struct buf *out)
{
	if (input->defects->n == 0)
		buf_puts(out, "No defect was found.\n");
	for (int i = 0; i < input->defects->n; i++) {
		const struct view_defect *d = &input->defects->at[i];
		buf_printf(out, "%s: %s. At line %d, %s", d->kind, d->message, d->here.line, d->here.who);
		if (d->other.who)
			buf_printf(out, "; and at line %d, %s", d->other.line, d->other.who);
		buf_puts(out, ".\n");
	}
}

const struct view_drawer view_drawer_defect = {.draw = draw_defect,
	.lacks = defect_lacks,
	.describe = describe_defects};
