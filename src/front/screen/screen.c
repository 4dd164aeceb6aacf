#include "front/screen/screen.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"
#include "front/screen/flow.h"
#include "front/screen/keybar.h"
#include "front/screen/modes.h"
#include "front/screen/parts.h"
#include "front/tutor/keys.h"
#include "front/tutor/playground.h"

#define FOOTER_KEYS_MAX 48
#define NOTICE_ROWS_MAX 4
#define STATUS_GAP 3 /* columns between a title that is shown whole and the edge, beside those of the status */

void screen_add_target(struct screen_sketch *sketch, struct rect rect, enum tutor_action action, int index)
{
	struct screen_targets *targets = sketch->targets;
	if (targets && targets->n < SCREEN_TARGETS_MAX)
		targets->t[targets->n++] = (struct screen_target){rect, action, index};
}

/* --- frames ------------------------------------------------------------------------------------------------------- */

void screen_draw_frame(struct canvas *canvas, struct rect rect)
{
	canvas_box(canvas, rect, ROLE_FRAME, NULL);
}

void screen_draw_divider(struct canvas *canvas, struct rect rect, int row)
{
	canvas_hline(canvas, row, rect.col + 1, rect.cols - 2, ROLE_FRAME);
	canvas_put(canvas, row, rect.col, GLYPH_TEE_RIGHT, ROLE_FRAME);
	canvas_put(canvas, row, rect.col + rect.cols - 1, GLYPH_TEE_LEFT, ROLE_FRAME);
}

void screen_draw_wall(struct canvas *canvas, int col, int top, int bottom)
{
	for (int row = top + 1; row < bottom; row++)
		canvas_put(canvas, row, col, GLYPH_LINE_V, ROLE_FRAME);
	canvas_put(canvas, top, col, GLYPH_TEE_DOWN, ROLE_FRAME);
	canvas_put(canvas, bottom, col, GLYPH_TEE_UP, ROLE_FRAME);
}

int screen_draw_label(struct canvas *canvas, struct rect rect, enum role role, const char *text)
{
	int n = utf8_columns(text);
	if (n > rect.cols - 2)
		n = rect.cols - 2;
	if (n < 1)
		return 0;
	canvas_put(canvas, rect.row, rect.col, ' ', role);
	canvas_text_fit(canvas, (struct rect){rect.row, rect.col + 1, 1, n}, role, text);
	canvas_put(canvas, rect.row, rect.col + 1 + n, ' ', role);
	return n + 2;
}

/* --- running text ------------------------------------------------------------------------------------------------- */

void screen_lay_out_text(struct screen_state *state, int total, int room)
{
	int most = total > room ? total - room : 0;
	state->text_rows = total;
	state->text_room = room;
	if (state->text_scroll > most)
		state->text_scroll = most;
	if (state->text_scroll < 0)
		state->text_scroll = 0;
}

void screen_draw_scroll_marks(struct screen_sketch *sketch, struct rect r, const struct screen_waits *waits)
{
	int above = sketch->state->text_scroll, below = sketch->state->text_rows - above - r.rows;
	char more[48];
	if (above > 0)
		screen_draw_label(sketch->canvas, (struct rect){r.row - 1, r.col, 1, r.cols}, ROLE_DIM, "▲");
	if (below <= 0)
		return;
	const struct screen_waits more_text = {.key = "Space", .action = ACTION_PAGE_DOWN};
	const struct screen_waits *w = waits->what ? waits : &more_text;
	snprintf(more, sizeof more, _("▼ %d more%s%s: %s"), below, w->what ? ", " : "", w->what ? w->what : "", w->key);
	int cols = screen_draw_label(sketch->canvas, (struct rect){r.row + r.rows, r.col, 1, r.cols}, ROLE_KEY, more);
	screen_add_target(sketch, (struct rect){r.row + r.rows, r.col, 1, cols}, w->action, -1);
}

/* --- title and footer --------------------------------------------------------------------------------------------- */

/* Where the numbers come from, at the right. When room is short, the maker's name gives way first, then the date of a
 * recording. Returns its column. */
static int draw_status(struct screen_sketch *sketch, int wanted)
{
	static const char maker[] = "NVIDIA ";
	struct canvas *canvas = sketch->canvas;
	const struct tutor *tutor = sketch->tutor;
	char text[sizeof tutor->measured.status];
	snprintf(text, sizeof text, "%s", tutor->measured.status);
	char *at = strstr(text, maker);
	if (at && wanted + STATUS_GAP + utf8_columns(text) > canvas->cols)
		memmove(at, at + sizeof maker - 1, strlen(at + sizeof maker - 1) + 1);
	char *date = tutor->measured.status_by == WITNESS_RECORDED ? strrchr(text, ',') : NULL;
	if (date && wanted + STATUS_GAP + utf8_columns(text) > canvas->cols)
		*date = '\0';
	int col = canvas->cols - 1 - utf8_columns(text);
	if (col < canvas->cols / 2)
		col = canvas->cols / 2;
	canvas_text_fit(canvas, (struct rect){0, col, 1, canvas->cols - 1 - col},
		view_witness_role(tutor->measured.status_by), text);
	return col;
}

/* The first row: the program, `where` in strong type, `what`, and where the numbers come from at the right. */
static void draw_title(struct screen_sketch *sketch, const char *where, const char *what)
{
	static const char program[] = "simttutor";
	struct canvas *canvas = sketch->canvas;
	int wanted = 1 + utf8_columns(where) + 2 + utf8_columns(what);
	int right = draw_status(sketch, wanted);
	int col = 1;
	if (wanted + (int)sizeof program + 2 < right)
		col += canvas_text(canvas, 0, col, ROLE_DIM, program) + 2;
	col += canvas_text_fit(canvas, (struct rect){0, col, 1, right - 1 - col}, ROLE_TITLE, where) + 2;
	if (col < right - 4)
		canvas_text_fit(canvas, (struct rect){0, col, 1, right - 2 - col}, ROLE_TEXT, what);
}

/* The keys of a mode that do something now, after those in `out` that have come; those that share a footer text stay
 * together. */
static int footer_keys(const struct tutor *tutor, enum tutor_key_mode mode, struct screen_keybar_key *out, int come)
{
	int n = come;
	for (int i = 0; i < tutor_key_count && n < FOOTER_KEYS_MAX; i++) {
		const struct tutor_key *key = &tutor_keys[i];
		bool twice = come > 0 && key->action == ACTION_PLAY;
		bool joins = n > 0 && strcmp(out[n - 1].text, text_translate(key->footer)) == 0;
		bool counts = mode == KEYS_ANY ? key->mode == mode
					       : key->mode != KEYS_ANY && tutor_key_counts(key, mode);
		if (counts && !twice && key->footer[0] && (joins || tutor_can(tutor, key->action)))
			out[n++] = (struct screen_keybar_key){key->key, text_translate(key->footer), (int)key->action};
	}
	return n;
}

static void footer_target(void *ctx, struct rect rect, int action)
{
	screen_add_target(ctx, rect, (enum tutor_action)action, -1);
}

/* The notice, or else what is picked. */
static void flow_below(struct screen_flow *flow, const struct screen_state *state, const struct tutor *tutor)
{
	struct buf words = {0};
	if (tutor->notice[0]) {
		/* Sentences here, while messages of the command line begin small; a name at the start stays as it
		 * is. */
		char notice[sizeof tutor->notice];
		memcpy(notice, tutor->notice, sizeof notice);
		size_t word = strspn(notice, "abcdefghijklmnopqrstuvwxyz");
		if (word > 0 && notice[word] == ' ')
			notice[0] = (char)(notice[0] - 'a' + 'A');
		screen_flow_plain(flow, ROLE_WATCHED, "", 0, notice);
	} else {
		screen_describe_pick(tutor, state->picked, &words);
	}
	if (words.len)
		screen_flow_plain(flow, ROLE_STRONG, "", 0, buf_str(&words));
	buf_free(&words);
}

void screen_draw_keys(struct screen_sketch *sketch, int row, enum tutor_key_mode mode)
{
	struct canvas *canvas = sketch->canvas;
	const struct tutor *tutor = sketch->tutor;
	struct screen_keybar_key keys[FOOTER_KEYS_MAX], any[FOOTER_KEYS_MAX];

	/* While a picture is played its keys come before all others. */
	const struct screen_state *state = sketch->state;
	const struct {
		enum tutor_action action;
		const char *text;
	} wanted[] = {{ACTION_PLAY, state->playing ? _("pause") : _("play")}, {ACTION_PLAY_BACK, _("moment")},
		{ACTION_PLAY_FORWARD, _("moment")}, {ACTION_PLAY_PACE, _("speed")}};
	int playing = 0;
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted && state->moment; i++) {
		key_code key = tutor_key_of(wanted[i].action);
		if (tutor_key_action(mode, key) == wanted[i].action)
			keys[playing++] = (struct screen_keybar_key){key, wanted[i].text, (int)wanted[i].action};
	}

	int n = footer_keys(tutor, mode, keys, playing),
	    n_any = mode == KEYS_TYPING || mode == KEYS_EDITING ? 0 : footer_keys(tutor, KEYS_ANY, any, 0);
	int help = canvas->cols - screen_keybar_cols(any, n_any);
	screen_keybar_draw(
		canvas, (struct rect){row, 1, 1, help - 1}, &(struct screen_keybar){keys, n, footer_target, sketch});
	screen_keybar_draw(canvas, (struct rect){row, help + 1, 1, canvas->cols - help - 1},
		&(struct screen_keybar){any, n_any, footer_target, sketch});
}

/* --- the screen --------------------------------------------------------------------------------------------------- */

static void draw_lesson_title(struct screen_sketch *sketch)
{
	const struct tutor *tutor = sketch->tutor;
	const struct lesson *lesson = tutor->at.lesson;
	char where[128];
	if (tutor->at.ending) {
		draw_title(sketch, lesson->title, _("The end of the lesson"));
		return;
	}
	if (tutor->explored) {
		static const char *const states[] = {[EXPLORED_SHOWN] = "",
			[EXPLORED_COMPILING] = N_(", compiling"),
			[EXPLORED_REFUSED] = N_(", has errors")};
		char what[128];
		const struct tutor_playground *p = tutor->playground;
		bool access = p && p->kind == PLAYGROUND_ACCESS;
		snprintf(what, sizeof what, "%.100s%s",
			p && !access ? path_last(p->by.path) : lesson->steps[tutor->at.step].title,
			access ? "" : text_translate(states[tutor->explored->state]));
		draw_title(sketch, tutor->playground ? _("Playground") : lesson->title, what);
		return;
	}
	snprintf(where, sizeof where, "%.100s %d/%d", lesson->title, tutor->at.step + 1, lesson->n_steps);
	draw_title(sketch, where, lesson->steps[tutor->at.step].title);
}

static bool is_too_small(int rows, int cols)
{
	return rows < SCREEN_MIN_ROWS || cols < SCREEN_MIN_COLS;
}

void screen_lay_out(struct screen_state *state, const struct tutor *tutor, int rows, int cols)
{
	screen_follow(state, tutor);
	state->rows = rows;
	state->cols = cols;
	const struct screen_mode *top = screen_top(&state->modes);
	if (top && top->alone)
		top->lay_out(state, tutor, rows, cols);
	if (is_too_small(rows, cols) || (top && top->alone))
		return;
	struct screen_flow notice = screen_flow_measure(cols - 2);
	flow_below(&notice, state, tutor);
	state->body_end = rows - 1 - (notice.row < NOTICE_ROWS_MAX ? notice.row : NOTICE_ROWS_MAX);
	struct rect body = {1, 0, state->body_end - 1, cols};
	if (tutor->presented)
		screen_lay_out_slide(state, tutor, body);
	else if (tutor->at.mode == TUTOR_LESSON && tutor->at.ending)
		screen_lay_out_ending(state, tutor, body);
	else if (tutor->at.mode == TUTOR_LESSON)
		screen_lay_out_lesson(state, tutor, body);
	if (top && top->lay_out)
		top->lay_out(state, tutor, rows, cols);
}

static void draw_sketch(struct screen_sketch *sketch)
{
	struct canvas *canvas = sketch->canvas;
	const struct tutor *tutor = sketch->tutor;
	const struct screen_state *state = sketch->state;
	assert(state->rows == canvas->rows && state->cols == canvas->cols);
	if (sketch->targets)
		sketch->targets->n = 0;
	const struct screen_mode *top = screen_top(&state->modes);
	if (top && top->alone) {
		top->draw(sketch);
		return;
	}
	canvas_clear(canvas);
	if (is_too_small(canvas->rows, canvas->cols)) {
		char text[160];
		snprintf(text, sizeof text,
			_("This terminal has %d columns and %d rows; the lessons need %d and %d. Make it larger, or "
			  "press Q to leave."),
			canvas->cols, canvas->rows, SCREEN_MIN_COLS, SCREEN_MIN_ROWS);
		struct screen_flow flow = {.canvas = canvas, .row = 0, .col = 0, .cols = canvas->cols};
		screen_flow_plain(&flow, ROLE_TEXT, "", 0, text);

		return;
	}
	if (tutor->presented && tutor->presented->blank)
		return;
	struct rect body = {1, 0, state->body_end - 1, canvas->cols};

	/* The last rows, from body_end on: a notice where there is one, and the keys; of a slide, how far it is. */
	int row = canvas->rows - 1;
	screen_draw_footer(sketch, row);
	struct screen_flow flow = {.canvas = canvas, .row = state->body_end, .col = 1, .cols = canvas->cols - 2};
	struct rect old = canvas_clip(canvas, (struct rect){state->body_end, 0, row - state->body_end, canvas->cols});
	flow_below(&flow, state, tutor);
	canvas_unclip(canvas, old);

	if (tutor->presented) {
		draw_lesson_title(sketch);
		screen_draw_slide(sketch, body);
	} else if (tutor->at.mode == TUTOR_LIST) {
		bool welcome = screen_has(&state->modes, &screen_mode_welcome);
		draw_title(sketch, welcome ? _("Welcome") : _("Lessons"), "");
		if (welcome)
			screen_draw_welcome(sketch, body);
		else
			screen_draw_list(sketch, body);
	} else {
		draw_lesson_title(sketch);
		if (tutor->at.ending)
			screen_draw_ending(sketch, body);
		else
			screen_draw_lesson(sketch, body);
	}
	if (top && top->draw)
		top->draw(sketch);
	if (state->hovered.thing != THING_NONE)
		screen_point_draw_hover(sketch);
}

void screen_draw(struct canvas *canvas, const struct tutor *tutor, const struct screen_state *state,
	struct screen_targets *targets)
{
	draw_sketch(&(struct screen_sketch){canvas, tutor, state, targets, NULL});
}

void screen_draw_spots(
	struct canvas *canvas, const struct tutor *tutor, const struct screen_state *state, struct view_spots *spots)
{
	draw_sketch(&(struct screen_sketch){canvas, tutor, state, NULL, spots});
}

void screen_render(
	struct canvas *canvas, const struct tutor *tutor, struct screen_state *state, struct screen_targets *targets)
{
	screen_lay_out(state, tutor, canvas->rows, canvas->cols);
	screen_draw(canvas, tutor, state, targets);
}

bool screen_is_covered(const struct screen_state *state)
{
	const struct screen_mode *top = screen_top(&state->modes);
	return top && top->draw;
}

void screen_end(struct screen_state *state)
{
	screen_stepper_close(state);
}

/* --- the mouse ---------------------------------------------------------------------------------------------------- */

bool screen_hover(struct screen_state *state, const struct tutor *tutor, int row, int col)
{
	return !is_too_small(state->rows, state->cols) && screen_point_hover(state, tutor, row, col);
}

bool screen_click(
	struct screen_state *state, struct tutor *tutor, const struct screen_targets *targets, int row, int col)
{
	const struct screen_mode *top = screen_top(&state->modes);
	if (top && top->click) {
		top->click(&(struct screen_subject){.state = state, .tutor = tutor}, row, col);
		return true;
	}
	/* what was drawn last lies on top */
	for (int i = targets->n - 1; i >= 0; i--) {
		if (canvas_rect_holds(targets->t[i].rect, row, col)) {
			const struct screen_target *target = &targets->t[i];
			if (target->action == ACTION_VIEW_NEXT && target->index >= 0) {
				tutor_show_view(tutor, target->index);
			} else if (target->action == ACTION_OPEN && target->index >= 0 &&
				target->index != tutor->at.selected) {
				tutor->at.selected = target->index;
				tutor->at.listed_step = 0;
			} else if (target->action == ACTION_STEPS) { /* on a second click it is opened */
				bool again = tutor->at.listed_step == target->index + 1;
				tutor->at.listed_step = target->index + 1;
				if (again)
					screen_act(state, tutor, ACTION_OPEN);
			} else if (target->action == ACTION_SETTINGS &&
				screen_has(&state->modes, &screen_mode_settings)) {
				screen_settings_click(state, tutor, target->index);
			} else if (target->action == ACTION_TYPE_LEFT || target->action == ACTION_TYPE_RIGHT) {
				tutor->playground->field = (enum tutor_playground_field)target->index;
				tutor_playground_change(tutor, target->action == ACTION_TYPE_LEFT ? -1 : 1);
			} else {
				bool turns = target->action == ACTION_PARAM_NEXT ||
					target->action == ACTION_PARAM_PREVIOUS;
				if (turns && target->index >= 0)
					tutor_parameter_select(tutor, target->index);
				screen_act(state, tutor, target->action);
			}

			return true;
		}
	}
	return screen_pad_click(state, tutor, row, col) || screen_point_click(state, tutor, row, col);
}
