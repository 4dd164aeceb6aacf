/* What limits the blocks on an SM: a row for each resource, and the warps that come of it. */
#include "front/view/occupancy.h"

#include "base/text.h"

#define NAME_COLS 11
#define NUMBER_COLS 5

static const char *occupancy_lacks(const struct view_input *input)
{
	if (input->occupancy.block.threads == 0)
		return "There is no launch here.";
	return input->occupancy.result.state == OCCUPANCY_UNKNOWN_CC
		? "The limits of this compute capability are not known."
		: NULL;
}

/* `filled` of `whole` in as many columns as there are; one of them at least, unless there is nothing. */
static void draw_bar(struct canvas *canvas, struct rect r, uint32_t filled, uint32_t whole)
{
	int full = whole ? (int)((uint64_t)(unsigned)r.cols * (filled < whole ? filled : whole) / whole) : 0;
	full = filled && whole && !full ? 1 : full;
	for (int i = 0; i < r.cols; i++)
		canvas_put(canvas, r.row, r.col + i, i < full ? GLYPH_SQUARE : GLYPH_MIDDLE_DOT,
			i < full ? ROLE_USED : ROLE_IDLE);
}

static void draw_resource(struct canvas *canvas, struct rect r, const struct view_occupancy *o,
	enum occupancy_resource which, uint32_t most)
{
	uint32_t blocks = o->result.by[which];
	bool limit = o->result.limits >> which & 1;
	int col = r.col + NAME_COLS, bar = r.cols - NAME_COLS - NUMBER_COLS - 2;
	canvas_put(canvas, r.row, r.col, limit ? GLYPH_POINT_RIGHT : ' ', ROLE_WATCHED);
	canvas_text_fit(canvas, (struct rect){r.row, r.col + 1, 1, NAME_COLS - 1}, limit ? ROLE_WATCHED : ROLE_TEXT,
		occupancy_resource_name(which));
	if (which == OCCUPANCY_REGISTERS && o->block.registers == 0)
		canvas_text_fit(canvas, (struct rect){r.row, col, 1, r.cols - NAME_COLS}, ROLE_MISSING,
			"not known: not recorded");
	else if (blocks == OCCUPANCY_UNLIMITED)
		canvas_text_fit(canvas, (struct rect){r.row, col, 1, r.cols - NAME_COLS}, ROLE_DIM, "no limit");
	else {
		canvas_textf(canvas, r.row, col, limit ? ROLE_WATCHED : ROLE_TEXT, "%*u", NUMBER_COLS, blocks);
		draw_bar(canvas, (struct rect){r.row, col + NUMBER_COLS + 1, 1, bar}, blocks, most);
	}
}

void view_occupancy_note(struct view_notes *notes, const struct view_occupancy *o, int cc)
{
	const struct occupancy *result = &o->result;
	struct buf limits = {0};
	for (int r = 0; r < OCCUPANCY_N; r++)
		if (result->limits >> r & 1)
			buf_printf(&limits, "%s%s", limits.len ? ", " : "",
				occupancy_resource_name((enum occupancy_resource)r));
	if (result->state == OCCUPANCY_IMPOSSIBLE)
		view_notes_add(notes, ROLE_BAD, "not one block fits: too much of %s", buf_str(&limits));
	else
		view_notes_add(notes, ROLE_STRONG, "%u\u00a0of %u\u00a0warps: %.4g\u00a0%%, limited by %s",
			result->warps, result->max_warps, result->percent, buf_str(&limits));
	if (occupancy_doubt(cc))
		view_notes_add(notes, ROLE_DIM, _("CC %d.%d: %s"), cc / 10, cc % 10, occupancy_doubt(cc));
	view_notes_add(notes, ROLE_DIM, "a block: %u\u00a0thread%s, %u\u00a0bytes of shared memory", o->block.threads,
		view_plural((int)o->block.threads), o->block.shared);
	buf_free(&limits);
}

static void draw_occupancy(struct canvas *canvas, struct rect rect, const struct view_input *input)
{
	const struct view_occupancy *o = &input->occupancy;
	if (input->roomy) {
		view_draw_occupancy_roomy(canvas, rect, input);
		return;
	}
	struct view_notes notes = {.n = 0};
	uint32_t most = o->result.by[OCCUPANCY_BLOCKS]; /* no more can be there, whatever the others admit */
	int row = rect.row, end = rect.row + rect.rows, gap = rect.rows >= 11;
	view_occupancy_note(&notes, o, input->cc);
	struct view_notes verdict = {.at = {notes.at[0]}, .n = 1}, rest = {.at = {notes.at[1]}, .n = notes.n - 1};
	int rows = view_notes_fit(&verdict, 2, rect.cols);
	view_notes_draw(canvas, (struct rect){row, rect.col, rows, rect.cols}, &verdict);
	row += rows;
	draw_bar(canvas, (struct rect){row++, rect.col, 1, rect.cols < 64 ? rect.cols : 64}, o->result.warps,
		o->result.max_warps);
	row += gap;
	canvas_text_fit(
		canvas, (struct rect){row++, rect.col + 1, 1, rect.cols - 1}, ROLE_DIM, "blocks that fit on an SM, by");
	for (int r = 0; r < OCCUPANCY_N && row < end; r++)
		draw_resource(
			canvas, (struct rect){row++, rect.col, 1, rect.cols}, o, (enum occupancy_resource)r, most);
	row += gap;
	if (row >= end)
		return;
	rows = view_notes_fit(&rest, end - row, rect.cols);
	view_notes_draw(canvas, (struct rect){row, rect.col, rows, rect.cols}, &rest);
}

const struct view_drawer view_drawer_occupancy = {.draw = draw_occupancy, .lacks = occupancy_lacks};
