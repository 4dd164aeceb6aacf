#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "front/view/draw.h"
#include "front/view/views.h"
#include "model/hardware/access.h"

/* Lanes that change the same address, in the order of their numbers. */
struct view_atomic_group {
	uint64_t address;
	uint32_t lanes;
};

struct view_atomics {
	const struct view_input *input;
	const struct warp_access *access;
	struct access_cost cost;
	struct view_atomic_group groups[WARP_SIZE]; /* addresses ascending */
	int n, turns;                               /* turns: of the longest group */
	int halves;                                 /* groups of lanes that the banks take separately; global: 0 */
	int moment;                                 /* so many turns are shown; 0: all */
	bool together;                              /* lanes at one address are added up and take one turn */
};

/* Columns: a label, `pitch` columns a turn, and, where there is room, the lanes of the row. */
struct atomics_grid {
	const struct view_input *input;
	struct rect rect;
	int label, pitch;
	bool totals;
};

static const char *atomics_lacks(const struct view_input *input)
{
	if (!input->access)
		return view_no_access(input);
	if (!warp_op_is_atomic(input->access->op) &&
		!view_offers(input, input->access->space == SPACE_SHARED ? VIEW_BANKS : VIEW_SECTORS))
		return "The watched line is not an atomic operation.";
	if (!warp_op_is_atomic(input->access->op))
		return input->access->space == SPACE_SHARED
			? "The watched line is not an atomic operation: for its access to shared memory see the view \"banks\"."
			: "The watched line is not an atomic operation: for an access to global memory see the view \"sectors\".";
	return NULL;
}

static int lanes_in_group(const struct view_atomic_group *g)
{
	return __builtin_popcount(g->lanes);
}

static const struct view_atomic_group *longest(const struct view_atomics *a)
{
	const struct view_atomic_group *best = a->groups;
	for (int i = 1; i < a->n; i++)
		if (lanes_in_group(&a->groups[i]) > lanes_in_group(best))
			best = &a->groups[i];
	return best;
}

static void atomics_of(struct view_atomics *a, const struct view_input *input)
{
	*a = (struct view_atomics){
		.input = input, .access = input->access, .cost = access_cost(input->access, input->cc)};
	a->together = input->access->op == ACCESS_COUNT;
	for (int lane = 0; lane < WARP_SIZE; lane++)
		if (input->access->active >> lane & 1) {
			uint64_t address = a->access->address[lane];
			int at = 0;
			while (at < a->n && a->groups[at].address < address)
				at++;
			if (at == a->n || a->groups[at].address != address) {
				memmove(&a->groups[at + 1], &a->groups[at], (size_t)(a->n++ - at) * sizeof *a->groups);
				a->groups[at] = (struct view_atomic_group){address, 0};
			}
			a->groups[at].lanes |= (uint32_t)1 << lane;
		}
	uint32_t halves[BANKS_GROUPS_MAX];
	if (input->access->space == SPACE_SHARED)
		a->halves = bank_groups(input->access, input->cc, halves);
	if (a->n > 0)
		a->turns = a->together ? 1 : lanes_in_group(longest(a));
	a->moment = input->moment > 0 && input->moment <= a->turns ? input->moment : 0;
}

static int atomics_moments(const struct view_input *input)
{
	struct view_atomics a;
	atomics_of(&a, input);
	return a.turns > 1 ? a.turns : 0;
}

static int atomics_turn_of(const struct view_atomics *a, int lane)
{
	uint32_t bit = (uint32_t)1 << lane;
	for (int i = 0; i < a->n; i++)
		if (a->groups[i].lanes & bit)
			return a->together ? 0 : __builtin_popcount(a->groups[i].lanes & (bit - 1));
	return -1;
}

/* --- notes -------------------------------------------------------------------------------------------------------- */

static const char *plural_address(int n)
{
	return n == 1 ? "address" : "addresses";
}

/* What it costs, and why. */
static void atomics_note(struct view_notes *notes, const struct view_atomics *a)
{
	int lanes = __builtin_popcount(a->access->active);
	const struct access_cost *c = &a->cost;
	if (a->moment) {
		uint32_t served = 0;
		struct buf text = {0};
		for (int lane = 0; lane < WARP_SIZE; lane++)
			served |= atomics_turn_of(a, lane) == a->moment - 1 ? (uint32_t)1 << lane : 0;
		view_write_lanes(served, 3, &text);
		view_notes_add(notes, view_wave_role(a->moment - 1), "turn\u00A0%d of\u00A0%d: %s", a->moment, a->turns,
			buf_str(&text));
		buf_free(&text);
	} else if (a->access->space == SPACE_SHARED) {
		view_notes_add(notes, c->wavefronts > c->ideal_wavefronts ? ROLE_CONFLICT : ROLE_GOOD,
			"%d\u00A0lane%s at %d\u00A0%s: %d\u00A0wavefront%s, ideal\u00A0%d", lanes, view_plural(lanes),
			a->n, plural_address(a->n), c->wavefronts, view_plural(c->wavefronts), c->ideal_wavefronts);
	} else {
		view_notes_add(notes, a->turns > 1 ? ROLE_CONFLICT : ROLE_GOOD,
			"%d\u00A0lane%s at %d\u00A0%s: %d\u00A0turn%s, %d\u00A0sector%s counted", lanes,
			view_plural(lanes), a->n, plural_address(a->n), a->turns, view_plural(a->turns), c->sectors,
			view_plural(c->sectors));
	}

	int most = lanes_in_group(longest(a));
	if (most == 1)
		view_notes_add(notes, ROLE_TEXT, "no two lanes change the same address");
	else if (a->together)
		view_notes_add(notes, ROLE_TEXT, "lanes at one address are counted first, then added at once");
	else
		view_notes_add(notes, ROLE_TEXT, "%d\u00A0lanes at one address: one after the other", most);

	/* What takes wavefronts beyond the turns. */
	bool twice = a->access->op == ACCESS_CAS || a->access->op == ACCESS_ADD_FLOAT;
	if (a->access->space != SPACE_SHARED)
		return;
	if (a->cost.loop_loads > 0)
		view_notes_add(notes, ROLE_TEXT, "compiled to a loop that loads, adds and swaps: %d\u00A0round%s",
			a->cost.loop_loads, view_plural(a->cost.loop_loads));
	if (twice)
		view_notes_add(notes, ROLE_TEXT, "two wavefronts a turn, to compare and to swap");
	if (a->halves > 1)
		view_notes_add(notes, ROLE_TEXT, "%d\u00A0bytes per lane: the warp goes in %d\u00A0parts",
			a->access->width, a->halves);
	else if (a->cost.wavefronts > a->turns * (1 + twice))
		view_notes_add(
			notes, ROLE_TEXT, "addresses in one bank wait for each other too: see the view \"banks\"");
}

/* Where bytes are counted from, inactive lanes, doubts. */
static void atomics_note_rest(struct view_notes *notes, const struct view_atomics *a)
{
	view_notes_add(notes, ROLE_DIM,
		a->access->space == SPACE_SHARED ? "bytes from the start of shared memory"
						 : "bytes from the lowest address");
	view_note_inactive(notes, a->access->active);
	if (access_doubt(a->access, a->input->cc))
		view_notes_add(notes, ROLE_DIM, "this rule %s", access_doubt(a->access, a->input->cc));
}

/* The address as the view counts them. */
static uint64_t atomics_byte(const struct view_atomics *a, const struct view_atomic_group *group)
{
	return group->address - (a->access->space == SPACE_SHARED ? 0 : a->groups[0].address);
}

/* --- the grid ----------------------------------------------------------------------------------------------------- */

static int turn_col(const struct atomics_grid *g, int turn)
{
	return g->rect.col + g->label + turn * g->pitch;
}

static void draw_group(struct canvas *canvas, const struct atomics_grid *g, int row, const struct view_atomics *a,
	const struct view_atomic_group *group)
{
	struct buf label = {0};
	buf_printf(&label, "%llu", (unsigned long long)atomics_byte(a, group));
	canvas_text_fit(canvas, (struct rect){row, g->rect.col, 1, g->label - 1}, ROLE_DIM, buf_str(&label));
	buf_free(&label);
	int turn = 0;
	if (a->together && lanes_in_group(group) > 1)
		canvas_put(canvas, row, turn_col(g, turn++) + (g->pitch == 3), '*', ROLE_BROADCAST);
	else
		for (uint32_t rest = group->lanes; rest && (!a->moment || turn < a->moment); rest &= rest - 1) {
			int lane_turn = turn++;
			int lane = __builtin_ctz(rest);
			int col = turn_col(g, lane_turn);
			enum role role = view_wave_role(lane_turn);
			if (g->pitch < 3)
				canvas_put(canvas, row, col, view_lane_digit(lane), role);
			else
				canvas_textf(canvas, row, col, role, "%2d", lane);
			view_spot(canvas, g->input, (struct rect){row, col, 1, g->pitch < 3 ? 1 : 2},
				&(struct view_shows){{THING_LANE, lane}, (uint32_t)1 << lane, {0}});
		}
	for (; turn < a->turns; turn++)
		canvas_put(canvas, row, turn_col(g, turn) + (g->pitch == 3), GLYPH_MIDDLE_DOT, ROLE_IDLE);
	if (g->totals)
		canvas_textf(canvas, row, turn_col(g, WARP_SIZE) + 2, ROLE_TEXT, "%5d", lanes_in_group(group));
}

/* Atomics in cells: a row for each address, in it the lanes that change it, one turn after the other. Where there is
 * room, below, a row for each turn: which lanes it serves, and which still wait. */

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

static void draw_address(struct canvas *canvas, const struct turn_cells *g, int row, const struct view_atomics *a,
	const struct view_atomic_group *group)
{
	int n = __builtin_popcount(group->lanes), turn = 0;
	char text[40], number[8];
	snprintf(text, sizeof text, "byte %llu", (unsigned long long)atomics_byte(a, group));
	canvas_text_fit(canvas, (struct rect){row, g->rect.col, 1, LEAD - 1}, ROLE_DIM, text);
	if (a->together && n > 1) {
		/* One cell for all lanes that are added up. */
		struct buf served = {0};
		buf_puts(&served, " ");
		view_write_lanes(group->lanes, 4, &served);
		buf_puts(&served, " ");
		int cells = (utf8_columns(buf_str(&served)) + g->pitch) / g->pitch;
		struct rect r = turn_rect(g, row, 0, cells < WARP_SIZE ? cells : WARP_SIZE);
		view_draw_cell(canvas, r, view_wave_role(0), buf_str(&served));
		view_spot(canvas, a->input, r,
			&(struct view_shows){{THING_LANE, __builtin_ctz(group->lanes)}, group->lanes, {0}});
		buf_free(&served);
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

/* --- turn by turn ------------------------------------------------------------------------------------------------- */

static void draw_one_turn(
	struct canvas *canvas, const struct turn_cells *g, int row, const struct view_atomics *a, int turn)
{
	int later = 0;
	char number[8];
	canvas_textf(canvas, row, g->rect.col, view_wave_role(turn), "turn %d", turn + 1);
	for (int lane = 0; lane < WARP_SIZE; lane++) {
		int of = atomics_turn_of(a, lane);
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

static void draw_atomics(struct canvas *canvas, struct rect rect, const struct view_input *input)
{
	struct atomics_grid grid = {.rect = rect, .label = 10, .pitch = 1};
	for (int pitch = 3; pitch > 1 && grid.pitch == 1; pitch--)
		if (rect.cols >= grid.label + pitch * WARP_SIZE)
			grid.pitch = pitch;
	if (rect.cols < grid.label + WARP_SIZE)
		grid.label = rect.cols - WARP_SIZE;
	grid.totals = rect.cols >= grid.label + grid.pitch * WARP_SIZE + 10;

	struct view_atomics atomics;
	grid.input = input;
	atomics_of(&atomics, input);
	if (atomics.n == 0) {
		view_draw_sentence(canvas, rect, ROLE_DIM, "No lane is active: nothing is changed.");
		return;
	}
	if (input->roomy) {
		struct turn_cells g = {.rect = rect, .pitch = (rect.cols - LEAD - TAIL) / WARP_SIZE};
		struct view_notes above = {0}, below = {0};
		g.pitch = g.pitch > PITCH_MAX ? PITCH_MAX
			: g.pitch < PITCH_MIN ? (rect.cols - LEAD) / WARP_SIZE
					      : g.pitch;
		atomics_note(&above, &atomics);
		view_notes_add(&below, ROLE_DIM, "%s",
			atomics.together ? "in a cell: the lanes" : "in a cell: the lane; a column: one turn");
		atomics_note_rest(&below, &atomics);
		int row = rect.row, end = rect.row + rect.rows, rows = view_notes_fit(&above, rect.rows - 6, rect.cols);
		view_notes_draw(canvas, (struct rect){row, rect.col, rows, rect.cols}, &above);
		row += rows + (rect.rows > 12);

		int turns_row = row++;
		char text[8];
		canvas_text(canvas, turns_row, g.rect.col, ROLE_DIM, "turn");
		for (int turn = 0; turn < atomics.turns; turn++) {
			struct rect r = turn_rect(&g, turns_row, turn, 1);
			view_cell_number(turn + 1, turn, g.pitch, text);
			canvas_text(canvas, turns_row, r.col + (r.cols - 2) / 2, ROLE_DIM, text);
		}

		rows = view_notes_fit(&below, rect.rows > 12 ? 3 : 1, rect.cols);
		g.gap = end - row - rows >= 2 * atomics.n;
		struct view_elision e = view_elide(atomics.n, (end - row - rows) / (1 + g.gap));
		for (int i = 0; i < e.head; i++, row += 1 + g.gap)
			draw_address(canvas, &g, row, &atomics, &atomics.groups[i]);
		if (e.left_out)
			canvas_textf(canvas, row++, rect.col, ROLE_STRONG, "⋮ %d more addresses", e.left_out);
		for (int i = atomics.n - e.tail; i < atomics.n; i++, row += 1 + g.gap)
			draw_address(canvas, &g, row, &atomics, &atomics.groups[i]);
		row += !g.gap && row + rows < end;
		view_notes_draw(canvas, (struct rect){row, rect.col, rows, rect.cols}, &below);
		row += rows + 1;
		if (atomics.turns > 1 && end - row >= LADDER_ROWS) {
			int turns = atomics.moment ? atomics.moment : atomics.turns;
			canvas_text_fit(canvas, (struct rect){row++, rect.col, 1, rect.cols}, ROLE_STRONG,
				"turn by turn: the lanes that it serves; ·: a lane that waits");
			canvas_text(canvas, row, rect.col, ROLE_DIM, "lane");
			for (int lane = 0; lane < WARP_SIZE; lane++) {
				struct rect r = turn_rect(&g, row, lane, 1);
				view_cell_number(lane, lane, g.pitch, text);
				canvas_text(canvas, row, r.col + (r.cols - 2) / 2, ROLE_DIM, text);
			}
			row++;
			e = view_elide(turns, end - row);
			for (int i = 0; i < e.head; i++)
				draw_one_turn(canvas, &g, row++, &atomics, i);
			if (e.left_out)
				canvas_textf(canvas, row++, rect.col, ROLE_STRONG, "⋮ %d more turn%s", e.left_out,
					view_plural(e.left_out));
			for (int i = turns - e.tail; i < turns; i++)
				draw_one_turn(canvas, &g, row++, &atomics, i);
		}

		return;
	}
	struct view_notes notes = {0};
	atomics_note(&notes, &atomics);
	view_notes_add(&notes, ROLE_DIM, "%s%s", grid.pitch < 3 ? "a–v: lanes 10–31" : "number: lane",
		atomics.together ? "  *: several lanes" : "");
	atomics_note_rest(&notes, &atomics);

	/* As in the view "banks": notes give way below four addresses. */
	int room = rect.rows - 1;
	int note_rows = view_notes_fit(&notes, room - (atomics.n < 4 ? atomics.n : 4), rect.cols);

	canvas_text_fit(canvas, (struct rect){rect.row, grid.rect.col, 1, grid.label - 1}, ROLE_DIM,
		grid.label > 9 ? "byte turn" : "turn");
	for (int turn = 0; turn < WARP_SIZE; turn += grid.pitch == 3 ? 1 : grid.pitch == 2 ? 2 : 4)
		canvas_textf(
			canvas, rect.row, turn_col(&grid, turn), ROLE_DIM, grid.pitch == 3 ? "%2d" : "%d", turn + 1);
	if (grid.totals)
		canvas_text(canvas, rect.row, turn_col(&grid, WARP_SIZE) + 2, ROLE_DIM, "lanes");

	int row = rect.row + 1;
	struct view_elision e = view_elide(atomics.n, room - note_rows);
	for (int i = 0; i < e.head; i++)
		draw_group(canvas, &grid, row++, &atomics, &atomics.groups[i]);
	if (e.left_out)
		canvas_textf(canvas, row++, grid.rect.col, ROLE_STRONG, "⋮ %d more %s", e.left_out,
			plural_address(e.left_out));
	for (int i = atomics.n - e.tail; i < atomics.n; i++)
		draw_group(canvas, &grid, row++, &atomics, &atomics.groups[i]);

	row += row + note_rows < rect.row + rect.rows;
	view_notes_draw(canvas, (struct rect){row, rect.col, note_rows, rect.cols}, &notes);
}

const struct view_drawer view_drawer_atomics = {.draw = draw_atomics,
	.lacks = atomics_lacks,
	.moments = atomics_moments,
	.describe = view_describe_lanes};
