/* What limits the blocks on an SM: a row for each resource, and the warps that come of it. */
#include <stdio.h>

#include "base/text.h"
#include "base/utf8.h"
#include "front/view/draw.h"
#include "front/view/launch.h"

#define NAME_COLS 11
#define NUMBER_COLS 5

static const char *occupancy_lacks(const struct view_input *input)
{
	if (input->occupancy->block.threads == 0)
		return "There is no launch here.";
	return input->occupancy->result.state == OCCUPANCY_UNKNOWN_CC
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

/* "32 of 64 warps: 50 %, limited by registers", and what a block is. */
static void occupancy_note(struct view_notes *notes, const struct view_occupancy *o, int cc)
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

/* The slots for warps of an SM as a grid, filled by the blocks that fit; beside it how many each resource admits;
 * below, where there is room, what these blocks take of each. */

#define GRID_COLS 16 /* slots of a row */
#define PITCH_MIN 3
#define PITCH_MAX 5
#define LABEL 4   /* "48 " */
#define BESIDE 42 /* columns of the resources, with those between */
#define ROOMY_NAME_COLS 12
#define ROOMY_NUMBER_COLS 13 /* "  32 blocks  " */

struct slots {
	struct rect rect;
	int pitch, gap;    /* columns of a slot; free rows between two rows of them */
	uint32_t n, block; /* slots, and those of a block */
};

/* --- what the blocks take ----------------------------------------------------------------------------------------- */

#define TAKEN_COLS 44 /* "  32 × 65536 = 2097152 of 2097152, 100 %" */

static void draw_occupancy_roomy(struct canvas *canvas, struct rect rect, const struct view_input *input)
{
	const struct view_occupancy *o = input->occupancy;
	struct view_notes notes = {0};
	struct slots g = {.n = o->result.max_warps, .block = (o->block.threads + WARP_SIZE - 1) / WARP_SIZE};
	occupancy_note(&notes, o, input->cc);
	if (o->result.state == OCCUPANCY_OK && o->result.warps < o->result.max_warps)
		notes.at[0].role = ROLE_CONFLICT;
	int rows = view_notes_fit(&notes, 3, rect.cols), row = rect.row + rows + 1;
	view_notes_draw(canvas, (struct rect){rect.row, rect.col, rows, rect.cols}, &notes);
	g.pitch = (rect.cols - LABEL - BESIDE) / GRID_COLS;
	g.pitch = g.pitch > PITCH_MAX ? PITCH_MAX : g.pitch < PITCH_MIN ? PITCH_MIN : g.pitch;
	int lines = (int)((g.n + GRID_COLS - 1) / GRID_COLS);
	int left = rect.row + rect.rows - row - 1;
	g.gap = left >= 2 * lines && (left < lines + 3 + OCCUPANCY_N || left >= 2 * lines + 4 + OCCUPANCY_N);
	g.rect = (struct rect){row + 1, rect.col, rect.rows - rows - 2, rect.cols};
	canvas_textf(canvas, row, rect.col, ROLE_DIM, "the %u slots for warps of an SM; a dot is a free one", g.n);

	for (uint32_t slot = 0; slot < g.n; slot++) {
		int slot_row = g.rect.row + (int)(slot / GRID_COLS) * (1 + g.gap);
		if (slot % GRID_COLS == 0)
			canvas_textf(canvas, slot_row, g.rect.col, ROLE_DIM, "%2u", slot);
		canvas_put(canvas, slot_row, g.rect.col + LABEL + (int)(slot % GRID_COLS) * g.pitch + (g.pitch - 1) / 2,
			GLYPH_MIDDLE_DOT, ROLE_IDLE);
	}
	for (uint32_t block = 0; block < o->result.blocks; block++) {
		uint32_t last = (block + 1) * g.block < g.n ? (block + 1) * g.block : g.n;
		for (uint32_t first = block * g.block, end; first < last; first = end) {
			end = (first / GRID_COLS + 1) * GRID_COLS;
			end = end < last ? end : last;

			/* Slots [first, end) of one row, which a block fills. */
			char text[32];
			int block_row = g.rect.row + (int)(first / GRID_COLS) * (1 + g.gap);
			struct rect r = {block_row, g.rect.col + LABEL + (int)(first % GRID_COLS) * g.pitch, 1,
				(int)(end - first) * g.pitch - 1};
			int cols = snprintf(text, sizeof text, " block %u ", block);
			if (cols > r.cols) {
				snprintf(text, sizeof text, "%2u", block);
				view_draw_cell(canvas, r, view_wave_role((int)(block & 3)), text);
			} else {
				canvas_label(canvas, r, view_wave_role((int)(block & 3)), text);
			}
		}
	}

	int right = rect.col + LABEL + GRID_COLS * g.pitch + 3, end = rect.col + rect.cols;
	end = end - right > 60 ? right + 60 : end;
	canvas_text_fit(canvas, (struct rect){row++, right, 1, end - right}, ROLE_DIM, "  blocks that fit, by");
	for (int r = 0; r < OCCUPANCY_N && row < rect.row + rect.rows; r++, row += 1 + g.gap) {
		struct rect line = {row, right, 1, end - right};
		enum occupancy_resource which = (enum occupancy_resource)r;
		/* twice the blocks that an SM has places for is more than any bar must show */
		uint32_t blocks = o->result.by[which], most = 2 * o->result.by[OCCUPANCY_BLOCKS];
		bool limit = o->result.limits >> which & 1;
		enum role role = !limit ? ROLE_USED : o->result.warps < o->result.max_warps ? ROLE_CONFLICT : ROLE_GOOD;
		int col = line.col + ROOMY_NAME_COLS;
		struct rect rest = {line.row, col, 1, line.cols - ROOMY_NAME_COLS};
		canvas_put(canvas, line.row, line.col, limit ? GLYPH_POINT_RIGHT : ' ', role);
		canvas_text_fit(canvas, (struct rect){line.row, line.col + 2, 1, ROOMY_NAME_COLS - 2},
			limit ? role : ROLE_TEXT, occupancy_resource_name(which));
		if (which == OCCUPANCY_REGISTERS && o->block.registers == 0) {
			canvas_text_fit(canvas, rest, ROLE_MISSING, "not known: not recorded");
		} else if (blocks == OCCUPANCY_UNLIMITED) {
			canvas_text_fit(canvas, rest, ROLE_DIM, "no limit");
		} else {
			canvas_textf(canvas, line.row, col, limit ? role : ROLE_TEXT, "%4u block%s", blocks,
				view_plural((int)blocks));
			view_draw_bar(canvas,
				(struct rect){line.row, col + ROOMY_NUMBER_COLS, 1, rest.cols - ROOMY_NUMBER_COLS},
				role, blocks, most);
		}
	}
	int below = g.rect.row + lines * (1 + g.gap);
	row = (row > below ? row : below) + !g.gap;
	if (rect.row + rect.rows - row > OCCUPANCY_N && o->result.blocks) {
		int bottom = rect.row + rect.rows, gap = bottom - row >= 2 * OCCUPANCY_N + 1;
		canvas_text_fit(canvas, (struct rect){row++, rect.col, 1, rect.cols}, ROLE_STRONG,
			"what these blocks are given of the SM: blocks × given to each, of what it has");
		for (int r = 0; r < OCCUPANCY_N && row < bottom; r++) {
			if (!occupancy_use(input->cc, &o->block, (enum occupancy_resource)r).sm)
				continue;

			/* A piece of the bar for each block, in the color that it has in the grid. */
			enum occupancy_resource which = (enum occupancy_resource)r;
			struct occupancy_use use = occupancy_use(input->cc, &o->block, which);
			uint64_t blocks = o->result.blocks,
				 taken_cols = (uint64_t)(rect.cols - ROOMY_NAME_COLS - TAKEN_COLS);
			char text[96];
			bool limit = o->result.limits >> which & 1;
			canvas_text_fit(canvas, (struct rect){row, rect.col, 1, ROOMY_NAME_COLS},
				limit ? ROLE_STRONG : ROLE_TEXT, occupancy_resource_name(which));
			canvas_fill(canvas, (struct rect){row, rect.col + ROOMY_NAME_COLS, 1, (int)taken_cols},
				GLYPH_MIDDLE_DOT, ROLE_IDLE);
			for (uint64_t i = 0; i < blocks; i++) {
				int from = (int)(taken_cols * i * use.block / use.sm),
				    to = (int)(taken_cols * (i + 1) * use.block / use.sm);
				to = to < (int)taken_cols ? to : (int)taken_cols;
				if (to > from)
					canvas_paint(canvas,
						(struct rect){row, rect.col + ROOMY_NAME_COLS + from, 1, to - from},
						view_wave_role((int)(i & 3)));
			}
			snprintf(text, sizeof text, "  %llu × %llu = %llu of %llu, %.0f %%", (unsigned long long)blocks,
				(unsigned long long)use.block, (unsigned long long)(blocks * use.block),
				(unsigned long long)use.sm, 100.0 * (double)(blocks * use.block) / (double)use.sm);
			canvas_text_fit(canvas,
				(struct rect){row, rect.col + ROOMY_NAME_COLS + (int)taken_cols, 1, TAKEN_COLS},
				limit ? ROLE_STRONG : ROLE_DIM, text);

			row += 1 + gap;
		}
	}
}

static void draw_occupancy(struct canvas *canvas, struct rect rect, const struct view_input *input)
{
	const struct view_occupancy *o = input->occupancy;
	if (input->roomy) {
		draw_occupancy_roomy(canvas, rect, input);
		return;
	}
	struct view_notes notes = {.n = 0};
	uint32_t most = o->result.by[OCCUPANCY_BLOCKS]; /* no more can be there, whatever the others admit */
	int row = rect.row, end = rect.row + rect.rows, gap = rect.rows >= 11;
	occupancy_note(&notes, o, input->cc);
	struct view_notes verdict = {.at = {notes.at[0]}, .n = 1}, rest = {.at = {notes.at[1]}, .n = notes.n - 1};
	int rows = view_notes_fit(&verdict, 2, rect.cols);
	view_notes_draw(canvas, (struct rect){row, rect.col, rows, rect.cols}, &verdict);
	row += rows;
	draw_bar(canvas, (struct rect){row++, rect.col, 1, rect.cols < 64 ? rect.cols : 64}, o->result.warps,
		o->result.max_warps);
	row += gap;
	canvas_text_fit(
		canvas, (struct rect){row++, rect.col + 1, 1, rect.cols - 1}, ROLE_DIM, "blocks that fit on an SM, by");
	for (int r = 0; r < OCCUPANCY_N && row < end; r++) {
		struct rect line = {row++, rect.col, 1, rect.cols};
		enum occupancy_resource which = (enum occupancy_resource)r;
		uint32_t blocks = o->result.by[which];
		bool limit = o->result.limits >> which & 1;
		int col = line.col + NAME_COLS, bar = line.cols - NAME_COLS - NUMBER_COLS - 2;
		canvas_put(canvas, line.row, line.col, limit ? GLYPH_POINT_RIGHT : ' ', ROLE_WATCHED);
		canvas_text_fit(canvas, (struct rect){line.row, line.col + 1, 1, NAME_COLS - 1},
			limit ? ROLE_WATCHED : ROLE_TEXT, occupancy_resource_name(which));
		if (which == OCCUPANCY_REGISTERS && o->block.registers == 0)
			canvas_text_fit(canvas, (struct rect){line.row, col, 1, line.cols - NAME_COLS}, ROLE_MISSING,
				"not known: not recorded");
		else if (blocks == OCCUPANCY_UNLIMITED)
			canvas_text_fit(
				canvas, (struct rect){line.row, col, 1, line.cols - NAME_COLS}, ROLE_DIM, "no limit");
		else {
			canvas_textf(
				canvas, line.row, col, limit ? ROLE_WATCHED : ROLE_TEXT, "%*u", NUMBER_COLS, blocks);
			draw_bar(canvas, (struct rect){line.row, col + NUMBER_COLS + 1, 1, bar}, blocks, most);
		}
	}
	row += gap;
	if (row >= end)
		return;
	rows = view_notes_fit(&rest, end - row, rect.cols);
	view_notes_draw(canvas, (struct rect){row, rect.col, rows, rect.cols}, &rest);
}

static void describe_occupancy(const struct view_input *input, struct buf *out)
{
	const struct occupancy *o = &input->occupancy->result;
	if (occupancy_doubt(input->cc))
		buf_printf(out, _("The limits of CC %d.%d are %s.\n"), input->cc / 10, input->cc % 10,
			occupancy_doubt(input->cc));
	buf_printf(out, "%u block%s on an SM: %u of its %u slots for warps %s taken.\n", o->blocks,
		o->blocks == 1 ? " fits" : "s fit", o->warps, o->max_warps, o->warps == 1 ? "is" : "are");
	for (int r = 0; r < OCCUPANCY_N; r++)
		if (o->by[r] != OCCUPANCY_UNLIMITED)
			buf_printf(out, "By %s: %u block%s%s.\n", occupancy_resource_name((enum occupancy_resource)r),
				o->by[r], o->by[r] == 1 ? "" : "s", o->limits >> r & 1 ? ", which is the limit" : "");
}

const struct view_drawer view_drawer_occupancy = {.draw = draw_occupancy,
	.lacks = occupancy_lacks,
	.describe = describe_occupancy};
