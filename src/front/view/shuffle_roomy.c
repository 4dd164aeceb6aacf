/* A shuffle in cells: above what the lanes have, below what they get, in the color of the lane that it comes from, and between them how
 * far it came; where there is room, the way of each value. */
#include <stdio.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "front/view/light.h"
#include "front/view/shuffle.h"

#define LEAD 10
#define PITCH_MAX 6
#define COLORED 8  /* lanes of one color */
#define WAYS_MIN 4 /* rows that show a way */
#define WAYS_MAX 20

struct shuffle_cells {
	struct rect rect;
	int pitch;
	int ways; /* rows between what the lanes have and what they get */
};

static struct rect cell_of(const struct shuffle_cells *g, int row, int lane)
{
	return (struct rect){row, g->rect.col + LEAD + lane * g->pitch, 1, g->pitch - (g->pitch > 2)};
}

static void draw_value(struct canvas *canvas, const struct shuffle_cells *g, int row, const struct view_input *input,
	const int lane_and_from[2])
{
	char text[8];
	int lane = lane_and_from[0], from = lane_and_from[1];
	struct rect r = cell_of(g, row, lane);
	view_cell_number(from, lane, g->pitch, text);
	view_draw_cell(canvas, r, view_wave_role(from / COLORED), text);
	view_spot(canvas, input, r, &(struct view_shows){{THING_LANE, from}, (uint32_t)1 << from, {0}});
}

/* "◂4": from four lanes to the right. */
static void draw_way(struct canvas *canvas, const struct shuffle_cells *g, int row, int lane, int from)
{
	struct rect r = cell_of(g, row, lane);
	char text[16];
	if (from == lane)
		snprintf(text, sizeof text, "=");
	else
		snprintf(text, sizeof text, from > lane ? "◂%d" : "%d▸", abs(from - lane));
	if (utf8_columns(text) > r.cols && lane % 2)
		return; /* no room beside that of its neighbor */
	int before = (r.cols - (from == lane ? 1 : abs(from - lane) > 9 ? 3 : 2)) / 2;
	canvas_text(canvas, row, r.col + (before > 0 ? before : 0), from == lane ? ROLE_IDLE : ROLE_TEXT, text);
}

/* Row `i` of the ways from the lanes that have the values to those that get them, a step to the side in each row. Where two cross, the
 * later one is seen. */
static void draw_steps(
	struct canvas *canvas, const struct shuffle_cells *g, int row, const struct view_input *input, int i)
{
	const struct warp_shuffle *s = input->shuffle;
	int seen[WARP_SIZE * PITCH_MAX], begin = cell_of(g, row, 0).col;
	for (int col = 0; col < WARP_SIZE * g->pitch; col++)
		seen[col] = -1;
	for (int lane = 0; lane < WARP_SIZE; lane++) {
		int first = s->from[lane] * g->pitch, way = lane * g->pitch - first, far = way * (2 * i + 1);
		if (s->active >> lane & 1)
			seen[first + (far + (far < 0 ? -g->ways : g->ways)) / (2 * g->ways)] = s->from[lane];
	}
	for (int col = 0; col < WARP_SIZE * g->pitch; col++) {
		struct rect r = {row + i, begin + col + (g->pitch - 1) / 2, 1, 1};
		if (seen[col] < 0)
			continue;
		canvas_paint(canvas, r, view_wave_role(seen[col] / COLORED));
		view_spot(
			canvas, input, r, &(struct view_shows){{THING_LANE, seen[col]}, (uint32_t)1 << seen[col], {0}});
	}
}

static void draw_lane(
	struct canvas *canvas, const struct shuffle_cells *g, int row, const struct view_input *input, int lane)
{
	const struct warp_shuffle *s = input->shuffle;
	struct rect r = cell_of(g, row, lane);
	char text[8];
	view_cell_number(lane, lane, g->pitch, text);
	canvas_text(canvas, row, r.col + (r.cols - 2) / 2, ROLE_DIM, text);
	draw_value(canvas, g, row + 1, input, (int[]){lane, lane});
	row += g->ways;
	if (!(s->active >> lane & 1)) {
		canvas_put(canvas, row + 3, r.col + r.cols / 2, GLYPH_MIDDLE_DOT, ROLE_IDLE);
		return;
	}
	if (*text)
		draw_way(canvas, g, row + 2, lane, s->from[lane]);
	draw_value(canvas, g, row + 3, input, (int[]){lane, s->from[lane]});
}

/* The signs that are in the picture, each with a lane that has it: "◂4: from 4 lanes to the right". */
static void note_ways(struct view_notes *notes, const struct warp_shuffle *s)
{
	int right = 0, left = 0;
	bool own = false;
	for (int lane = WARP_SIZE - 1; lane >= 0; lane--) {
		int by = s->active >> lane & 1 ? s->from[lane] - lane : 0;
		right = by > 0 ? by : right;
		left = by < 0 ? -by : left;
		own = own || (s->active >> lane & 1 && by == 0);
	}
	struct buf text = {0};
	if (right)
		buf_printf(&text, "; ◂%d: from %d lane%s to the right", right, right, view_plural(right));
	if (left)
		buf_printf(&text, "; %d▸: from %d lane%s to the left", left, left, view_plural(left));
	view_notes_add(notes, ROLE_DIM, "a value keeps the color of the lane that had it%s%s", buf_str(&text),
		own ? "; =: its own" : "");
	buf_free(&text);
}

void view_draw_shuffle_roomy(struct canvas *canvas, struct rect rect, const struct view_input *input)
{
	static const char *const labels[] = {"lane", "has", "from", "gets"};
	struct shuffle_cells g = {.rect = rect, .pitch = (rect.cols - LEAD) / WARP_SIZE};
	struct view_notes above = {0}, below = {0};
	g.pitch = g.pitch > PITCH_MAX ? PITCH_MAX : g.pitch < 2 ? 2 : g.pitch;
	view_shuffle_note(&above, input->shuffle, false, false);
	int row = rect.row, rows = view_notes_fit(&above, rect.rows - 5, rect.cols);
	view_notes_draw(canvas, (struct rect){row, rect.col, rows, rect.cols}, &above);
	row += rows + (rows + 6 < rect.rows);
	int free_rows = rect.row + rect.rows - row - 4 - 2;
	g.ways = free_rows < WAYS_MIN ? 0 : free_rows > WAYS_MAX ? WAYS_MAX : free_rows;
	for (int i = 0; i < 4; i++)
		canvas_text(canvas, row + i + (i > 1 ? g.ways : 0), rect.col, ROLE_DIM, labels[i]);
	for (int lane = 0; lane < WARP_SIZE; lane++)
		draw_lane(canvas, &g, row, input, lane);
	for (int i = 0; i < g.ways; i++)
		draw_steps(canvas, &g, row + 2, input, i);
	row += 4 + g.ways;
	note_ways(&below, input->shuffle);
	row += row + 1 < rect.row + rect.rows;
	view_notes_draw(canvas, (struct rect){row, rect.col, rect.row + rect.rows - row, rect.cols}, &below);
}
