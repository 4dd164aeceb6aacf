/* The warps of a block in cells: one for each lane that has a thread, filled where it takes part in the watched line. Of a block of two
 * or three dimensions the watched warp has its threads' coordinates below. */
#include <stdio.h>

#include "base/utf8.h"
#include "view/lanes.h"
#include "view/light.h"

#define LEAD 10
#define TAIL 29 /* "  threads 992–1023  32 of 32" */
#define PITCH_MIN 3
#define PITCH_MAX 6

struct lanes_cells {
	struct rect rect;
	int pitch, gap;
	bool tail;
};

static struct lanes_cells fit_cells(struct rect rect)
{
	struct lanes_cells g = {.rect = rect};
	g.tail = rect.cols >= LEAD + PITCH_MIN * WARP_SIZE + TAIL;
	g.pitch = (rect.cols - LEAD - (g.tail ? TAIL : 0)) / WARP_SIZE;
	g.pitch = g.pitch > PITCH_MAX ? PITCH_MAX : g.pitch < PITCH_MIN ? 2 : g.pitch;
	return g;
}

static struct rect lane_rect(const struct lanes_cells *g, int row, int lane)
{
	int space = g->pitch > 2;
	return (struct rect){row, g->rect.col + LEAD + lane * g->pitch, 1, g->pitch - space};
}

static void draw_lane_cells(
	struct canvas *canvas, const struct lanes_cells *g, int row, const struct view_input *input, uint32_t warp)
{
	const struct view_launch *l = &input->launch;
	bool known = view_lanes_parts_known(l), watched = warp == l->watched_warp;
	int there = view_lanes_of_warp(l, warp);
	for (int lane = 0; lane < WARP_SIZE; lane++) {
		struct rect r = lane_rect(g, row, lane);
		char text[8];
		view_cell_number(lane, lane, g->pitch, text);
		if (lane >= there)
			canvas_fill(canvas, r, GLYPH_BLOCK_LIGHT, ROLE_WASTED);
		else if (!known || view_lanes_parts_of(l, warp) >> lane & 1)
			view_draw_cell(canvas, r, known && watched ? ROLE_WATCHED : ROLE_LANE, text);
		else
			canvas_put(canvas, row, r.col + r.cols / 2, GLYPH_MIDDLE_DOT, ROLE_IDLE);
		if (lane < there && watched)
			view_spot(canvas, input, r, &(struct view_shows){{THING_LANE, lane}, (uint32_t)1 << lane, {0}});
	}
}

static void draw_warp(
	struct canvas *canvas, const struct lanes_cells *g, int row, const struct view_input *input, uint32_t warp)
{
	const struct view_launch *l = &input->launch;
	bool watched = warp == l->watched_warp;
	uint32_t first = warp * WARP_SIZE;
	int there = view_lanes_of_warp(l, warp), end = g->rect.col + LEAD + WARP_SIZE * g->pitch;
	canvas_put(canvas, row, g->rect.col, watched ? GLYPH_POINT_RIGHT : ' ', ROLE_WATCHED);
	canvas_textf(canvas, row, g->rect.col + 2, watched ? ROLE_WATCHED : ROLE_DIM, "warp %u", warp);
	view_spot_of(canvas, input, (struct rect){row, g->rect.col, 1, LEAD - 1}, THING_WARP,
		view_warp_index(l->watched_block, warp));
	draw_lane_cells(canvas, g, row, input, warp);
	if (!g->tail)
		return;
	int col = end + 1 +
		canvas_textf(canvas, row, end + 1, ROLE_DIM, "threads %u–%u", first, first + (uint32_t)there - 1);
	if (view_lanes_parts_known(l))
		canvas_textf(canvas, row, col + 2, watched ? ROLE_WATCHED : ROLE_DIM, "%d of %d",
			__builtin_popcount(view_lanes_parts_of(l, warp)), there);
}

/* A row for each coordinate of the watched warp's threads; neighbors with the same one are one cell. Returns the rows. */
static int draw_places(struct canvas *canvas, const struct lanes_cells *g, int row, const struct view_input *input)
{
	static const char names[] = {'x', 'y', 'z'};
	const struct view_launch *l = &input->launch;
	int dims = view_lanes_dimensions(l), there = view_lanes_of_warp(l, l->watched_warp);
	for (int d = 0; d < dims; d++) {
		canvas_textf(canvas, row + d, g->rect.col, ROLE_DIM, "  %c", names[d]);
		for (int lane = 0, end; lane < there; lane = end) {
			uint32_t at[3], next[3];
			char text[16];
			view_lanes_place(l, l->watched_warp * WARP_SIZE + (uint32_t)lane, at);
			for (end = lane + 1; end < there; end++) {
				view_lanes_place(l, l->watched_warp * WARP_SIZE + (uint32_t)end, next);
				if (next[d] != at[d])
					break;
			}
			struct rect r = lane_rect(g, row + d, lane);
			r.cols += (end - lane - 1) * g->pitch;
			snprintf(text, sizeof text, "%u", at[d]);
			if (d == 0)
				canvas_text_fit(canvas, r, at[1] % 2 ? ROLE_WAVE2 : ROLE_WAVE1, text);
			else
				view_draw_cell(canvas, r, view_wave_role((int)(at[d] % 2)), text);
		}
	}
	return dims;
}

/* Warps around the watched one, where not all have room. */
static int draw_warps(struct canvas *canvas, const struct lanes_cells *g, struct rect r, const struct view_input *input)
{
	int warps = (int)warp_count(view_lanes_threads(&input->launch)), row = r.row, step = 1 + g->gap;
	struct view_elision e = view_elide(warps, r.rows / step);
	int watched = (int)input->launch.watched_warp;
	for (int i = 0; i < e.head; i++, row += step) /* the watched one is never left out */
		draw_warp(canvas, g, row, input,
			(uint32_t)(i == e.head - 1 && watched >= e.head && watched < warps - e.tail ? watched : i));
	if (e.left_out) {
		canvas_textf(canvas, row, r.col + 2, ROLE_STRONG, "⋮ %d more warps", e.left_out);
		row += step;
	}
	for (int i = warps - e.tail; i < warps; i++, row += step)
		draw_warp(canvas, g, row, input, (uint32_t)i);
	return row;
}

void view_draw_lanes_roomy(struct canvas *canvas, struct rect rect, const struct view_input *input)
{
	struct lanes_cells g = fit_cells(rect);
	struct view_notes notes = {.n = 0};
	int warps = (int)warp_count(view_lanes_threads(&input->launch)), dims = view_lanes_dimensions(&input->launch);
	view_lanes_note(&notes, input, true);
	int rows = view_notes_fit(&notes, rect.rows / 3, rect.cols), row = rect.row, end = rect.row + rect.rows;
	int room = rect.rows - rows - 2 - (dims ? dims + 1 : 0);
	g.gap = room >= 2 * warps;
	canvas_text(canvas, row, rect.col + 2, ROLE_DIM, "lane");
	for (int lane = 0; lane < WARP_SIZE; lane++) {
		struct rect r = lane_rect(&g, row, lane);
		char text[8];
		view_cell_number(lane, lane, g.pitch, text);
		canvas_text(canvas, row, r.col + (r.cols - 2) / 2, ROLE_DIM, text);
	}
	row = draw_warps(canvas, &g, (struct rect){row + 1, rect.col, room, rect.cols}, input);
	row += dims && !g.gap && row + 3 + dims + rows <= end;
	if (dims && row + 1 + dims <= end) {
		canvas_textf(canvas, row++, rect.col, ROLE_TITLE, "threadIdx of warp %u, in the block of %u × %u × %u",
			input->launch.watched_warp, input->launch.block[0], input->launch.block[1],
			input->launch.block[2]);
		row += draw_places(canvas, &g, row, input);
	}
	row += row + rows < end;
	view_notes_draw(canvas, (struct rect){row, rect.col, end - row, rect.cols}, &notes);
}
