/* Atomics in cells: a row for each address, in it the lanes that change it, one turn after the other. Where there is room, below, a row
 * for each turn: which lanes it serves, and which still wait. */
#include <stdio.h>

#include "base/utf8.h"
#include "front/view/atomics.h"
#include "front/view/light.h"

#define LEAD 12
#define TAIL 10 /* "  32 lanes" */
#define PITCH_MIN 3
#define PITCH_MAX 6
#define LADDER_ROWS 7 /* its title, the lanes, and some turns */

struct turn_cells {
	struct rect rect;
	int pitch, gap;
};

static struct rect turn_rect(const struct turn_cells *g, int row, int turn, int n)
{
	return (struct rect){row, g->rect.col + LEAD + turn * g->pitch, 1, n * g->pitch - (g->pitch > 2)};
}

/* One cell for all lanes that are added up. */
static void draw_together(
	struct canvas *canvas, const struct turn_cells *g, int row, const struct view_atomics *a, uint32_t lanes)
{
	struct buf text = {0};
	buf_puts(&text, " ");
	view_write_lanes(lanes, 4, &text);
	buf_puts(&text, " ");
	int n = (utf8_columns(buf_str(&text)) + g->pitch) / g->pitch;
	struct rect r = turn_rect(g, row, 0, n < WARP_SIZE ? n : WARP_SIZE);
	view_draw_cell(canvas, r, view_wave_role(0), buf_str(&text));
	view_spot(canvas, a->input, r, &(struct view_shows){{THING_LANE, __builtin_ctz(lanes)}, lanes, {0}});
	buf_free(&text);
}

static void draw_address(struct canvas *canvas, const struct turn_cells *g, int row, const struct view_atomics *a,
	const struct view_atomic_group *group)
{
	int n = __builtin_popcount(group->lanes), turn = 0;
	char text[40], number[8];
	snprintf(text, sizeof text, "byte %llu", (unsigned long long)view_atomics_byte(a, group));
	canvas_text_fit(canvas, (struct rect){row, g->rect.col, 1, LEAD - 1}, ROLE_DIM, text);
	if (a->together && n > 1) {
		draw_together(canvas, g, row, a, group->lanes);
	} else {
		for (uint32_t rest = group->lanes; rest && (!a->moment || turn < a->moment); rest &= rest - 1, turn++) {
			int lane = __builtin_ctz(rest);
			struct rect r = turn_rect(g, row, turn, 1);
			view_cell_number(lane, turn, g->pitch, number);
			view_draw_cell(canvas, r, view_wave_role(turn), number);
			view_spot(canvas, a->input, r,
				&(struct view_shows){{THING_LANE, lane}, (uint32_t)1 << lane, {0}});
		}
		for (; turn < a->turns; turn++)
			canvas_put(canvas, row, turn_rect(g, row, turn, 1).col + (g->pitch - 1) / 2, GLYPH_MIDDLE_DOT,
				ROLE_IDLE);
	}
	int right = g->rect.col + LEAD + WARP_SIZE * g->pitch;
	if (g->rect.col + g->rect.cols - right >= TAIL - 2)
		canvas_textf(canvas, row, right + (g->pitch < 3), n > 1 && !a->together ? ROLE_CONFLICT : ROLE_DIM,
			"%2d lane%s", n, view_plural(n));
}

static void draw_turns(struct canvas *canvas, const struct turn_cells *g, int row, const struct view_atomics *a)
{
	char text[8];
	canvas_text(canvas, row, g->rect.col, ROLE_DIM, "turn");
	for (int turn = 0; turn < a->turns; turn++) {
		struct rect r = turn_rect(g, row, turn, 1);
		view_cell_number(turn + 1, turn, g->pitch, text);
		canvas_text(canvas, row, r.col + (r.cols - 2) / 2, ROLE_DIM, text);
	}
}

/* --- turn by turn ------------------------------------------------------------------------------------------------- */
static void draw_one_turn(
	struct canvas *canvas, const struct turn_cells *g, int row, const struct view_atomics *a, int turn)
{
	int later = 0;
	char number[8];
	canvas_textf(canvas, row, g->rect.col, view_wave_role(turn), "turn %d", turn + 1);
	for (int lane = 0; lane < WARP_SIZE; lane++) {
		int of = view_atomics_turn_of(a, lane);
		struct rect r = turn_rect(g, row, lane, 1);
		later += of > turn;
		if (of > turn)
			canvas_put(canvas, row, r.col + (g->pitch - 1) / 2, GLYPH_MIDDLE_DOT, ROLE_IDLE);
		if (of != turn)
			continue;
		view_cell_number(lane, lane, g->pitch, number);
		view_draw_cell(canvas, r, view_wave_role(turn), number);
		view_spot(canvas, a->input, r, &(struct view_shows){{THING_LANE, lane}, (uint32_t)1 << lane, {0}});
	}
	int right = g->rect.col + LEAD + WARP_SIZE * g->pitch;
	if (g->rect.col + g->rect.cols - right >= TAIL && later)
		canvas_textf(canvas, row, right, ROLE_DIM, "%2d wait%s", later, later == 1 ? "s" : "");
}

static void draw_ladder(
	struct canvas *canvas, struct rect rect, const struct turn_cells *g, const struct view_atomics *a)
{
	int row = rect.row, end = rect.row + rect.rows, turns = a->moment ? a->moment : a->turns;
	char text[8];
	canvas_text_fit(canvas, (struct rect){row++, rect.col, 1, rect.cols}, ROLE_STRONG,
		"turn by turn: the lanes that it serves; ·: a lane that waits");
	canvas_text(canvas, row, rect.col, ROLE_DIM, "lane");
	for (int lane = 0; lane < WARP_SIZE; lane++) {
		struct rect r = turn_rect(g, row, lane, 1);
		view_cell_number(lane, lane, g->pitch, text);
		canvas_text(canvas, row, r.col + (r.cols - 2) / 2, ROLE_DIM, text);
	}
	row++;
	struct view_elision e = view_elide(turns, end - row);
	for (int i = 0; i < e.head; i++)
		draw_one_turn(canvas, g, row++, a, i);
	if (e.left_out)
		canvas_textf(
			canvas, row++, rect.col, ROLE_STRONG, "⋮ %d more turn%s", e.left_out, view_plural(e.left_out));
	for (int i = turns - e.tail; i < turns; i++)
		draw_one_turn(canvas, g, row++, a, i);
}

void view_draw_atomics_roomy(struct canvas *canvas, struct rect rect, const struct view_atomics *a)
{
	struct turn_cells g = {.rect = rect, .pitch = (rect.cols - LEAD - TAIL) / WARP_SIZE};
	struct view_notes above = {0}, below = {0};
	g.pitch = g.pitch > PITCH_MAX ? PITCH_MAX : g.pitch < PITCH_MIN ? (rect.cols - LEAD) / WARP_SIZE : g.pitch;
	view_atomics_note(&above, a);
	view_notes_add(&below, ROLE_DIM, "%s",
		a->together ? "in a cell: the lanes" : "in a cell: the lane; a column: one turn");
	view_atomics_note_rest(&below, a);
	int row = rect.row, end = rect.row + rect.rows, rows = view_notes_fit(&above, rect.rows - 6, rect.cols);
	view_notes_draw(canvas, (struct rect){row, rect.col, rows, rect.cols}, &above);
	row += rows + (rect.rows > 12);
	draw_turns(canvas, &g, row++, a);
	rows = view_notes_fit(&below, rect.rows > 12 ? 3 : 1, rect.cols);
	g.gap = end - row - rows >= 2 * a->n;
	struct view_elision e = view_elide(a->n, (end - row - rows) / (1 + g.gap));
	for (int i = 0; i < e.head; i++, row += 1 + g.gap)
		draw_address(canvas, &g, row, a, &a->groups[i]);
	if (e.left_out)
		canvas_textf(canvas, row++, rect.col, ROLE_STRONG, "⋮ %d more addresses", e.left_out);
	for (int i = a->n - e.tail; i < a->n; i++, row += 1 + g.gap)
		draw_address(canvas, &g, row, a, &a->groups[i]);
	row += !g.gap && row + rows < end;
	view_notes_draw(canvas, (struct rect){row, rect.col, rows, rect.cols}, &below);
	row += rows + 1;
	if (a->turns > 1 && end - row >= LADDER_ROWS)
		draw_ladder(canvas, (struct rect){row, rect.col, end - row, rect.cols}, &g, a);
}
