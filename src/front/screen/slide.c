#include "front/screen/parts.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"
#include "front/screen/modes.h"
#include "front/view/numbers.h"
#include "front/view/views.h"

#define LARGE_COLS 100 /* from here on the picture stands above the text, over the whole width */
#define LARGE_ROWS 28
#define MEASURE 84      /* columns of running text that are easy to read */
#define TEXT_ROWS_MIN 6 /* below a picture */
#define SMALL_TEXT_COLS 38
#define NUMBERS_COLS_MIN 36
#define NUMBERS_ROWS_SMALL 4

/* --- text --------------------------------------------------------------------------------------------------------- */

static bool is_voting(const struct tutor *tutor)
{
	return tutor->presented->vote && !tutor_present_answers(tutor);
}

static struct text first_blocks(const struct text *text, int n)
{
	struct text out = *text;
	out.n_blocks = n;
	return out;
}

/* What is revealed. Returns the row where what came last begins. */
static int flow_slide(struct screen_flow *flow, const struct tutor *tutor, int roomy)
{
	const struct step *step = tutor_step(tutor);
	int newest = 0;
	if (!step) {
		/* What a reader would find below the last lesson's last step. */
		const struct lesson *lesson = tutor->at.lesson;
		screen_flow_plain(flow, ROLE_TITLE, "", 0, _("Take away"));
		screen_flow_gap(flow);
		screen_flow_plain(flow, ROLE_STRONG, "", 0, lesson->takeaway);
		if (lesson->can && *lesson->can) {
			struct buf line = {0};
			buf_printf(&line, _("You can now %s."), lesson->can);
			screen_flow_gap(flow);
			screen_flow_plain(flow, ROLE_TEXT, "", 0, buf_str(&line));
			buf_free(&line);
		}

		return 0;
	}
	if (tutor->presented->vote) {
		screen_flow_vote(flow, tutor, roomy);
		screen_flow_verdict(flow, tutor);
		return 0;
	}
	int blocks = tutor_present_blocks(tutor), before = tutor_present_newest(tutor);
	struct text old = first_blocks(&step->text, before), new = first_blocks(&step->text, blocks - before);
	new.blocks += before;
	screen_flow_text(flow, &old);
	if (before > 0 && blocks > before &&
		!(new.blocks[0].kind == BLOCK_ITEM &&old.blocks[before - 1].kind == BLOCK_ITEM))
		screen_flow_gap(flow);
	newest = flow->row;
	screen_flow_text(flow, &new);
	if (tutor_present_claims(tutor)) {
		screen_flow_gap(flow);
		newest = flow->row;
		screen_flow_claim(flow, &step->claim);
	}
	if (tutor_present_asks(tutor)) {
		screen_flow_gap(flow);
		newest = flow->row;
		screen_flow_exercise(flow, tutor, &step->exercise);
		if (!tutor_present_answers(tutor) || !tutor->answer.explain || !tutor->answer.explain[0])
			return newest;
		screen_flow_gap(flow);
		newest = flow->row;
		screen_flow_plain(flow, ROLE_TEXT, "", 0, tutor->answer.explain);
		return newest;
	}
	if (tutor_present_answers(tutor)) {
		/* Whether a claim holds; with a question it belongs to the answer. */
		newest = flow->row + (tutor->claim.verdict != VERDICT_NONE);
		screen_flow_verdict(flow, tutor);
	}
	return newest;
}

/* Rows of all that the slide will say before the vote, so that the picture stays as large as it is. */
static int rows_needed(const struct tutor *tutor, int cols)
{
	const struct step *step = tutor_step(tutor);
	struct screen_flow measure = screen_flow_measure(cols);
	screen_flow_text(&measure, &step->text);
	if (step->claim.text) {
		screen_flow_gap(&measure);
		screen_flow_claim(&measure, &step->claim);
	}
	return measure.row;
}

/* --- layout ------------------------------------------------------------------------------------------------------- */

static int count_parameters(const struct tutor *tutor)
{
	const struct step *step = tutor_step(tutor);
	int n = 0;
	for (int i = 0; i < tutor->at.lesson->n_parameters; i++)
		n += step->shown[i];
	return n;
}

static int numbers_rows(const struct tutor *tutor, int cols)
{
	const struct view_numbers *n = tutor->shown.input.numbers;
	return n->n_rows && tutor->shown.view != VIEW_NUMBERS ? view_number_rows(n, cols) : 0;
}

static struct screen_layout lay_out_large(const struct tutor *tutor, struct rect body)
{
	struct screen_layout l = {.title = 2};
	int parameters = count_parameters(tutor) > 0, most = body.rows * 9 / 20;
	bool voting = is_voting(tutor);
	int numbers = voting ? 0 : (body.cols - 7) * 2 / 5;
	numbers = numbers_rows(tutor, numbers) && numbers >= NUMBERS_COLS_MIN ? numbers : 0;
	int text = body.cols - 4 - (numbers ? numbers + 3 : 0);
	text = text > MEASURE && !tutor->presented->vote ? MEASURE : text;
	int rows = rows_needed(tutor, text < MEASURE ? text : MEASURE), least = numbers_rows(tutor, numbers);
	rows = rows < least ? least : rows;
	rows = rows < TEXT_ROWS_MIN ? TEXT_ROWS_MIN : rows > most ? most : rows;
	if (tutor_present_asks(tutor))
		rows = most;
	int end = body.row + body.rows, rule = end - rows - 1;
	l.dividers[l.n_dividers++] = l.tabs = rule;
	l.parameters = rule - parameters;
	l.view = (struct rect){body.row + 1, 1, l.parameters - body.row - 1, body.cols - 2};
	l.text = (struct rect){rule + 1, 3, rows, text};
	if (numbers)
		l.numbers = (struct rect){rule + 1, body.cols - 2 - numbers, rows, numbers};
	if (!parameters)
		l.parameters = -1;
	return l;
}

static struct screen_layout lay_out_small(const struct tutor *tutor, struct rect body)
{
	struct screen_layout l = {0};
	int parameters = count_parameters(tutor) > 0, numbers = numbers_rows(tutor, body.cols - 4),
	    end = body.row + body.rows;
	int most = NUMBERS_ROWS_SMALL + (tutor->shown.input.numbers->other != NULL);
	numbers = numbers < most ? numbers : most;
	int rule = end - numbers - parameters - (numbers + parameters > 0);
	int wall = SMALL_TEXT_COLS + (body.cols - 80) * 3 / 10;
	wall = wall < body.cols / 2 - 4 ? wall : body.cols / 2 - 4;
	if (rule < end)
		l.dividers[l.n_dividers++] = l.tabs = rule;
	l.parameters = parameters ? end - 1 : -1;
	l.numbers = (struct rect){rule + 1, 2, numbers, body.cols - 4};
	l.wall = wall;
	l.wall_top = body.row;
	l.wall_bottom = rule < end ? rule : end;
	l.title = wall + 2;
	l.text = (struct rect){body.row + 1, 3, rule - body.row - 1, wall - 4};
	l.view = (struct rect){body.row + 1, wall + 1, rule - body.row - 1, body.cols - wall - 2};
	return l;
}

struct screen_layout screen_slide_layout(const struct screen_state *state, const struct tutor *tutor, struct rect body)
{
	bool large = state->cols >= LARGE_COLS && state->rows >= LARGE_ROWS;
	const struct step *step = tutor_step(tutor);
	bool has_picture = step && step->has_experiment && tutor->shown.view != VIEW_NONE;
	if (!has_picture || (!large && is_voting(tutor) && state->focus == SCREEN_BOTH)) {
		/* The text alone, in the middle of the body, in a measure that is easy to read. */
		int cols = body.cols - 8 < MEASURE ? body.cols - 8 : MEASURE;
		return (struct screen_layout){
			.text = {body.row + 2, (body.cols - cols) / 2, body.rows - 3, cols}, .parameters = -1};
	}
	if (state->focus == SCREEN_PICTURE) {
		int parameters = count_parameters(tutor) > 0;
		return (struct screen_layout){.title = 2,
			.parameters = parameters ? body.row + body.rows - 1 : -1,
			.view = {body.row + 1, 1, body.rows - 1 - parameters, body.cols - 2}};
	}
	return large ? lay_out_large(tutor, body) : lay_out_small(tutor, body);
}

/* --- drawing ------------------------------------------------------------------------------------------------------ */

void screen_lay_out_slide(struct screen_state *state, const struct tutor *tutor, struct rect body)
{
	struct rect r = screen_slide_layout(state, tutor, body).text;
	if (r.rows < 1 || r.cols < 1)
		return;
	struct screen_flow flow = screen_flow_measure(r.cols);
	int newest = flow_slide(&flow, tutor, r.rows), most = flow.row > r.rows ? flow.row - r.rows : 0;
	state->text_scroll = tutor->presented->vote && !is_voting(tutor) ? most : newest < most ? newest : most;
	state->question_row = flow.row;
	state->attention = ATTENTION_NONE;
	screen_lay_out_text(state, flow.row, r.rows);
}

void screen_draw_slide(struct screen_sketch *sketch, struct rect body)
{
	struct canvas *canvas = sketch->canvas;
	const struct tutor *tutor = sketch->tutor;
	struct screen_layout l = screen_slide_layout(sketch->state, tutor, body);
	canvas_hline(canvas, body.row, 0, canvas->cols, ROLE_FRAME);
	for (int i = 0; i < l.n_dividers; i++)
		canvas_hline(canvas, l.dividers[i], 0, canvas->cols, ROLE_FRAME);
	if (l.wall)
		screen_draw_wall(canvas, l.wall, l.wall_top, l.wall_bottom);
	if (l.text.rows > 0) {
		/* What came last is marked at its left; what has gone above, in the rule. */
		struct rect r = l.text;
		const struct screen_state *state = sketch->state;
		struct screen_terms terms = {tutor->catalog, sketch->spots, state->picked};
		struct screen_flow flow = {
			.canvas = sketch->canvas, .row = r.row - state->text_scroll, .col = r.col, .cols = r.cols};
		flow.terms = terms.spots || terms.picked.thing == THING_TERM ? &terms : NULL;
		struct rect old = canvas_clip(sketch->canvas, (struct rect){r.row, r.col - 2, r.rows, r.cols + 2});
		int newest = flow_slide(&flow, tutor, r.rows);
		bool marks = tutor_step(tutor) && !tutor->presented->vote && newest > r.row - state->text_scroll;
		for (int row = newest; marks && row < flow.row; row++)
			canvas_put(sketch->canvas, row, r.col - 2, GLYPH_BLOCK_LEFT, ROLE_WATCHED);
		canvas_unclip(sketch->canvas, old);
		if (state->text_scroll > 0)
			screen_draw_label(sketch->canvas, (struct rect){r.row - 1, r.col, 1, r.cols}, ROLE_DIM, "▲");
	}
	if (l.view.rows > 0)
		screen_draw_picture(sketch, &l);
	if (l.parameters >= 0)
		screen_draw_parameters(sketch, l.parameters);
	if (l.numbers.rows > 0)
		screen_draw_numbers(sketch, l.numbers);
}

static void draw_slide_footer(struct screen_sketch *sketch, int row)
{
	const struct tutor_presented *p = sketch->tutor->presented;
	struct canvas *canvas = sketch->canvas;
	int col = 1, end = canvas->cols - 1;

	/* How much of the slide is shown: a dot for each piece, or two numbers. */
	if (p->pieces.n > canvas->cols / 4)
		col += canvas_textf(canvas, row, col, ROLE_DIM, _("%d of %d"), p->shown, p->pieces.n);
	else
		for (int i = 0; i < p->pieces.n; i++, col += 2)
			canvas_put(canvas, row, col, i < p->shown ? GLYPH_DISC : GLYPH_CIRCLE,
				i < p->shown ? ROLE_KEY : ROLE_DIM);
	col += 2;

	if (p->number[0])
		canvas_textf(canvas, row, col, ROLE_SELECTED, _(" slide %s_ "), p->number);
	end -= 6;
	screen_add_target(sketch, (struct rect){row, end, 1, 6}, ACTION_HELP, -1);
	canvas_text(canvas, row, end, ROLE_KEY, "?");
	canvas_text(canvas, row, end + 2, ROLE_DIM, _("help"));
	if (!p->timer)
		return;
	char text[40];
	int n = snprintf(text, sizeof text, "%d:%02d", p->elapsed / 60, p->elapsed % 60);
	if (p->minutes)
		n += snprintf(text + n, sizeof text - (size_t)n, " / %d:00", p->minutes);
	canvas_text(
		canvas, row, end - n - 2, p->minutes && p->elapsed >= p->minutes * 60 ? ROLE_BAD : ROLE_STRONG, text);
}

/* --- keys --------------------------------------------------------------------------------------------------------- */

/* Numbers: of a slide, of hands, or the room's answer. */
static bool type_to_slide(const struct screen_subject *on, key_code key)
{
	if (key == KEYC_DEL)
		key = KEYC_BACKSPACE;
	bool number = (key >= '0' && key <= '9') || key == '.' || key == '-';
	return (number || key == KEYC_BACKSPACE) && !on->tutor->presented->blank && tutor_present_type(on->tutor, key);
}

static bool act_on_slide(const struct screen_subject *on, int action)
{
	if (action == ACTION_SLIDE_ESCAPE) {
		on->state->moment = 0;
		on->state->playing = false;
		on->state->focus = SCREEN_BOTH;
	}
	if (!on->tutor->presented->blank)
		return false;
	tutor_act(on->tutor, (enum tutor_action)action); /* whatever it is shows the screen again */
	return true;
}

const struct screen_mode screen_mode_slide = {.key = type_to_slide, .act = act_on_slide, .footer = draw_slide_footer};
