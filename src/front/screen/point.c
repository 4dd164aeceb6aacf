#include "front/screen/parts.h"

#include <stdlib.h>

#include "front/screen/flow.h"
#include "front/screen/modes.h"
#include "front/tutor/keys.h"
#include "front/view/source.h"
#include "front/view/views.h"

bool screen_is_pointing(const struct screen_state *state, const struct tutor *tutor)
{
	const struct step *step = tutor_step(tutor);
	return state->pointing && step && step->has_experiment && !tutor_typing(tutor);
}

void screen_point_end(struct screen_state *state)
{
	state->pointing = false;
	state->picked = (struct view_pick){0};
}

struct view_input screen_view_input(const struct screen_sketch *sketch, enum screen_pane pane)
{
	struct view_input input = sketch->tutor->shown.input;
	input.moment = sketch->state->moment;
	input.played = sketch->state->played;
	input.picked = sketch->state->picked;
	input.spots = sketch->spots;
	if (pane == PANE_SOURCE || (pane == PANE_VIEW && sketch->tutor->shown.view == VIEW_SOURCE))
		input.scroll = sketch->state->source_scroll;
	else if (pane == PANE_VIEW)
		input.scroll = sketch->state->view_scroll;
	return input;
}

void screen_describe_pick(const struct tutor *tutor, struct view_pick pick, struct buf *out)
{
	struct view_input input = tutor->shown.input;
	input.picked = pick;
	if (tutor->shown.view == VIEW_SHUFFLE && input.shuffle) /* not what the line accesses besides */
		input.access = NULL;
	if (tutor->shown.view == VIEW_FRAGMENTS && input.tiles) {
		input.access = NULL;
		input.shuffle = NULL;
	}
	if (pick.thing == THING_TERM)
		screen_term_describe(tutor->catalog, pick.index, out);
	else if (tutor_step(tutor) && tutor_step(tutor)->has_experiment)
		view_describe_pick(&input, out);
}

/* --- where things lie --------------------------------------------------------------------------------------------- */

/* The screen as it was laid out last, drawn again where nobody sees it. */
static struct view_spots find_spots(const struct screen_state *state, const struct tutor *tutor)
{
	struct view_spots spots = {0};
	struct canvas *canvas = canvas_new(state->rows, state->cols);
	struct screen_state still = *state;
	still.hovered = (struct view_pick){0};
	still.modes.n = 0;
	if (canvas->rows == state->rows && canvas->cols == state->cols)
		screen_draw_spots(canvas, tutor, &still, &spots);
	canvas_free(canvas);
	return spots;
}

static enum screen_pane pane_of(const struct screen_layout *l, struct rect r)
{
	return canvas_rect_holds(l->source, r.row, r.col)     ? PANE_SOURCE
		: canvas_rect_holds(l->numbers, r.row, r.col) ? PANE_NUMBERS
		: canvas_rect_holds(l->text, r.row, r.col)    ? PANE_TEXT
							      : PANE_VIEW;
}

static struct screen_layout layout_of(const struct screen_state *state, const struct tutor *tutor)
{
	return screen_layout(state, tutor, (struct rect){1, 0, state->body_end - 1, state->cols});
}

static void pick(struct screen_state *state, const struct view_spot *spot)
{
	state->picked = spot->pick;
	state->at_row = spot->rect.row;
	state->at_col = spot->rect.col;
}

/* The piece that is pointed at: where it was picked, or, where the picture has changed since, what shows the same;
 * NULL: none. */
static const struct view_spot *find_present(const struct screen_state *state, const struct view_spots *spots)
{
	const struct view_spot *same = NULL;
	for (size_t i = 0; i < spots->n; i++) {
		const struct view_spot *s = &spots->at[i];
		if (s->pick.thing != state->picked.thing || s->pick.index != state->picked.index)
			continue;
		if (canvas_rect_holds(s->rect, state->at_row, state->at_col))
			return s;
		same = same ? same : s;
	}
	return same;
}

/* --- moving ------------------------------------------------------------------------------------------------------- */

/* How far a piece is from another in a direction, the rows, or columns, in it counting most; -1: it is not there. */
static long distance(struct rect from, struct rect to, enum tutor_action way)
{
	int down = to.row - from.row, right = to.col - from.col;
	switch (way) {
	case ACTION_POINT_UP: return down < 0 ? -down * 1000L + abs(right) : -1;
	case ACTION_POINT_DOWN: return down > 0 ? down * 1000L + abs(right) : -1;
	case ACTION_POINT_LEFT: return right < 0 && down == 0 ? -right : -1;
	default: return right > 0 && down == 0 ? right : -1;
	}
}

static const struct view_spot *find_next(const struct view_spots *spots, const struct screen_layout *l,
	const struct view_spot *from, enum tutor_action way)
{
	const struct view_spot *best = NULL;
	long nearest = 0;
	for (size_t i = 0; i < spots->n; i++) {
		const struct view_spot *s = &spots->at[i];
		long far = pane_of(l, s->rect) == pane_of(l, from->rect) ? distance(from->rect, s->rect, way) : -1;
		if (far >= 0 && (!best || far < nearest)) {
			best = s;
			nearest = far;
		}
	}
	return best;
}

/* Of a pane, the first piece; a lane, and the watched line, before others. */
static const struct view_spot *find_first(
	const struct view_spots *spots, const struct screen_layout *l, enum screen_pane pane, int watched)
{
	const struct view_spot *best = NULL;
	for (size_t i = 0; i < spots->n; i++) {
		const struct view_spot *s = &spots->at[i];
		if (pane_of(l, s->rect) != pane)
			continue;
		if (s->pick.thing == THING_LANE || (s->pick.thing == THING_LINE && s->pick.index == watched))
			return s;
		best = best ? best : s;
	}
	return best;
}

static const struct view_spot *find_in_panes(
	const struct view_spots *spots, const struct screen_layout *l, int from, int watched)
{
	const struct view_spot *found = NULL;
	for (int i = 0; i < PANES && !found; i++)
		found = find_first(spots, l, (enum screen_pane)((from + i) % PANES), watched);
	return found;
}

void screen_point_act(struct screen_state *state, const struct tutor *tutor, enum tutor_action action)
{
	if (!tutor_can(tutor, action) || (action == ACTION_POINT && state->pointing) || action == ACTION_POINT_END) {
		screen_point_end(state);
		return;
	}
	struct view_spots spots = find_spots(state, tutor);
	struct screen_layout l = layout_of(state, tutor);
	const struct view_spot *present = find_present(state, &spots);
	int watched = tutor->shown.input.source->watched;
	state->pointing = true;
	if (!present)
		present = find_in_panes(&spots, &l, PANE_VIEW, watched);
	else if (action == ACTION_POINT_PANE)
		present = find_in_panes(&spots, &l, (int)pane_of(&l, present->rect) + 1, watched);
	else if (action != ACTION_POINT && find_next(&spots, &l, present, action))
		present = find_next(&spots, &l, present, action);
	if (present)
		pick(state, present);
	else
		screen_point_end(state);
	free(spots.at);
}

static bool key_of_pointing(const struct screen_subject *on, key_code key)
{
	enum tutor_action action = tutor_key_row(KEYS_POINTING, key);
	if (action != ACTION_NONE)
		screen_act(on->state, on->tutor, action);
	return action != ACTION_NONE;
}

/* What is pointed at answers the question that asks for it; a line of a kernel that is explored becomes the watched
 * one. */
static bool act_on_picked(const struct screen_subject *on, int action)
{
	static const enum view_thing things[QUESTION_THINGS] = {
		[QUESTION_OF_LANE] = THING_LANE, [QUESTION_OF_BANK] = THING_BANK, [QUESTION_OF_LINE] = THING_LINE};
	struct view_pick picked = on->state->picked;
	int thing = 0;
	if (action != ACTION_OPEN)
		return false;
	if (on->tutor->explored && picked.thing == THING_LINE) {
		tutor_watch_line(on->tutor, (int)picked.index);
		screen_point_end(on->state);
		return true;
	}
	while (thing < QUESTION_THINGS && things[thing] != picked.thing)
		thing++;
	return tutor_answer_pointed(on->tutor, (enum question_thing)thing, picked.index);
}

static void draw_pointing_keys(struct screen_sketch *sketch, int row)
{
	screen_draw_keys(sketch, row, KEYS_POINTING);
}

const struct screen_mode screen_mode_pointing = {.key = key_of_pointing,
	.act = act_on_picked,
	.footer = draw_pointing_keys};

bool screen_point_click(struct screen_state *state, const struct tutor *tutor, int row, int col)
{
	if (!tutor_can(tutor, ACTION_POINT) || screen_is_covered(state))
		return false;
	struct view_spots spots = find_spots(state, tutor);
	const struct view_spot *found = NULL;
	for (size_t i = 0; i < spots.n; i++)
		if (canvas_rect_holds(spots.at[i].rect, row, col))
			found = &spots.at[i]; /* what was drawn last lies on top */
	bool again = found && found->pick.thing == state->picked.thing && found->pick.index == state->picked.index;
	if (again)
		screen_point_end(state);
	else if (found)
		pick(state, found);
	state->pointing = found && !again ? true : state->pointing;
	free(spots.at);
	return found != NULL;
}

/* --- the mouse over it -------------------------------------------------------------------------------------------- */

#define HOVER_COLS 62

bool screen_point_hover(struct screen_state *state, const struct tutor *tutor, int row, int col)
{
	struct view_pick before = state->hovered, over = {0};
	struct view_spots spots = {0};
	if (!screen_is_covered(state) && tutor_step(tutor))
		spots = find_spots(state, tutor);
	for (size_t i = 0; i < spots.n; i++) {
		enum view_thing thing = spots.at[i].pick.thing;
		if ((thing == THING_METRIC || thing == THING_TERM) && canvas_rect_holds(spots.at[i].rect, row, col)) {
			over = spots.at[i].pick;
			state->hover_row = spots.at[i].rect.row;
			state->hover_col = spots.at[i].rect.col;
		}
	}
	free(spots.at);
	state->hovered = over;
	return over.thing != before.thing || over.index != before.index;
}

void screen_point_draw_hover(struct screen_sketch *sketch)
{
	const struct screen_state *state = sketch->state;
	struct canvas *canvas = sketch->canvas;
	struct buf words = {0};
	screen_describe_pick(sketch->tutor, state->hovered, &words);
	int cols = canvas->cols - 4 < HOVER_COLS ? canvas->cols - 4 : HOVER_COLS;
	struct screen_flow measure = screen_flow_measure(cols);
	screen_flow_plain(&measure, ROLE_TEXT, "", 0, buf_str(&words));
	int rows = measure.row + 2, below = state->hover_row + 1;
	struct rect box = {
		below + rows <= canvas->rows ? below : state->hover_row - rows, state->hover_col, rows, cols + 4};
	box.col = box.col + box.cols <= canvas->cols ? box.col : canvas->cols - box.cols;
	if (words.len && box.row >= 0 && box.col >= 0) {
		canvas_fill(canvas, box, ' ', ROLE_TEXT);
		struct rect in = canvas_box(canvas, box, ROLE_FRAME, NULL);
		struct screen_flow flow = {.canvas = canvas, .row = in.row, .col = in.col + 1, .cols = cols};
		screen_flow_plain(&flow, ROLE_TEXT, "", 0, buf_str(&words));
	}
	buf_free(&words);
}

/* --- scrolling ---------------------------------------------------------------------------------------------------- */

static void scroll_pane(struct screen_state *state, const struct tutor *tutor, enum screen_pane pane, int rows)
{
	struct screen_layout l = layout_of(state, tutor);
	struct screen_sketch sketch = {.tutor = tutor, .state = state};
	struct view_input input = screen_view_input(&sketch, pane);
	bool source = pane == PANE_SOURCE || tutor->shown.view == VIEW_SOURCE;
	int *scroll = source ? &state->source_scroll : &state->view_scroll;
	struct view_scroll range = view_scroll_range(
		source ? VIEW_SOURCE : tutor->shown.view, pane == PANE_SOURCE ? l.source : l.view, &input);
	int to = *scroll + rows;
	*scroll = to < range.least ? range.least : to > range.most ? range.most : to;
}

static bool has_experiment(const struct tutor *tutor)
{
	const struct step *step = tutor_step(tutor);
	return step && step->has_experiment;
}

bool screen_point_scroll(struct screen_state *state, const struct tutor *tutor, int rows)
{
	if (!has_experiment(tutor))
		return false;
	struct screen_layout l = layout_of(state, tutor);
	bool fits = state->text_rows <= state->text_room;
	bool pointing = screen_is_pointing(state, tutor);
	enum screen_pane at = tutor->explored && l.source.rows > 0 ? PANE_SOURCE : PANE_VIEW;
	enum screen_pane pane = pointing ? pane_of(&l, (struct rect){state->at_row, state->at_col, 1, 1}) : at;
	if ((at == PANE_VIEW && l.view.rows < 1) || pane == PANE_NUMBERS || pane == PANE_TEXT ||
		(!pointing && state->focus != SCREEN_PICTURE && !fits))
		return false;
	scroll_pane(state, tutor, pane, rows);
	return true;
}

void screen_wheel(struct screen_state *state, struct tutor *tutor, int row, int col, int rows)
{
	const struct screen_mode *top = screen_top(&state->modes);
	if (top && top->wheel) {
		top->wheel(&(struct screen_subject){.state = state, .tutor = tutor}, rows);
		return;
	}
	bool over = screen_is_covered(state) || !has_experiment(tutor);
	struct screen_layout l = over ? (struct screen_layout){0} : layout_of(state, tutor);
	if (canvas_rect_holds(l.source, row, col)) {
		scroll_pane(state, tutor, PANE_SOURCE, rows);
	} else if (canvas_rect_holds(l.view, row, col)) {
		scroll_pane(state, tutor, PANE_VIEW, rows);
	} else {
		for (int i = 0; i < (rows < 0 ? -rows : rows); i++)
			screen_act(state, tutor, rows < 0 ? ACTION_UP : ACTION_DOWN);
	}
}
