/* The slots for warps of an SM as a grid, filled by the blocks that fit; beside it how many each resource admits; below, where there is
 * room, what these blocks take of each. */
#include <stdio.h>

#include "base/utf8.h"
#include "front/view/occupancy.h"

#define GRID_COLS 16 /* slots of a row */
#define PITCH_MIN 3
#define PITCH_MAX 5
#define LABEL 4   /* "48 " */
#define BESIDE 42 /* columns of the resources, with those between */
#define NAME_COLS 12
#define NUMBER_COLS 13 /* "  32 blocks  " */

struct slots {
	struct rect rect;
	int pitch, gap;    /* columns of a slot; free rows between two rows of them */
	uint32_t n, block; /* slots, and those of a block */
};

/* Slots [first, end) of one row, which a block fills. */
static void draw_piece(struct canvas *canvas, const struct slots *g, uint32_t first, uint32_t end, uint32_t block)
{
	char text[32];
	int row = g->rect.row + (int)(first / GRID_COLS) * (1 + g->gap);
	struct rect r = {
		row, g->rect.col + LABEL + (int)(first % GRID_COLS) * g->pitch, 1, (int)(end - first) * g->pitch - 1};
	int cols = snprintf(text, sizeof text, " block %u ", block);
	if (cols > r.cols) {
		snprintf(text, sizeof text, "%2u", block);
		view_draw_cell(canvas, r, view_wave_role((int)(block & 3)), text);
	} else {
		canvas_label(canvas, r, view_wave_role((int)(block & 3)), text);
	}
}

static void draw_slots(struct canvas *canvas, const struct slots *g, uint32_t blocks)
{
	for (uint32_t slot = 0; slot < g->n; slot++) {
		int row = g->rect.row + (int)(slot / GRID_COLS) * (1 + g->gap);
		if (slot % GRID_COLS == 0)
			canvas_textf(canvas, row, g->rect.col, ROLE_DIM, "%2u", slot);
		canvas_put(canvas, row, g->rect.col + LABEL + (int)(slot % GRID_COLS) * g->pitch + (g->pitch - 1) / 2,
			GLYPH_MIDDLE_DOT, ROLE_IDLE);
	}
	for (uint32_t block = 0; block < blocks; block++) {
		uint32_t last = (block + 1) * g->block < g->n ? (block + 1) * g->block : g->n;
		for (uint32_t first = block * g->block, end; first < last; first = end) {
			end = (first / GRID_COLS + 1) * GRID_COLS;
			end = end < last ? end : last;
			draw_piece(canvas, g, first, end, block);
		}
	}
}

static void draw_resource(
	struct canvas *canvas, struct rect r, const struct view_occupancy *o, enum occupancy_resource which)
{
	/* twice the blocks that an SM has places for is more than any bar must show */
	uint32_t blocks = o->result.by[which], most = 2 * o->result.by[OCCUPANCY_BLOCKS];
	bool limit = o->result.limits >> which & 1;
	enum role role = !limit ? ROLE_USED : o->result.warps < o->result.max_warps ? ROLE_CONFLICT : ROLE_GOOD;
	int col = r.col + NAME_COLS;
	struct rect rest = {r.row, col, 1, r.cols - NAME_COLS};
	canvas_put(canvas, r.row, r.col, limit ? GLYPH_POINT_RIGHT : ' ', role);
	canvas_text_fit(canvas, (struct rect){r.row, r.col + 2, 1, NAME_COLS - 2}, limit ? role : ROLE_TEXT,
		occupancy_resource_name(which));
	if (which == OCCUPANCY_REGISTERS && o->block.registers == 0) {
		canvas_text_fit(canvas, rest, ROLE_MISSING, "not known: not recorded");
	} else if (blocks == OCCUPANCY_UNLIMITED) {
		canvas_text_fit(canvas, rest, ROLE_DIM, "no limit");
	} else {
		canvas_textf(
			canvas, r.row, col, limit ? role : ROLE_TEXT, "%4u block%s", blocks, view_plural((int)blocks));
		view_draw_bar(canvas, (struct rect){r.row, col + NUMBER_COLS, 1, rest.cols - NUMBER_COLS}, role, blocks,
			most);
	}
}

/* --- what the blocks take ----------------------------------------------------------------------------------------- */
#define TAKEN_COLS 44 /* "  32 × 65536 = 2097152 of 2097152, 100 %" */

/* A piece of the bar for each block, in the color that it has in the grid. */
static void draw_taken(
	struct canvas *canvas, struct rect r, const struct view_input *input, enum occupancy_resource which)
{
	const struct view_occupancy *o = &input->occupancy;
	struct occupancy_use use = occupancy_use(input->cc, &o->block, which);
	uint64_t blocks = o->result.blocks, cols = (uint64_t)(r.cols - NAME_COLS - TAKEN_COLS);
	char text[96];
	bool limit = o->result.limits >> which & 1;
	canvas_text_fit(canvas, (struct rect){r.row, r.col, 1, NAME_COLS}, limit ? ROLE_STRONG : ROLE_TEXT,
		occupancy_resource_name(which));
	canvas_fill(canvas, (struct rect){r.row, r.col + NAME_COLS, 1, (int)cols}, GLYPH_MIDDLE_DOT, ROLE_IDLE);
	for (uint64_t i = 0; i < blocks; i++) {
		int from = (int)(cols * i * use.block / use.sm), to = (int)(cols * (i + 1) * use.block / use.sm);
		to = to < (int)cols ? to : (int)cols;
		if (to > from)
			canvas_paint(canvas, (struct rect){r.row, r.col + NAME_COLS + from, 1, to - from},
				view_wave_role((int)(i & 3)));
	}
	snprintf(text, sizeof text, "  %llu × %llu = %llu of %llu, %.0f %%", (unsigned long long)blocks,
		(unsigned long long)use.block, (unsigned long long)(blocks * use.block), (unsigned long long)use.sm,
		100.0 * (double)(blocks * use.block) / (double)use.sm);
	canvas_text_fit(canvas, (struct rect){r.row, r.col + NAME_COLS + (int)cols, 1, TAKEN_COLS},
		limit ? ROLE_STRONG : ROLE_DIM, text);
}

static void draw_all_taken(struct canvas *canvas, struct rect rect, const struct view_input *input)
{
	int row = rect.row, end = rect.row + rect.rows, gap = rect.rows >= 2 * OCCUPANCY_N + 1;
	canvas_text_fit(canvas, (struct rect){row++, rect.col, 1, rect.cols}, ROLE_STRONG,
		"what these blocks are given of the SM: blocks × given to each, of what it has");
	for (int r = 0; r < OCCUPANCY_N && row < end; r++) {
		if (!occupancy_use(input->cc, &input->occupancy.block, (enum occupancy_resource)r).sm)
			continue;
		draw_taken(canvas, (struct rect){row, rect.col, 1, rect.cols}, input, (enum occupancy_resource)r);
		row += 1 + gap;
	}
}

void view_draw_occupancy_roomy(struct canvas *canvas, struct rect rect, const struct view_input *input)
{
	const struct view_occupancy *o = &input->occupancy;
	struct view_notes notes = {0};
	struct slots g = {.n = o->result.max_warps, .block = (o->block.threads + WARP_SIZE - 1) / WARP_SIZE};
	view_occupancy_note(&notes, o, input->cc);
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
	draw_slots(canvas, &g, o->result.blocks);
	int right = rect.col + LABEL + GRID_COLS * g.pitch + 3, end = rect.col + rect.cols;
	end = end - right > 60 ? right + 60 : end;
	canvas_text_fit(canvas, (struct rect){row++, right, 1, end - right}, ROLE_DIM, "  blocks that fit, by");
	for (int r = 0; r < OCCUPANCY_N && row < rect.row + rect.rows; r++, row += 1 + g.gap)
		draw_resource(canvas, (struct rect){row, right, 1, end - right}, o, (enum occupancy_resource)r);
	int below = g.rect.row + lines * (1 + g.gap);
	row = (row > below ? row : below) + !g.gap;
	if (rect.row + rect.rows - row > OCCUPANCY_N && o->result.blocks)
		draw_all_taken(canvas, (struct rect){row, rect.col, rect.row + rect.rows - row, rect.cols}, input);
}
