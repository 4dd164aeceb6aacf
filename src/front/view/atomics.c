#include <string.h>

#include "front/view/atomics.h"
#include "front/view/light.h"
#include "front/view/views.h"
#include "model/hardware/banks.h"

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

static void add_lane(struct view_atomics *a, int lane)
{
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
		if (input->access->active >> lane & 1)
			add_lane(a, lane);
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

int view_atomics_turn_of(const struct view_atomics *a, int lane)
{
	uint32_t bit = (uint32_t)1 << lane;
	for (int i = 0; i < a->n; i++)
		if (a->groups[i].lanes & bit)
			return a->together ? 0 : __builtin_popcount(a->groups[i].lanes & (bit - 1));
	return -1;
}

uint32_t view_atomics_lanes_of(const struct view_atomics *a, int turn)
{
	uint32_t lanes = 0;
	for (int lane = 0; lane < WARP_SIZE; lane++)
		if (view_atomics_turn_of(a, lane) == turn)
			lanes |= (uint32_t)1 << lane;
	return lanes;
}

/* --- notes -------------------------------------------------------------------------------------------------------- */

static const char *plural_address(int n)
{
	return n == 1 ? "address" : "addresses";
}

static void note_summary(struct view_notes *notes, const struct view_atomics *a)
{
	int lanes = __builtin_popcount(a->access->active);
	const struct access_cost *c = &a->cost;
	if (a->moment) {
		struct buf text = {0};
		view_write_lanes(view_atomics_lanes_of(a, a->moment - 1), 3, &text);
		view_notes_add(notes, view_wave_role(a->moment - 1), "turn\u00A0%d of\u00A0%d: %s", a->moment, a->turns,
			buf_str(&text));
		buf_free(&text);
		return;
	}
	if (a->access->space == SPACE_SHARED)
		view_notes_add(notes, c->wavefronts > c->ideal_wavefronts ? ROLE_CONFLICT : ROLE_GOOD,
			"%d\u00A0lane%s at %d\u00A0%s: %d\u00A0wavefront%s, ideal\u00A0%d", lanes, view_plural(lanes),
			a->n, plural_address(a->n), c->wavefronts, view_plural(c->wavefronts), c->ideal_wavefronts);
	else
		view_notes_add(notes, a->turns > 1 ? ROLE_CONFLICT : ROLE_GOOD,
			"%d\u00A0lane%s at %d\u00A0%s: %d\u00A0turn%s, %d\u00A0sector%s counted", lanes,
			view_plural(lanes), a->n, plural_address(a->n), a->turns, view_plural(a->turns), c->sectors,
			view_plural(c->sectors));
}

static void note_why(struct view_notes *notes, const struct view_atomics *a)
{
	int most = lanes_in_group(longest(a));
	if (most == 1)
		view_notes_add(notes, ROLE_TEXT, "no two lanes change the same address");
	else if (a->together)
		view_notes_add(notes, ROLE_TEXT, "lanes at one address are counted first, then added at once");
	else
		view_notes_add(notes, ROLE_TEXT, "%d\u00A0lanes at one address: one after the other", most);
}

/* What takes wavefronts beyond the turns. */
static void note_banks(struct view_notes *notes, const struct view_atomics *a)
{
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

void view_atomics_note(struct view_notes *notes, const struct view_atomics *a)
{
	note_summary(notes, a);
	note_why(notes, a);
	note_banks(notes, a);
}

void view_atomics_note_rest(struct view_notes *notes, const struct view_atomics *a)
{
	view_notes_add(notes, ROLE_DIM,
		a->access->space == SPACE_SHARED ? "bytes from the start of shared memory"
						 : "bytes from the lowest address");
	view_note_inactive(notes, a->access->active);
	if (access_doubt(a->access, a->input->cc))
		view_notes_add(notes, ROLE_DIM, "this rule %s", access_doubt(a->access, a->input->cc));
}

uint64_t view_atomics_byte(const struct view_atomics *a, const struct view_atomic_group *group)
{
	return group->address - (a->access->space == SPACE_SHARED ? 0 : a->groups[0].address);
}

/* --- the grid ----------------------------------------------------------------------------------------------------- */

static struct atomics_grid fit_atomic_grid(struct rect rect)
{
	struct atomics_grid g = {.rect = rect, .label = 10, .pitch = 1};
	for (int pitch = 3; pitch > 1 && g.pitch == 1; pitch--)
		if (rect.cols >= g.label + pitch * WARP_SIZE)
			g.pitch = pitch;
	if (rect.cols < g.label + WARP_SIZE)
		g.label = rect.cols - WARP_SIZE;
	g.totals = rect.cols >= g.label + g.pitch * WARP_SIZE + 10;
	return g;
}

static int turn_col(const struct atomics_grid *g, int turn)
{
	return g->rect.col + g->label + turn * g->pitch;
}

static void draw_atomics_header(struct canvas *canvas, const struct atomics_grid *g, int row)
{
	canvas_text_fit(canvas, (struct rect){row, g->rect.col, 1, g->label - 1}, ROLE_DIM,
		g->label > 9 ? "byte turn" : "turn");
	for (int turn = 0; turn < WARP_SIZE; turn += g->pitch == 3 ? 1 : g->pitch == 2 ? 2 : 4)
		canvas_textf(canvas, row, turn_col(g, turn), ROLE_DIM, g->pitch == 3 ? "%2d" : "%d", turn + 1);
	if (g->totals)
		canvas_text(canvas, row, turn_col(g, WARP_SIZE) + 2, ROLE_DIM, "lanes");
}

static void draw_lane(struct canvas *canvas, const struct atomics_grid *g, int row, int turn, int lane)
{
	int col = turn_col(g, turn);
	enum role role = view_wave_role(turn);
	if (g->pitch < 3)
		canvas_put(canvas, row, col, view_lane_digit(lane), role);
	else
		canvas_textf(canvas, row, col, role, "%2d", lane);
	view_spot(canvas, g->input, (struct rect){row, col, 1, g->pitch < 3 ? 1 : 2},
		&(struct view_shows){{THING_LANE, lane}, (uint32_t)1 << lane, {0}});
}

static void draw_group(struct canvas *canvas, const struct atomics_grid *g, int row, const struct view_atomics *a,
	const struct view_atomic_group *group)
{
	struct buf label = {0};
	buf_printf(&label, "%llu", (unsigned long long)view_atomics_byte(a, group));
	canvas_text_fit(canvas, (struct rect){row, g->rect.col, 1, g->label - 1}, ROLE_DIM, buf_str(&label));
	buf_free(&label);
	int turn = 0;
	if (a->together && lanes_in_group(group) > 1)
		canvas_put(canvas, row, turn_col(g, turn++) + (g->pitch == 3), '*', ROLE_BROADCAST);
	else
		for (uint32_t rest = group->lanes; rest && (!a->moment || turn < a->moment); rest &= rest - 1)
			draw_lane(canvas, g, row, turn++, __builtin_ctz(rest));
	for (; turn < a->turns; turn++)
		canvas_put(canvas, row, turn_col(g, turn) + (g->pitch == 3), GLYPH_MIDDLE_DOT, ROLE_IDLE);
	if (g->totals)
		canvas_textf(canvas, row, turn_col(g, WARP_SIZE) + 2, ROLE_TEXT, "%5d", lanes_in_group(group));
}

static int draw_groups(struct canvas *canvas, const struct atomics_grid *g, int row, const struct view_atomics *a,
	struct view_elision e)
{
	for (int i = 0; i < e.head; i++)
		draw_group(canvas, g, row++, a, &a->groups[i]);
	if (e.left_out)
		canvas_textf(canvas, row++, g->rect.col, ROLE_STRONG, "⋮ %d more %s", e.left_out,
			plural_address(e.left_out));
	for (int i = a->n - e.tail; i < a->n; i++)
		draw_group(canvas, g, row++, a, &a->groups[i]);
	return row;
}

static void draw_atomics(struct canvas *canvas, struct rect rect, const struct view_input *input)
{
	struct atomics_grid grid = fit_atomic_grid(rect);
	struct view_atomics atomics;
	grid.input = input;
	atomics_of(&atomics, input);
	if (atomics.n == 0) {
		view_draw_sentence(canvas, rect, ROLE_DIM, "No lane is active: nothing is changed.");
		return;
	}
	if (input->roomy) {
		view_draw_atomics_roomy(canvas, rect, &atomics);
		return;
	}
	struct view_notes notes = {0};
	view_atomics_note(&notes, &atomics);
	view_notes_add(&notes, ROLE_DIM, "%s%s", grid.pitch < 3 ? "a–v: lanes 10–31" : "number: lane",
		atomics.together ? "  *: several lanes" : "");
	view_atomics_note_rest(&notes, &atomics);

	/* As in the view "banks": notes give way below four addresses. */
	int room = rect.rows - 1;
	int note_rows = view_notes_fit(&notes, room - (atomics.n < 4 ? atomics.n : 4), rect.cols);
	draw_atomics_header(canvas, &grid, rect.row);
	int row = draw_groups(canvas, &grid, rect.row + 1, &atomics, view_elide(atomics.n, room - note_rows));
	row += row + note_rows < rect.row + rect.rows;
	view_notes_draw(canvas, (struct rect){row, rect.col, note_rows, rect.cols}, &notes);
}

const struct view_drawer view_drawer_atomics = {.draw = draw_atomics,
	.lacks = atomics_lacks,
	.moments = atomics_moments};
