/* A shuffle: under each lane the lane whose value it gets, and on which side that one is. */
#include <stdio.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "front/view/draw.h"
#include "front/view/views.h"
#include "machine/warp/warp.h"

#define LABEL 9 /* "lane     " */
#define ROWS 3  /* lanes, whose value they get, from which side */

/* Columns: a label, then `pitch` columns per lane. */
struct shuffle_grid {
	const struct view_input *input;
	struct canvas *canvas;
	struct rect rect;
	int label, pitch;
};

static const char *shuffle_lacks(const struct view_input *input)
{
	if (input->shuffle)
		return NULL;
	if (!input->access || !view_offers(input, input->access->space == SPACE_SHARED ? VIEW_BANKS : VIEW_SECTORS))
		return "The watched line makes no shuffle.";
	return input->access->space == SPACE_SHARED
		? "The watched line makes no shuffle: for its access to shared memory see the view \"banks\"."
		: "The watched line makes no shuffle: for its access to global memory see the view \"sectors\".";
}

/* On which side of a lane the one is whose value it gets. */
enum side { LEFT, OWN, RIGHT, SIDES };

static const struct {
	uint32_t mark;
	enum role role;
	const char *legend;
} sides[SIDES] = {
	[LEFT] = {'>', ROLE_WAVE2, ">:\u00A0from the left"},
	[OWN] = {'=', ROLE_IDLE, "=:\u00A0own"},
	[RIGHT] = {'<', ROLE_WAVE1, "<:\u00A0from the right"},
};

static enum side side_of(const struct warp_shuffle *s, int lane)
{
	return s->from[lane] < lane ? LEFT : s->from[lane] > lane ? RIGHT : OWN;
}

/* --- notes -------------------------------------------------------------------------------------------------------- */

/* `letters`: lanes are drawn in one column each. */
static void shuffle_note(struct view_notes *notes, const struct warp_shuffle *s, bool letters, bool all_signs)
{
	uint32_t lanes[SIDES] = {0};
	for (int i = 0; i < WARP_SIZE; i++)
		lanes[side_of(s, i)] |= s->active & 1u << i;
	uint32_t takers = lanes[LEFT] | lanes[RIGHT];
	int n = __builtin_popcount(takers);
	view_notes_add(notes, n ? ROLE_GOOD : ROLE_DIM, "%d\u00A0lane%s get%s another lane's value", n, view_plural(n),
		n == 1 ? "s" : "");

	/* What the lanes have in common, if they do: the same lane, the same way to go, or the same bits to turn
	 * over. */
	if (takers & (takers - 1)) {
		int first = __builtin_ctz(takers), from = s->from[first];
		bool same_lane = true, same_way = true, same_bits = true;
		for (uint32_t rest = takers; rest; rest &= rest - 1) {
			int i = __builtin_ctz(rest);
			same_lane = same_lane && s->from[i] == from;
			same_way = same_way && s->from[i] - i == from - first;
			same_bits = same_bits && (s->from[i] ^ i) == (from ^ first);
		}
		if (same_lane)
			view_notes_add(notes, ROLE_TEXT, "all of them from lane\u00A0%d", from);
		else if (same_way)
			view_notes_add(notes, ROLE_TEXT, "each from its own number %c\u00A0%d",
				from > first ? '+' : '-', abs(from - first));
		else if (same_bits)
			view_notes_add(notes, ROLE_TEXT, "each from its own number ^\u00A0%d: lanes swap in pairs",
				from ^ first);
	}

	uint32_t alone = s->active & ~s->found;
	if (alone) {
		struct buf text = {0};
		view_write_lanes(alone, 4, &text);
		view_notes_add(notes, ROLE_TEXT, "no such lane for %s: own value", buf_str(&text));
		buf_free(&text);
	}

	const char *signs[SIDES];
	for (int i = 0; i < SIDES; i++)
		signs[i] = lanes[i] && all_signs ? sides[i].legend : "";
	view_notes_add_legend(notes, letters ? UINT32_MAX : 0, signs, SIDES);
	view_note_inactive(notes, s->active);
}

/* --- the rows ----------------------------------------------------------------------------------------------------- */

static void put_lane(const struct shuffle_grid *g, int row, int at, int lane, enum role role)
{
	int col = g->rect.col + g->label + at * g->pitch;
	if (g->pitch < 3)
		canvas_put(g->canvas, row, col, view_lane_digit(lane), role);
	else
		canvas_textf(g->canvas, row, col, role, "%2d", lane);
	view_spot(g->canvas, g->input, (struct rect){row, col, 1, g->pitch < 3 ? 1 : 2},
		&(struct view_shows){{THING_LANE, lane}, (uint32_t)1 << lane, {0}});
}

static void put_mark(const struct shuffle_grid *g, int row, int at, uint32_t mark, enum role role)
{
	canvas_put(g->canvas, row, g->rect.col + g->label + at * g->pitch + (g->pitch == 3), mark, role);
}

/* A shuffle in cells: above what the lanes have, below what they get, in the color of the lane that it comes from, and
 * between them how far it came; where there is room, the way of each value. */

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

static void draw_shuffle_roomy(struct canvas *canvas, struct rect rect, const struct view_input *input)
{
	static const char *const labels[] = {"lane", "has", "from", "gets"};
	const struct warp_shuffle *s = input->shuffle;
	struct shuffle_cells g = {.rect = rect, .pitch = (rect.cols - LEAD) / WARP_SIZE};
	struct view_notes above = {0}, below = {0};
	g.pitch = g.pitch > PITCH_MAX ? PITCH_MAX : g.pitch < 2 ? 2 : g.pitch;
	shuffle_note(&above, s, false, false);
	int row = rect.row, rows = view_notes_fit(&above, rect.rows - 5, rect.cols);
	view_notes_draw(canvas, (struct rect){row, rect.col, rows, rect.cols}, &above);
	row += rows + (rows + 6 < rect.rows);
	int free_rows = rect.row + rect.rows - row - 4 - 2;
	g.ways = free_rows < WAYS_MIN ? 0 : free_rows > WAYS_MAX ? WAYS_MAX : free_rows;
	for (int i = 0; i < 4; i++)
		canvas_text(canvas, row + i + (i > 1 ? g.ways : 0), rect.col, ROLE_DIM, labels[i]);
	for (int lane = 0; lane < WARP_SIZE; lane++) {
		int lane_row = row;
		struct rect r = cell_of(&g, lane_row, lane);
		char text[8];
		view_cell_number(lane, lane, g.pitch, text);
		canvas_text(canvas, lane_row, r.col + (r.cols - 2) / 2, ROLE_DIM, text);
		draw_value(canvas, &g, lane_row + 1, input, (int[]){lane, lane});
		lane_row += g.ways;
		if (!(s->active >> lane & 1)) {
			canvas_put(canvas, lane_row + 3, r.col + r.cols / 2, GLYPH_MIDDLE_DOT, ROLE_IDLE);
			continue;
		}
		if (*text) {
			/* "◂4": from four lanes to the right. */
			int from = s->from[lane], far = abs(from - lane), wide = from == lane ? 1 : far > 9 ? 3 : 2;
			struct rect way = cell_of(&g, lane_row + 2, lane);
			char sign[16];
			if (from == lane)
				snprintf(sign, sizeof sign, "=");
			else
				snprintf(sign, sizeof sign, from > lane ? "◂%d" : "%d▸", far);
			int before = (way.cols - wide) / 2;
			if (utf8_columns(sign) <= way.cols || lane % 2 == 0) /* else its neighbor's has the room */
				canvas_text(canvas, lane_row + 2, way.col + (before > 0 ? before : 0),
					from == lane ? ROLE_IDLE : ROLE_TEXT, sign);
		}
		draw_value(canvas, &g, lane_row + 3, input, (int[]){lane, s->from[lane]});
	}
	for (int i = 0; i < g.ways; i++) {
		/* Row `i` of the ways from the lanes that have the values to those that get them, a step to the side in
		 * each row. Where two cross, the later one is seen. */
		int seen[WARP_SIZE * PITCH_MAX], begin = cell_of(&g, row + 2, 0).col;
		for (int col = 0; col < WARP_SIZE * g.pitch; col++)
			seen[col] = -1;
		for (int lane = 0; lane < WARP_SIZE; lane++) {
			int first = s->from[lane] * g.pitch, way = lane * g.pitch - first, far = way * (2 * i + 1);
			if (s->active >> lane & 1)
				seen[first + (far + (far < 0 ? -g.ways : g.ways)) / (2 * g.ways)] = s->from[lane];
		}
		for (int col = 0; col < WARP_SIZE * g.pitch; col++) {
			struct rect r = {row + 2 + i, begin + col + (g.pitch - 1) / 2, 1, 1};
			if (seen[col] < 0)
				continue;
			canvas_paint(canvas, r, view_wave_role(seen[col] / COLORED));
			view_spot(canvas, input, r,
				&(struct view_shows){{THING_LANE, seen[col]}, (uint32_t)1 << seen[col], {0}});
		}
	}
	row += 4 + g.ways;

	/* The signs that are in the picture, each with a lane that has it: "◂4: from 4 lanes to the right". */
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
	view_notes_add(&below, ROLE_DIM, "a value keeps the color of the lane that had it%s%s", buf_str(&text),
		own ? "; =: its own" : "");
	buf_free(&text);

	row += row + 1 < rect.row + rect.rows;
	view_notes_draw(canvas, (struct rect){row, rect.col, rect.row + rect.rows - row, rect.cols}, &below);
}

static void draw_shuffle(struct canvas *canvas, struct rect rect, const struct view_input *input)
{
	static const char *const labels[ROWS] = {"lane", "gets", "from"};
	if (input->roomy) {
		draw_shuffle_roomy(canvas, rect, input);
		return;
	}

	struct shuffle_grid g = {.canvas = canvas, .rect = rect, .label = LABEL, .pitch = 1};
	for (int pitch = 3; pitch > 1 && g.pitch == 1; pitch--)
		if (rect.cols >= g.label + pitch * WARP_SIZE)
			g.pitch = pitch;
	if (rect.cols < g.label + WARP_SIZE)
		g.label = rect.cols - WARP_SIZE;

	g.input = input;
	for (int i = 0; i < ROWS; i++)
		canvas_text_fit(canvas, (struct rect){rect.row + i, rect.col, 1, g.label - 1}, ROLE_DIM, labels[i]);
	for (int lane = 0; lane < WARP_SIZE; lane++) {
		const struct warp_shuffle *s = input->shuffle;
		enum side side = side_of(s, lane);
		put_lane(&g, rect.row, lane, lane, ROLE_DIM);
		if (!(s->active >> lane & 1)) {
			put_mark(&g, rect.row + 1, lane, GLYPH_MIDDLE_DOT, ROLE_IDLE);
			continue;
		}
		put_lane(&g, rect.row + 1, lane, s->from[lane], sides[side].role);
		put_mark(&g, rect.row + 2, lane, sides[side].mark, sides[side].role);
	}

	struct view_notes notes = {0};
	shuffle_note(&notes, input->shuffle, g.pitch < 3, true);
	int rows = view_notes_fit(&notes, rect.rows - ROWS, rect.cols);
	int row = rect.row + ROWS + (ROWS + rows < rect.rows);
	view_notes_draw(canvas, (struct rect){row, rect.col, rows, rect.cols}, &notes);
}

/* Of a line that accesses memory, too, only what is shuffled. */
static void describe_shuffle(const struct view_input *input, struct buf *out)
{
	struct view_input shuffle = *input;
	shuffle.access = NULL;
	view_describe_lanes(&shuffle, out);
}

const struct view_drawer view_drawer_shuffle = {.draw = draw_shuffle,
	.lacks = shuffle_lacks,
	.describe = describe_shuffle};
