#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"
#include "front/screen/flow.h"
#include "front/screen/parts.h"
#include "front/tutor/keys.h"
#include "front/view/launch.h"
#include "front/view/numbers.h"
#include "front/view/source.h"
#include "front/view/views.h"

#define NUMBERS_ONE_HEADER_COLS 70
#define PARAMETER_GAP 3
#define NUMBERS_DATE_COLS 90 /* of the numbers, for the date of a recording */

/* --- text --------------------------------------------------------------------------------------------------------- */

/* Returns the row of the question; where there is none, of the end. */
static int flow_step(struct screen_flow *flow, const struct tutor *tutor, const struct step *step)
{
	screen_flow_text(flow, &step->text);
	if (step->claim.text) {
		screen_flow_gap(flow);
		screen_flow_claim(flow, &step->claim);
	}
	int question = flow->row;
	if (step->exercise.dir) {
		screen_flow_gap(flow);
		screen_flow_exercise(flow, tutor, &step->exercise);
		return question + 1;
	}
	if (step->question.kind != QUESTION_NONE) {
		screen_flow_gap(flow);
		question = flow->row;
		screen_flow_question(flow, tutor, &step->question);
	}
	screen_flow_verdict(flow, tutor);
	return step->question.kind == QUESTION_NONE ? flow->row : question;
}

static void draw_text(struct screen_sketch *sketch, struct rect r, const struct step *step)
{
	const struct tutor *tutor = sketch->tutor;
	const struct screen_state *state = sketch->state;
	int question = state->question_row;
	struct screen_terms terms = {tutor->catalog, sketch->spots, state->picked};
	struct screen_flow flow = {
		.canvas = sketch->canvas, .row = r.row - state->text_scroll, .col = r.col, .cols = r.cols};
	flow.terms = terms.spots || terms.picked.thing == THING_TERM ? &terms : NULL;
	struct rect old = canvas_clip(sketch->canvas, r);
	flow_step(&flow, tutor, step);
	canvas_unclip(sketch->canvas, old);
	/* of a question all that one can answer must be seen, of an exercise that there is one */
	bool asks = tutor_can(tutor, ACTION_ANSWER);
	int needed = (asks ? state->text_rows : question + 1) - state->text_scroll;
	struct screen_waits waits = {0};
	if (question < state->text_rows && needed > r.rows && !tutor_answered(tutor))
		waits = asks ? (struct screen_waits){_("a question"), "a", ACTION_ANSWER}
			     : (struct screen_waits){_("the exercise"), "End", ACTION_TEXT_END};
	screen_draw_scroll_marks(sketch, r, &waits);
}

/* --- view --------------------------------------------------------------------------------------------------------- */

static void view_title(const struct tutor *tutor, view_id id, char *out, size_t size)
{
	const char *what = view_is_of(id, VIEW_OF_ACCESS) ? tutor->shown.input.place : NULL;
	snprintf(out, size, "%s%s%s", text_translate(view_table[id].title), what ? " · " : "", what ? what : "");
}

static void draw_tabs(struct screen_sketch *sketch, int row, int col, int end, const struct step *step)
{
	/* The first of the views to be named, so that the one shown has room. */
	int room = end - col;
	int at = screen_view_index(step, sketch->tutor->shown.view), first = at < 0 ? 0 : at;
	for (int i = first; i >= 0 && at >= 0; i--) {
		view_id id = view_find(step->views[i]);
		room -= id == VIEW_NONE ? 0 : utf8_columns(text_translate(view_table[id].title)) + 3;
		if (room < (i > 0 ? 2 : 0))
			break;
		first = i;
	}
	if (first > 0)
		canvas_put(sketch->canvas, row, col++, GLYPH_ELLIPSIS, ROLE_DIM);
	for (int i = first; i < step->n_views && step->n_views > 1; i++) {
		view_id id = view_find(step->views[i]);
		if (id == VIEW_NONE)
			continue;
		if (col + utf8_columns(text_translate(view_table[id].title)) + 2 > end) {
			canvas_put(sketch->canvas, row, end - 1, GLYPH_ELLIPSIS, ROLE_DIM);
			break;
		}
		bool on = id == sketch->tutor->shown.view;
		int cols = screen_draw_label(sketch->canvas, (struct rect){row, col, 1, end - col},
			on ? ROLE_SELECTED : ROLE_KEY, text_translate(view_table[id].title));
		screen_add_target(sketch, (struct rect){row, col, 1, cols}, ACTION_VIEW_NEXT, i);
		col += cols + 1;
	}

	/* That it can be played, and by which key, at the right of the rule; of a picture alone the place is a
	 * question's. */
	const struct tutor *tutor = sketch->tutor;
	key_code key = tutor_key_of(ACTION_PLAY);
	char text[48];
	if (sketch->state->focus == SCREEN_PICTURE || sketch->state->moment || tutor_typing(tutor) ||
		!tutor_can(tutor, ACTION_PLAY) || tutor_key_action(tutor_key_mode_of(tutor), key) != ACTION_PLAY)
		return;
	snprintf(text, sizeof text, "%s: %s", key_string(key).text, _("play"));
	int cols = utf8_columns(text) + 2;
	struct rect place = {row, end - cols - 1, 1, cols};
	if (place.col < col)
		return;
	screen_draw_label(sketch->canvas, place, ROLE_KEY, text);
	screen_add_target(sketch, place, ACTION_PLAY, -1);
}

/* How far it is scrolled, at the right of the rule above it. */
static void draw_scrolled(struct screen_sketch *sketch, struct rect r, view_id id)
{
	char text[48];
	int rows = id == VIEW_SOURCE ? sketch->state->source_scroll : sketch->state->view_scroll;
	if (!rows)
		return;
	int n = rows < 0 ? -rows : rows;
	snprintf(text, sizeof text, text_plural("%s %d row", "%s %d rows", (unsigned)n), rows < 0 ? "▲" : "▼", n);
	int cols = utf8_columns(text) + 2;
	screen_draw_label(sketch->canvas, (struct rect){r.row, r.col + r.cols - cols - 1, 1, cols}, ROLE_WATCHED, text);
}

/* The view, and the source where the layout has room for both. */
void screen_draw_picture(struct screen_sketch *sketch, const struct screen_layout *l)
{
	struct canvas *canvas = sketch->canvas;
	const struct tutor *tutor = sketch->tutor;
	char title[160];
	if (tutor->shown.view == VIEW_NONE)
		return;

	/* The title, with the moment that is played; where there is no room for both, the title gives way. */
	struct rect rule = {l->view.row - 1, l->title, 1, canvas->cols - 1 - l->title};
	char moment[64] = "";
	view_title(tutor, tutor->shown.view, title, sizeof title);
	if (sketch->state->moment)
		snprintf(moment, sizeof moment, _("%s %d of %d"), sketch->state->playing ? _("playing") : _("paused"),
			sketch->state->moment, view_moments(tutor->shown.view, &tutor->shown.input));
	if (moment[0] && utf8_columns(title) + utf8_columns(moment) + 4 > rule.cols)
		snprintf(title, sizeof title, "%s", text_translate(view_table[tutor->shown.view].title));
	int title_cols = screen_draw_label(sketch->canvas, rule, ROLE_TITLE, title);
	draw_scrolled(sketch, rule, tutor->shown.view);
	if (moment[0])
		screen_draw_label(sketch->canvas,
			(struct rect){rule.row, rule.col + title_cols, 1, rule.cols - title_cols}, ROLE_WATCHED,
			moment);

	struct rect r = l->view;

	/* What went wrong stands above the diagram of what there is. */
	const struct diag *problems = sketch->tutor->shown.problems;
	struct screen_flow flow = {.canvas = sketch->canvas, .row = r.row, .col = r.col, .cols = r.cols};
	struct rect old = canvas_clip(sketch->canvas, r);
	for (size_t i = 0; problems && i < problems->count && flow.row < r.row + r.rows; i++) {
		const struct diag_entry *e = &problems->entries[i];
		char place[128] = "";
		/* The picture of a defect has its message. */
		const struct view_defects *found = sketch->tutor->shown.input.defects;
		if (sketch->tutor->shown.view == VIEW_DEFECT && found->n > 0 &&
			strcmp(found->at[0].message, e->message) == 0)
			continue;
		if (e->file && e->line)
			snprintf(place, sizeof place, "%.100s:%d: ", e->file, e->line);
		screen_flow_plain(&flow, e->severity == DIAG_ERROR ? ROLE_ERROR : ROLE_WATCHED, place, 2, e->message);
	}
	canvas_unclip(sketch->canvas, old);
	int taken = flow.row - r.row;

	r.row += taken;
	r.rows -= taken;
	struct view_input view_input = screen_view_input(sketch, PANE_VIEW);
	if (r.rows > 0)
		view_draw(tutor->shown.view, sketch->canvas, r, &view_input);

	if (!l->source.rows || tutor->explored)
		return;
	struct rect below = l->source;
	canvas_hline(canvas, below.row - 1, l->wall + 1, canvas->cols - l->wall - 2, ROLE_FRAME);
	canvas_put(canvas, below.row - 1, l->wall, below.row - 1 == l->wall_top ? GLYPH_TEE_DOWN : GLYPH_TEE_RIGHT,
		ROLE_FRAME); /* without numbers it is right below the tabs */
	canvas_put(canvas, below.row - 1, canvas->cols - 1, GLYPH_TEE_LEFT, ROLE_FRAME);
	view_title(tutor, VIEW_SOURCE, title, sizeof title);
	screen_draw_label(canvas, (struct rect){below.row - 1, below.col, 1, below.cols}, ROLE_TITLE, title);
	draw_scrolled(sketch, (struct rect){below.row - 1, below.col, 1, below.cols}, VIEW_SOURCE);
	struct view_input input = screen_view_input(sketch, PANE_SOURCE);
	view_draw(VIEW_SOURCE, canvas, below, &input);
}

/* --- parameters --------------------------------------------------------------------------------------------------- */

static int parameter_cols(const struct tutor *tutor, int index)
{
	const struct parameter *p = &tutor->at.lesson->parameters[index];
	struct buf text = {0};
	lesson_write_value_with_unit(p, tutor->at.values[index], &text);
	int cols = utf8_columns(p->label) + 1 + 1 + 1 + utf8_columns(buf_str(&text)) + 1 + 1;
	buf_free(&text);
	return cols;
}

int screen_draw_parameters(struct screen_sketch *sketch, int row)
{
	struct canvas *canvas = sketch->canvas;
	const struct tutor *tutor = sketch->tutor;
	const struct step *step = tutor_step(tutor);
	int end = canvas->cols - 1, col = 2;

	/* The first to be drawn, so that the one that the arrows turn has room. */
	int first = tutor->at.parameter, room = end - 2;
	for (int i = first; i >= 0; i--) {
		if (!step->shown[i])
			continue;
		room -= parameter_cols(tutor, i) + (i < tutor->at.parameter ? PARAMETER_GAP : 0);
		if (room < 0)
			break;
		first = i;
	}
	first = first < 0 ? 0 : first;
	for (int i = first; i < tutor->at.lesson->n_parameters; i++) {
		if (!step->shown[i])
			continue;
		if (i > tutor->at.parameter && col + parameter_cols(tutor, i) > end)
			break;

		const struct parameter *p = &tutor->at.lesson->parameters[i];
		int64_t value = tutor->at.values[i];
		bool on = i == tutor->at.parameter;
		bool at_first = p->n_values > 0 && value == p->values[0];
		bool last = p->n_values > 0 && value >= p->values[tutor_parameter_last(tutor, i)];
		int from = col;
		col += canvas_text(canvas, row, col, on ? ROLE_STRONG : ROLE_DIM, p->label) + 1;
		screen_add_target(sketch, (struct rect){row, from, 1, col + 1 - from}, ACTION_PARAM_PREVIOUS, i);
		col += canvas_text(canvas, row, col, at_first ? ROLE_IDLE : ROLE_KEY, "◂");
		struct buf text = {0};
		buf_putc(&text, ' ');
		lesson_write_value_with_unit(p, value, &text);
		buf_putc(&text, ' ');
		col += canvas_text(canvas, row, col, on ? ROLE_SELECTED : ROLE_TEXT, buf_str(&text));
		buf_free(&text);
		screen_add_target(sketch, (struct rect){row, col - 1, 1, 2}, ACTION_PARAM_NEXT, i);
		col += canvas_text(canvas, row, col, last ? ROLE_IDLE : ROLE_KEY, "▸");
		col += PARAMETER_GAP;
	}
	return col;
}

/* --- panes -------------------------------------------------------------------------------------------------------- */

void screen_lay_out_lesson(struct screen_state *state, const struct tutor *tutor, struct rect body)
{
	const struct step *step = tutor_step(tutor);
	struct screen_layout l = screen_layout(state, tutor, body);
	struct rect text = l.text;
	if (tutor->playground)
		screen_pad_lay_out(state, tutor, l.source);
	if (text.cols > 0) {
		/* Measures the text, and scrolls to what should be in sight. */
		struct screen_flow flow = screen_flow_measure(text.cols);
		state->question_row = flow_step(&flow, tutor, step);
		int total = flow.row, most = total > text.rows ? total - text.rows : 0;
		if (state->attention == ATTENTION_QUESTION)
			state->text_scroll = total - state->question_row > text.rows ? state->question_row : most;
		if (state->attention == ATTENTION_END_OF_TEXT)
			state->text_scroll = most;
		state->attention = ATTENTION_NONE;
		screen_lay_out_text(state, total, text.rows);
	}
}

/* `from`: the column after what stands in the row below. */
static void draw_numbers(struct screen_sketch *sketch, struct rect r, int from, const struct step *step)
{
	struct view_input input = screen_view_input(sketch, PANE_NUMBERS);
	struct view_numbers numbers = *input.numbers;
	if (r.rows < 1)
		return;
	/* the date is in the title as well */
	if (r.cols < NUMBERS_DATE_COLS)
		numbers.measured_on = sketch->tutor->measured.on_short;
	/* those without room are a view away; where the header may take two rows, the view itself says how many */
	int hidden = view_number_rows(&numbers, r.cols) - r.rows, at = screen_view_index(step, VIEW_NUMBERS);
	if (hidden > 0 && at >= 0 && r.cols >= NUMBERS_ONE_HEADER_COLS) {
		numbers.n_rows -= hidden;

		int row = r.row + r.rows;
		struct canvas *canvas = sketch->canvas;
		char text[64];
		snprintf(text, sizeof text, _("%d more in %s"), hidden, text_translate(view_table[VIEW_NUMBERS].title));
		int cols = utf8_columns(text), col = canvas->cols - 2 - cols;
		if (col >= from) {
			canvas_put(canvas, row, col - 1, ' ', ROLE_DIM);
			canvas_put(canvas, row, col + cols, ' ', ROLE_DIM);
			canvas_text(canvas, row, col, ROLE_DIM, text);
			screen_add_target(sketch, (struct rect){row, col, 1, cols}, ACTION_VIEW_NEXT, at);
		}
	}
	input.numbers = &numbers;
	view_draw(VIEW_NUMBERS, sketch->canvas, r, &input);
}

void screen_draw_numbers(struct screen_sketch *sketch, struct rect r)
{
	draw_numbers(sketch, r, sketch->canvas->cols, tutor_step(sketch->tutor));
}

/* --- an explored kernel ------------------------------------------------------------------------------------------- */

/* What the compiler says of the newest version, above the source of the one that is shown. Returns the rows it took. */
static int draw_refusal(struct screen_sketch *sketch, struct rect r)
{
	const struct tutor_explored *explored = sketch->tutor->explored;
	if (explored->state != EXPLORED_REFUSED)
		return 0;
	struct screen_flow flow = {.canvas = sketch->canvas, .row = r.row, .col = r.col, .cols = r.cols};
	r.rows = r.rows * 2 / 3 > 3 ? r.rows * 2 / 3 : 3; /* what is shown is to be seen, too */
	struct rect old = canvas_clip(sketch->canvas, r);
	screen_flow_plain(&flow, ROLE_ERROR, "", 0, _("The newest version is not shown:"));
	const char *at = explored->message;
	while (*at && flow.row < r.row + r.rows) {
		size_t len = strcspn(at, "\n");
		char line[400];
		snprintf(line, sizeof line, "%.*s", len < sizeof line ? (int)len : (int)sizeof line - 1, at);
		screen_flow_plain(&flow, ROLE_TEXT, "", 2, line);
		at += len + (at[len] == '\n');
	}
	canvas_unclip(sketch->canvas, old);
	int taken = flow.row - r.row < r.rows ? flow.row - r.row : r.rows;
	canvas_hline(sketch->canvas, r.row + taken, r.col, r.cols, ROLE_FRAME);
	return taken + 1;
}

void screen_draw_lesson(struct screen_sketch *sketch, struct rect body)
{
	const struct step *step = tutor_step(sketch->tutor);
	if (screen_pad_alone(sketch->tutor)) {
		screen_draw_frame(sketch->canvas, body);
		screen_pad_draw(sketch, screen_layout(sketch->state, sketch->tutor, body).source);
		return;
	}
	if (step->has_experiment) {
		struct canvas *canvas = sketch->canvas;
		struct screen_layout l = screen_layout(sketch->state, sketch->tutor, body);
		int bottom = body.row + body.rows - 1;
		screen_draw_frame(canvas, body);
		for (int i = 0; i < l.n_dividers; i++)
			if (l.dividers[i] < bottom)
				screen_draw_divider(canvas, body, l.dividers[i]);
		if (l.wall)
			screen_draw_wall(canvas, l.wall, l.wall_top, l.wall_bottom);
		if (l.text.cols > 0)
			draw_text(sketch, l.text, step);
		if (l.source.cols > 0 && screen_pad_covers_source(sketch->tutor)) {
			screen_pad_draw(sketch, l.source);
		} else if (l.source.cols > 0 && sketch->tutor->explored) {
			struct rect r = l.source;
			const struct tutor *tutor = sketch->tutor;
			const char *name = tutor->shown.input.source->file;
			screen_draw_label(sketch->canvas, (struct rect){r.row - 1, r.col, 1, r.cols}, ROLE_TITLE,
				name ? name : "");
			draw_scrolled(sketch, (struct rect){r.row - 1, r.col, 1, r.cols}, VIEW_SOURCE);
			int taken = draw_refusal(sketch, r);
			r.row += taken;
			r.rows -= taken;
			struct view_input input = screen_view_input(sketch, PANE_SOURCE);
			if (r.rows > 0)
				view_draw(VIEW_SOURCE, sketch->canvas, r, &input);
		}
		if (l.view.cols > 0)
			screen_draw_picture(sketch, &l);
		if (l.view.cols > 0) {
			draw_tabs(sketch, l.tabs, l.tabs_col, canvas->cols - 1, step);
		} else {
			/* The view has no room beside the text, or gave it: how to get at it. */
			char text[64];
			if (sketch->tutor->shown.view != VIEW_NONE) {
				snprintf(text, sizeof text, "z: %s",
					text_translate(view_table[sketch->tutor->shown.view].title));
				int col = canvas->cols - utf8_columns(text) - 4;
				int cols = screen_draw_label(
					canvas, (struct rect){l.tabs, col, 1, canvas->cols - col}, ROLE_KEY, text);
				screen_add_target(sketch, (struct rect){l.tabs, col, 1, cols}, ACTION_ZOOM, -1);
			}
		}
		if (l.text.cols <= 0 && !sketch->tutor->explored) {
			/* The text gave its room to the picture: what waits in it, and the key that shows it. */
			const struct tutor *tutor = sketch->tutor;
			bool exercise = tutor_step(tutor)->exercise.dir && !tutor_answered(tutor),
			     asks = tutor_can(tutor, ACTION_ANSWER);
			if (exercise || asks) {
				const char *text = asks ? _("a: a question") : _("z: the exercise");
				int col = canvas->cols - utf8_columns(text) - 4;
				int cols = screen_draw_label(
					canvas, (struct rect){l.tabs, col, 1, canvas->cols - col}, ROLE_KEY, text);
				screen_add_target(sketch, (struct rect){l.tabs, col, 1, cols},
					asks ? ACTION_ANSWER : ACTION_ZOOM, -1);
			}
		}
		int parameters = screen_draw_parameters(sketch, l.parameters);
		draw_numbers(sketch, l.numbers, l.numbers.row + l.numbers.rows == l.parameters ? parameters : 0, step);

		return;
	}
	screen_draw_frame(sketch->canvas, body);
	draw_text(sketch, screen_layout(sketch->state, sketch->tutor, body).text, step);
}
