/* A shuffle: under each lane the lane whose value it gets, and on which side that one is. */
#include <stdlib.h>

#include "front/view/light.h"
#include "front/view/views.h"
#include "front/view/shuffle.h"

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

static bool is_in(uint32_t lanes, int lane)
{
	return lanes >> lane & 1;
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

static void split_by_side(const struct warp_shuffle *s, uint32_t lanes[SIDES])
{
	for (int i = 0; i < WARP_SIZE; i++)
		lanes[side_of(s, i)] |= s->active & 1u << i;
}

/* --- notes -------------------------------------------------------------------------------------------------------- */

/* What the lanes have in common, if they do: the same lane, the same way to go, or the same bits to turn over. */
static void note_pattern(struct view_notes *notes, const struct warp_shuffle *s, uint32_t lanes)
{
	if (!(lanes & (lanes - 1)))
		return;
	int first = __builtin_ctz(lanes), from = s->from[first];
	bool same_lane = true, same_way = true, same_bits = true;
	for (uint32_t rest = lanes; rest; rest &= rest - 1) {
		int i = __builtin_ctz(rest);
		same_lane = same_lane && s->from[i] == from;
		same_way = same_way && s->from[i] - i == from - first;
		same_bits = same_bits && (s->from[i] ^ i) == (from ^ first);
	}
	if (same_lane)
		view_notes_add(notes, ROLE_TEXT, "all of them from lane\u00A0%d", from);
	else if (same_way)
		view_notes_add(notes, ROLE_TEXT, "each from its own number %c\u00A0%d", from > first ? '+' : '-',
			abs(from - first));
	else if (same_bits)
		view_notes_add(
			notes, ROLE_TEXT, "each from its own number ^\u00A0%d: lanes swap in pairs", from ^ first);
}

static void note_own(struct view_notes *notes, const struct warp_shuffle *s)
{
	uint32_t alone = s->active & ~s->found;
	if (!alone)
		return;
	struct buf text = {0};
	view_write_lanes(alone, 4, &text);
	view_notes_add(notes, ROLE_TEXT, "no such lane for %s: own value", buf_str(&text));
	buf_free(&text);
}

void view_shuffle_note(struct view_notes *notes, const struct warp_shuffle *s, bool letters, bool all_signs)
{
	uint32_t lanes[SIDES] = {0};
	split_by_side(s, lanes);
	uint32_t takers = lanes[LEFT] | lanes[RIGHT];
	int n = __builtin_popcount(takers);
	view_notes_add(notes, n ? ROLE_GOOD : ROLE_DIM, "%d\u00A0lane%s get%s another lane's value", n, view_plural(n),
		n == 1 ? "s" : "");
	note_pattern(notes, s, takers);
	note_own(notes, s);
	const char *signs[SIDES];
	for (int i = 0; i < SIDES; i++)
		signs[i] = lanes[i] && all_signs ? sides[i].legend : "";
	view_notes_add_legend(notes, letters ? UINT32_MAX : 0, signs, SIDES);
	view_note_inactive(notes, s->active);
}

/* --- the rows ----------------------------------------------------------------------------------------------------- */

static struct shuffle_grid fit_shuffle_grid(struct canvas *canvas, struct rect rect)
{
	struct shuffle_grid g = {.canvas = canvas, .rect = rect, .label = LABEL, .pitch = 1};
	for (int pitch = 3; pitch > 1 && g.pitch == 1; pitch--)
		if (rect.cols >= g.label + pitch * WARP_SIZE)
			g.pitch = pitch;
	if (rect.cols < g.label + WARP_SIZE)
		g.label = rect.cols - WARP_SIZE;
	return g;
}

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

static void draw_lane(const struct shuffle_grid *g, int row, const struct warp_shuffle *s, int lane)
{
	enum side side = side_of(s, lane);
	put_lane(g, row, lane, lane, ROLE_DIM);
	if (!is_in(s->active, lane)) {
		put_mark(g, row + 1, lane, GLYPH_MIDDLE_DOT, ROLE_IDLE);
		return;
	}
	put_lane(g, row + 1, lane, s->from[lane], sides[side].role);
	put_mark(g, row + 2, lane, sides[side].mark, sides[side].role);
}

static void draw_shuffle(struct canvas *canvas, struct rect rect, const struct view_input *input)
{
	static const char *const labels[ROWS] = {"lane", "gets", "from"};
	if (input->roomy) {
		view_draw_shuffle_roomy(canvas, rect, input);
		return;
	}
	struct shuffle_grid g = fit_shuffle_grid(canvas, rect);
	g.input = input;
	for (int i = 0; i < ROWS; i++)
		canvas_text_fit(canvas, (struct rect){rect.row + i, rect.col, 1, g.label - 1}, ROLE_DIM, labels[i]);
	for (int lane = 0; lane < WARP_SIZE; lane++)
		draw_lane(&g, rect.row, input->shuffle, lane);

	struct view_notes notes = {0};
	view_shuffle_note(&notes, input->shuffle, g.pitch < 3, true);
	int rows = view_notes_fit(&notes, rect.rows - ROWS, rect.cols);
	int row = rect.row + ROWS + (ROWS + rows < rect.rows);
	view_notes_draw(canvas, (struct rect){row, rect.col, rows, rect.cols}, &notes);
}

const struct view_drawer view_drawer_shuffle = {.draw = draw_shuffle, .lacks = shuffle_lacks};
