/* The warps of a block: 32 threads each, x fastest, then y, then z. */
#include "front/view/lanes.h"
#include "front/view/light.h"

#define THREADS_MAX (1u << 20)
#define LEAD 9        /* columns before the lanes: "warp 12 " */
#define WARPS_LEAST 3 /* the first, how many are left out, and the last: they come before the coordinates */

static const char *lanes_lacks(const struct view_input *input)
{
	return input->launch.block[0] ? NULL : "There is no launch here.";
}

/* A launch that no machine takes may have any number. */
uint32_t view_lanes_threads(const struct view_launch *l)
{
	uint64_t threads = (uint64_t)l->block[0] * l->block[1];
	threads = threads < THREADS_MAX ? threads * l->block[2] : THREADS_MAX;
	return (uint32_t)(threads < THREADS_MAX ? threads : THREADS_MAX);
}

/* How many of a warp's lanes have a thread. */
int view_lanes_of_warp(const struct view_launch *l, uint32_t warp)
{
	uint32_t rest = view_lanes_threads(l) - warp * WARP_SIZE;
	return rest < WARP_SIZE ? (int)rest : WARP_SIZE;
}

bool view_lanes_parts_known(const struct view_launch *l)
{
	for (int i = 0; i < BLOCK_WARPS_MAX; i++)
		if (l->taking_part[i])
			return true;
	return false;
}

uint32_t view_lanes_parts_of(const struct view_launch *l, uint32_t warp)
{
	return warp < BLOCK_WARPS_MAX ? l->taking_part[warp] : 0;
}

/* A lane takes part in the watched access, is there and does not, or is not there at all. */
static void draw_lanes_row(struct canvas *canvas, int row, int col, const struct view_input *input, uint32_t warp)
{
	const struct view_launch *l = &input->launch;
	int there = view_lanes_of_warp(l, warp);
	bool known = view_lanes_parts_known(l);
	enum role taking = known && warp == l->watched_warp ? ROLE_WATCHED : ROLE_LANE;
	for (int lane = 0; lane < WARP_SIZE; lane++) {
		bool on = !known || view_lanes_parts_of(l, warp) >> lane & 1;
		enum role role = lane >= there ? ROLE_WASTED : on ? taking : ROLE_IDLE;
		canvas_put(canvas, row, col + lane,
			lane >= there ? 'x'
				: on  ? view_lane_digit(lane)
				      : GLYPH_MIDDLE_DOT,
			role);
		if (lane < there && warp == l->watched_warp)
			view_spot(canvas, input, (struct rect){row, col + lane, 1, 1},
				&(struct view_shows){{THING_LANE, lane}, (uint32_t)1 << lane, {0}});
	}
}

static void draw_lane_warp(struct canvas *canvas, struct rect r, const struct view_input *input, uint32_t warp)
{
	bool watched = warp == input->launch.watched_warp;
	uint32_t first = warp * WARP_SIZE;
	int there = view_lanes_of_warp(&input->launch, warp);
	canvas_put(canvas, r.row, r.col, watched ? GLYPH_POINT_RIGHT : ' ', ROLE_WATCHED);
	canvas_textf(canvas, r.row, r.col + 1, watched ? ROLE_WATCHED : ROLE_DIM, "warp %u", warp);
	view_spot_of(canvas, input, (struct rect){r.row, r.col, 1, LEAD - 1}, THING_WARP,
		view_warp_index(input->launch.watched_block, warp));
	draw_lanes_row(canvas, r.row, r.col + LEAD, input, warp);
	if (r.cols >= LEAD + WARP_SIZE + 20)
		canvas_textf(canvas, r.row, r.col + LEAD + WARP_SIZE + 2, ROLE_DIM, "threads %u–%u", first,
			first + (uint32_t)there - 1);
}

/* The lanes' numbers above them. */
static void draw_scale(struct canvas *canvas, int row, int col)
{
	for (int lane = 0; lane < WARP_SIZE; lane += 4)
		canvas_textf(canvas, row, col + lane, ROLE_DIM, "%d", lane);
	canvas_text(canvas, row, col - LEAD + 1, ROLE_DIM, "lane");
}

static uint32_t digit(uint32_t v)
{
	return v < 10 ? '0' + v : v < 36 ? 'a' + v - 10 : '+';
}

/* Of the block that are worth a row each. */
int view_lanes_dimensions(const struct view_launch *l)
{
	return l->block[2] > 1 ? 3 : l->block[1] > 1 ? 2 : 0;
}

void view_lanes_place(const struct view_launch *l, uint32_t thread, uint32_t at[3])
{
	at[0] = thread % l->block[0];
	at[1] = thread / l->block[0] % l->block[1];
	at[2] = thread / l->block[0] / l->block[1];
}

/* Where the watched warp's threads are in a block of two or three dimensions. */
static int draw_coordinates(struct canvas *canvas, struct rect r, const struct view_launch *l)
{
	static const char *const names[] = {"x", "y", "z"};
	int dims = view_lanes_dimensions(l);
	if (dims + 1 > r.rows)
		return 0;
	for (int d = 0; d < dims; d++) {
		canvas_textf(canvas, r.row + d, r.col + 1, ROLE_DIM, "tid.%s", names[d]);
		for (int lane = 0; lane < view_lanes_of_warp(l, l->watched_warp); lane++) {
			uint32_t t = l->watched_warp * WARP_SIZE + (uint32_t)lane;
			uint32_t at[3];
			view_lanes_place(l, t, at);
			canvas_put(canvas, r.row + d, r.col + LEAD + lane, digit(at[d]),
				at[d] % 2 ? ROLE_WAVE2 : ROLE_LANE);
		}
	}
	return dims ? dims + 1 : 0;
}

void view_lanes_note(struct view_notes *notes, const struct view_input *input, bool cells)
{
	const struct view_launch *l = &input->launch;
	uint32_t threads = view_lanes_threads(l), warps = (uint32_t)warp_count(threads);
	uint32_t empty = warps * WARP_SIZE - threads;
	uint64_t blocks = warp_dim_volume(l->grid);
	view_notes_add(notes, ROLE_STRONG, "a block of %u\u00a0thread%s is %u\u00a0warp%s; %llu\u00a0block%s", threads,
		view_plural((int)threads), warps, view_plural((int)warps), (unsigned long long)blocks,
		blocks == 1 ? "" : "s");
	if (empty)
		view_notes_add(notes, ROLE_WASTED,
			"%s: %u\u00a0lane%s of the last warp, which no thread has, in every block", cells ? "░" : "x",
			empty, view_plural((int)empty));
	if (view_lanes_parts_known(l)) {
		int lanes = view_lanes_of_warp(l, l->watched_warp);
		int parts = __builtin_popcount(view_lanes_parts_of(l, l->watched_warp));
		view_notes_add(notes, ROLE_WATCHED,
			"%d\u00a0of %d\u00a0lane%s of warp\u00a0%u in block\u00a0%u take%s part in the watched line",
			parts, lanes, view_plural(lanes), l->watched_warp, l->watched_block, parts == 1 ? "s" : "");
	}
	if (view_lanes_dimensions(l))
		view_notes_add(notes, ROLE_DIM, "threads count x first, then y, then z");
	if (!cells && threads > 10)
		view_notes_add_legend(notes, UINT32_MAX, NULL, 0);
}

static void draw_lanes(struct canvas *canvas, struct rect rect, const struct view_input *input)
{
	if (input->roomy) {
		view_draw_lanes_roomy(canvas, rect, input);
		return;
	}
	struct view_notes notes = {.n = 0};
	uint32_t warps = (uint32_t)warp_count(view_lanes_threads(&input->launch));
	int col = rect.col + LEAD, row = rect.row + 1;
	view_lanes_note(&notes, input, false);
	int below = view_notes_fit(
		&notes, (rect.rows - (view_lanes_dimensions(&input->launch) ? 1 : 0)) / 2, rect.cols);
	draw_scale(canvas, rect.row, col);
	int least = warps < WARPS_LEAST ? (int)warps : WARPS_LEAST;
	row += draw_coordinates(
		canvas, (struct rect){row, rect.col, rect.rows - below - 2 - least, rect.cols}, &input->launch);
	int rows = rect.row + rect.rows - below - row - 1;
	struct view_elision part = view_elide((int)warps, rows);
	for (int i = 0; i < part.head; i++)
		draw_lane_warp(canvas, (struct rect){row++, rect.col, 1, rect.cols}, input, (uint32_t)i);
	if (part.left_out)
		canvas_textf(canvas, row++, rect.col + 1, ROLE_DIM, "⋮ %d more warps", part.left_out);
	for (int i = 0; i < part.tail; i++)
		draw_lane_warp(
			canvas, (struct rect){row++, rect.col, 1, rect.cols}, input, warps - (uint32_t)(part.tail - i));
	row++;
	view_notes_draw(canvas, (struct rect){row, rect.col, rect.row + rect.rows - row, rect.cols}, &notes);
}

const struct view_drawer view_drawer_lanes = {.draw = draw_lanes, .lacks = lanes_lacks};
