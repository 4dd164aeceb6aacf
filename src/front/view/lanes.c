/* The warps of a block: 32 threads each, x fastest, then y, then z. */
#include <stdio.h>

#include "base/utf8.h"
#include "front/view/draw.h"
#include "front/view/launch.h"

#define THREADS_MAX (1u << 20)
#define LEAD 9        /* columns before the lanes: "warp 12 " */
#define WARPS_LEAST 3 /* the first, how many are left out, and the last: they come before the coordinates */

static const char *lanes_lacks(const struct view_input *input)
{
	return input->launch->block[0] ? NULL : "There is no launch here.";
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

/* Whether it is known which lanes take part in the watched line, and those of a warp that do. */
static bool lanes_parts_known(const struct view_launch *l)
{
	for (int i = 0; i < BLOCK_WARPS_MAX; i++)
		if (l->taking_part[i])
			return true;
	return false;
}

static uint32_t lanes_parts_of(const struct view_launch *l, uint32_t warp)
{
	return warp < BLOCK_WARPS_MAX ? l->taking_part[warp] : 0;
}

static void draw_lane_warp(struct canvas *canvas, struct rect r, const struct view_input *input, uint32_t warp)
{
	bool watched = warp == input->launch->watched_warp;
	uint32_t first = warp * WARP_SIZE;
	int there = view_lanes_of_warp(input->launch, warp);
	canvas_put(canvas, r.row, r.col, watched ? GLYPH_POINT_RIGHT : ' ', ROLE_WATCHED);
	canvas_textf(canvas, r.row, r.col + 1, watched ? ROLE_WATCHED : ROLE_DIM, "warp %u", warp);
	view_spot_of(canvas, input, (struct rect){r.row, r.col, 1, LEAD - 1}, THING_WARP,
		view_warp_index(input->launch->watched_block, warp));

	/* A lane takes part in the watched access, is there and does not, or is not there at all. */
	int lanes_at = r.col + LEAD;
	const struct view_launch *l = input->launch;
	bool known = lanes_parts_known(l);
	enum role taking = known && warp == l->watched_warp ? ROLE_WATCHED : ROLE_LANE;
	for (int lane = 0; lane < WARP_SIZE; lane++) {
		bool on = !known || lanes_parts_of(l, warp) >> lane & 1;
		enum role role = lane >= there ? ROLE_WASTED : on ? taking : ROLE_IDLE;
		canvas_put(canvas, r.row, lanes_at + lane,
			lane >= there ? 'x'
				: on  ? view_lane_digit(lane)
				      : GLYPH_MIDDLE_DOT,
			role);
		if (lane < there && warp == l->watched_warp)
			view_spot(canvas, input, (struct rect){r.row, lanes_at + lane, 1, 1},
				&(struct view_shows){{THING_LANE, lane}, (uint32_t)1 << lane, {0}});
	}

	if (r.cols >= LEAD + WARP_SIZE + 20)
		canvas_textf(canvas, r.row, r.col + LEAD + WARP_SIZE + 2, ROLE_DIM, "threads %u–%u", first,
			first + (uint32_t)there - 1);
}

/* Of the block that are worth a row each. */
static int lanes_dimensions(const struct view_launch *l)
{
	return l->block[2] > 1 ? 3 : l->block[1] > 1 ? 2 : 0;
}

/* Where a thread of the block is in it: x, y, z. */
static void lanes_place(const struct view_launch *l, uint32_t thread, uint32_t at[3])
{
	at[0] = thread % l->block[0];
	at[1] = thread / l->block[0] % l->block[1];
	at[2] = thread / l->block[0] / l->block[1];
}

static void lanes_note(struct view_notes *notes, const struct view_input *input, bool cells)
{
	const struct view_launch *l = input->launch;
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
	if (lanes_parts_known(l)) {
		int lanes = view_lanes_of_warp(l, l->watched_warp);
		int parts = __builtin_popcount(lanes_parts_of(l, l->watched_warp));
		view_notes_add(notes, ROLE_WATCHED,
			"%d\u00a0of %d\u00a0lane%s of warp\u00a0%u in block\u00a0%u take%s part in the watched line",
			parts, lanes, view_plural(lanes), l->watched_warp, l->watched_block, parts == 1 ? "s" : "");
	}
	if (lanes_dimensions(l))
		view_notes_add(notes, ROLE_DIM, "threads count x first, then y, then z");
	if (!cells && threads > 10)
		view_notes_add_legend(notes, UINT32_MAX, NULL, 0);
}

/* The warps of a block in cells: one for each lane that has a thread, filled where it takes part in the watched line.
 * Of a block of two or three dimensions the watched warp has its threads' coordinates below; of another one each warp
 * its threads' numbers, and below them is the whole launch, where there is room. */

#define ROOMY_LEAD 10
#define TAIL 29 /* "  threads 992–1023  32 of 32" */
#define PITCH_MIN 3
#define PITCH_MAX 6

struct lanes_cells {
	struct rect rect;
	int lead; /* columns before the first cell */
	int pitch, gap;
	bool tail;
};

static struct rect lane_rect(const struct lanes_cells *g, int row, int lane)
{
	int space = g->pitch > 2;
	return (struct rect){row, g->rect.col + g->lead + lane * g->pitch, 1, g->pitch - space};
}

static void draw_lane_cells(
	struct canvas *canvas, const struct lanes_cells *g, int row, const struct view_input *input, uint32_t warp)
{
	const struct view_launch *l = input->launch;
	bool known = lanes_parts_known(l), watched = warp == l->watched_warp;
	int there = view_lanes_of_warp(l, warp);
	for (int lane = 0; lane < WARP_SIZE; lane++) {
		struct rect r = lane_rect(g, row, lane);
		char text[8];
		view_cell_number(lane, lane, g->pitch, text);
		if (lane >= there)
			canvas_fill(canvas, r, GLYPH_BLOCK_LIGHT, ROLE_WASTED);
		else if (!known || lanes_parts_of(l, warp) >> lane & 1)
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
	const struct view_launch *l = input->launch;
	bool watched = warp == l->watched_warp;
	uint32_t first = warp * WARP_SIZE;
	int there = view_lanes_of_warp(l, warp), end = g->rect.col + ROOMY_LEAD + WARP_SIZE * g->pitch;
	canvas_put(canvas, row, g->rect.col, watched ? GLYPH_POINT_RIGHT : ' ', ROLE_WATCHED);
	canvas_textf(canvas, row, g->rect.col + 2, watched ? ROLE_WATCHED : ROLE_DIM, "warp %u", warp);
	view_spot_of(canvas, input, (struct rect){row, g->rect.col, 1, ROOMY_LEAD - 1}, THING_WARP,
		view_warp_index(l->watched_block, warp));
	draw_lane_cells(canvas, g, row, input, warp);
	if (!g->tail)
		return;
	int col = end + 1 +
		canvas_textf(canvas, row, end + 1, ROLE_DIM, "threads %u–%u", first, first + (uint32_t)there - 1);
	if (lanes_parts_known(l))
		canvas_textf(canvas, row, col + 2, watched ? ROLE_WATCHED : ROLE_DIM, "%d of %d",
			__builtin_popcount(lanes_parts_of(l, warp)), there);
}

/* A row for each coordinate of the watched warp's threads; neighbors with the same one are one cell. Returns the
 * rows. */
static int draw_places(struct canvas *canvas, const struct lanes_cells *g, int row, const struct view_input *input)
{
	static const char names[] = {'x', 'y', 'z'};
	const struct view_launch *l = input->launch;
	int dims = lanes_dimensions(l), there = view_lanes_of_warp(l, l->watched_warp);
	for (int d = 0; d < dims; d++) {
		canvas_textf(canvas, row + d, g->rect.col, ROLE_DIM, "  %c", names[d]);
		for (int lane = 0, end; lane < there; lane = end) {
			uint32_t at[3], next[3];
			char text[16];
			lanes_place(l, l->watched_warp * WARP_SIZE + (uint32_t)lane, at);
			for (end = lane + 1; end < there; end++) {
				lanes_place(l, l->watched_warp * WARP_SIZE + (uint32_t)end, next);
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

/* --- with the threads of each warp -------------------------------------------------------------------------------- */

#define TALL_LEAD 2
#define TALL_ROWS 4 /* of a warp: its name, its lanes, its threads, a gap */
#define LAUNCH_ROWS 4
#define LAUNCH_LEAD 12 /* "block 12345 " */
#define LAUNCH_PITCH 4

/* False: there is no room for that, or more to say of the threads' coordinates. */
static bool draw_tall(struct canvas *canvas, struct rect rect, const struct view_input *input)
{
	struct view_notes notes = {.n = 0};
	const struct view_launch *l = input->launch;
	int warps = (int)warp_count(view_lanes_threads(l));
	lanes_note(&notes, input, true);
	int rows = view_notes_fit(&notes, rect.rows / 3, rect.cols), row = rect.row + rows + 1;
	int end = rect.row + rect.rows;
	int lead = rect.cols < TALL_LEAD + PITCH_MIN * WARP_SIZE ? 0 : TALL_LEAD;
	struct lanes_cells g = {.rect = rect, .lead = lead, .pitch = (rect.cols - lead) / WARP_SIZE};
	if (lanes_dimensions(l) || g.pitch < PITCH_MIN || end - row < TALL_ROWS * warps)
		return false;
	g.pitch = g.pitch > PITCH_MAX ? PITCH_MAX : g.pitch;
	view_notes_draw(canvas, (struct rect){rect.row, rect.col, rows, rect.cols}, &notes);
	for (int i = 0; i < warps; i++, row += TALL_ROWS) {
		uint32_t warp = (uint32_t)i;
		bool watched = warp == l->watched_warp;
		uint32_t first = warp * WARP_SIZE;
		int there = view_lanes_of_warp(l, warp), col = g.rect.col;
		canvas_put(canvas, row, col, watched ? GLYPH_POINT_RIGHT : ' ', ROLE_WATCHED);
		col += 2;
		col += canvas_textf(canvas, row, col, watched ? ROLE_WATCHED : ROLE_STRONG, "warp %u", warp);
		view_spot_of(canvas, input, (struct rect){row, g.rect.col, 1, col - g.rect.col}, THING_WARP,
			view_warp_index(l->watched_block, warp));
		col += 2 +
			canvas_textf(
				canvas, row, col + 2, ROLE_DIM, "threads %u–%u", first, first + (uint32_t)there - 1);
		if (lanes_parts_known(l)) {
			int parts = __builtin_popcount(lanes_parts_of(l, warp));
			col += 2 +
				canvas_textf(canvas, row, col + 2, watched ? ROLE_WATCHED : ROLE_DIM,
					"%d of %d lane%s take%s part", parts, there, view_plural(there),
					parts == 1 ? "s" : "");
		}
		if (there < WARP_SIZE)
			canvas_textf(canvas, row, col + 2, ROLE_WASTED, "%d lane%s without a thread", WARP_SIZE - there,
				view_plural(WARP_SIZE - there));
		draw_lane_cells(canvas, &g, row + 1, input, warp);
		for (int lane = 0; lane < there; lane++) {
			char text[16];
			int cols = snprintf(text, sizeof text, "%2u", first + (uint32_t)lane);
			struct rect r = lane_rect(&g, row + 2, lane);
			if (cols < g.pitch || (lane % 2 == 0 && cols < 2 * g.pitch))
				canvas_text(canvas, row + 2, r.col + (r.cols > cols ? (r.cols - cols) / 2 : 0),
					ROLE_DIM, text);
		}
	}
	row -= row == end;
	canvas_text_fit(canvas, (struct rect){row++, rect.col, 1, rect.cols}, ROLE_DIM,
		"in a cell: the lane; below it: the thread of the block that it is");
	if (end - ++row >= LAUNCH_ROWS) {
		/* Each block of the grid with how many lanes of each of its warps have a thread. */
		uint64_t blocks = warp_dim_volume(l->grid), threads = view_lanes_threads(l),
			 launch_warps = (uint64_t)warp_count(threads);
		char text[160];
		snprintf(text, sizeof text,
			"the whole launch: %llu × %llu = %llu warp%s; %llu of %llu lanes %s a thread, %.0f %%",
			(unsigned long long)blocks, (unsigned long long)launch_warps,
			(unsigned long long)(blocks * launch_warps), blocks * launch_warps == 1 ? "" : "s",
			(unsigned long long)(blocks * threads), (unsigned long long)(blocks * launch_warps * WARP_SIZE),
			blocks * threads == 1 ? "has" : "have",
			100.0 * (double)threads / (double)(launch_warps * WARP_SIZE));
		canvas_text_fit(canvas, (struct rect){row++, rect.col, 1, rect.cols}, ROLE_STRONG, text);
		int n = blocks > (uint64_t)(end - row) ? end - row : (int)blocks;
		struct view_elision e = {n, 0, 0};
		if ((uint64_t)n < blocks)
			e = (struct view_elision){n - 1, 1, 0};
		for (int block = 0; block < e.head; block++, row++) {
			canvas_textf(canvas, row, rect.col + 2, ROLE_DIM, "block %d", block);
			for (uint32_t warp = 0; warp < launch_warps; warp++) {
				struct rect cell = {
					row, rect.col + LAUNCH_LEAD + (int)warp * LAUNCH_PITCH, 1, LAUNCH_PITCH - 1};
				int there = view_lanes_of_warp(l, warp);
				bool watched = (uint32_t)block == l->watched_block && warp == l->watched_warp;
				if (cell.col + 2 * LAUNCH_PITCH > rect.col + rect.cols && warp + 1 < launch_warps) {
					canvas_put(canvas, row, cell.col, GLYPH_ELLIPSIS, ROLE_DIM);
					break;
				}
				snprintf(text, sizeof text, "%2d", there);
				if (there == WARP_SIZE || watched)
					view_draw_cell(canvas, cell, watched ? ROLE_WATCHED : ROLE_LANE, text);
				else
					canvas_textf(canvas, row, cell.col, ROLE_WASTED, "%2d", there);
			}
		}
		if (e.left_out)
			canvas_textf(canvas, row, rect.col + 2, ROLE_STRONG, "⋮ %llu more blocks alike",
				(unsigned long long)(blocks - (uint64_t)e.head));
	}
	return true;
}

static void draw_lanes(struct canvas *canvas, struct rect rect, const struct view_input *input)
{
	if (input->roomy) {
		struct lanes_cells g = {.rect = rect, .lead = ROOMY_LEAD};
		g.tail = rect.cols >= ROOMY_LEAD + PITCH_MIN * WARP_SIZE + TAIL;
		g.pitch = (rect.cols - ROOMY_LEAD - (g.tail ? TAIL : 0)) / WARP_SIZE;
		g.pitch = g.pitch > PITCH_MAX ? PITCH_MAX : g.pitch < PITCH_MIN ? 2 : g.pitch;

		struct view_notes notes = {.n = 0};
		if (draw_tall(canvas, rect, input))
			return;
		int warps = (int)warp_count(view_lanes_threads(input->launch)), dims = lanes_dimensions(input->launch);
		lanes_note(&notes, input, true);
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

		/* Warps around the watched one, where not all have room. */
		int step = 1 + g.gap;
		struct view_elision e = view_elide(warps, room / step);
		row++;
		int watched = (int)input->launch->watched_warp;
		for (int i = 0; i < e.head; i++, row += step) /* the watched one is never left out */
			draw_warp(canvas, &g, row, input,
				(uint32_t)(i == e.head - 1 && watched >= e.head && watched < warps - e.tail ? watched
													    : i));
		if (e.left_out) {
			canvas_textf(canvas, row, rect.col + 2, ROLE_STRONG, "⋮ %d more warps", e.left_out);
			row += step;
		}
		for (int i = warps - e.tail; i < warps; i++, row += step)
			draw_warp(canvas, &g, row, input, (uint32_t)i);

		row += dims && !g.gap && row + 3 + dims + rows <= end;
		if (dims && row + 1 + dims <= end) {
			canvas_textf(canvas, row++, rect.col, ROLE_TITLE,
				"threadIdx of warp %u, in the block of %u × %u × %u", input->launch->watched_warp,
				input->launch->block[0], input->launch->block[1], input->launch->block[2]);
			row += draw_places(canvas, &g, row, input);
		}
		row += row + rows < end;
		view_notes_draw(canvas, (struct rect){row, rect.col, end - row, rect.cols}, &notes);

		return;
	}
	struct view_notes notes = {.n = 0};
	uint32_t warps = (uint32_t)warp_count(view_lanes_threads(input->launch));
	int col = rect.col + LEAD, row = rect.row + 1;
	lanes_note(&notes, input, false);
	int below = view_notes_fit(&notes, (rect.rows - (lanes_dimensions(input->launch) ? 1 : 0)) / 2, rect.cols);

	/* The lanes' numbers above them. */
	for (int lane = 0; lane < WARP_SIZE; lane += 4)
		canvas_textf(canvas, rect.row, col + lane, ROLE_DIM, "%d", lane);
	canvas_text(canvas, rect.row, col - LEAD + 1, ROLE_DIM, "lane");

	int least = warps < WARPS_LEAST ? (int)warps : WARPS_LEAST;

	/* Where the watched warp's threads are in a block of two or three dimensions. */
	static const char *const names[] = {"x", "y", "z"};
	const struct view_launch *l = input->launch;
	int dims = lanes_dimensions(l);
	if (dims && dims + 1 <= rect.rows - below - 2 - least) {
		for (int d = 0; d < dims; d++) {
			canvas_textf(canvas, row + d, rect.col + 1, ROLE_DIM, "tid.%s", names[d]);
			for (int lane = 0; lane < view_lanes_of_warp(l, l->watched_warp); lane++) {
				uint32_t at[3];
				lanes_place(l, l->watched_warp * WARP_SIZE + (uint32_t)lane, at);
				canvas_put(canvas, row + d, col + lane,
					at[d] < 10           ? '0' + at[d]
						: at[d] < 36 ? 'a' + at[d] - 10
							     : '+',
					at[d] % 2 ? ROLE_WAVE2 : ROLE_LANE);
			}
		}
		row += dims + 1;
	}
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

static void describe_lanes(const struct view_input *input, struct buf *out)
{
	struct view_input each = *input;
	uint64_t warps = warp_count(warp_dim_volume(input->launch->block));
	for (uint64_t warp = 0; warp < warps && warp < BLOCK_WARPS_MAX; warp++) {
		each.picked = (struct view_pick){
			THING_WARP, view_warp_index(input->launch->watched_block, (uint32_t)warp)};
		view_describe_pick(&each, out);
		buf_putc(out, '\n');
	}
}

const struct view_drawer view_drawer_lanes = {.draw = draw_lanes, .lacks = lanes_lacks, .describe = describe_lanes};
