/* Past the last step: what to take away, what was right, where to go on. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "front/screen/flow.h"
#include "front/screen/parts.h"

#define COLS_MAX 72
#define OPEN_MAX 4 /* steps that are named; the list of lessons has them all */

static void flow_ending(struct screen_flow *flow, const struct tutor *tutor)
{
	struct lesson_progress_score score = lesson_progress_score(tutor->progress, tutor->at.lesson);
	screen_flow_gap(flow);
	screen_flow_plain(flow, ROLE_TITLE, "", 0, _("Take away"));
	screen_flow_gap(flow);
	screen_flow_plain(flow, ROLE_TEXT, "", 0, tutor->at.lesson->takeaway);
	screen_flow_gap(flow);

	const struct lesson *lesson = tutor->at.lesson;
	struct buf can = {0};
	buf_printf(&can, _("You can now %s."), lesson->can);
	if (lesson->can && *lesson->can)
		screen_flow_plain(flow, ROLE_STRONG, "", 0, buf_str(&can));
	buf_free(&can);

	struct buf line = {0};
	bool all = score.answered == score.questions;
	buf_printf(&line, _("You answered %d of %d questions"), score.answered, score.questions);
	if (score.at_once)
		buf_printf(&line, _(", %d at the first try"), score.at_once);
	if (score.with_hints)
		buf_printf(&line, _(", %d with hints"), score.with_hints);
	if (score.looked_up)
		buf_printf(&line, _(", %d looked up"), score.looked_up);
	buf_puts(&line, all ? "." : _("; still open:"));
	if (score.questions > 0)
		screen_flow_plain(flow, all ? ROLE_GOOD : ROLE_TEXT, "", 0, buf_str(&line));
	buf_free(&line);

	int open = 0;
	char open_line[160];
	for (int i = 0; i < lesson->n_steps; i++) {
		const struct step *step = &lesson->steps[i];
		if (step->question.kind == QUESTION_NONE ||
			lesson_progress_answered(tutor->progress, lesson->id, step->id))
			continue;
		snprintf(open_line, sizeof open_line, _("step %d, %.100s"), i + 1, step->title);
		if (open++ < OPEN_MAX)
			screen_flow_plain(flow, ROLE_TEXT, "○ ", 2, open_line);
	}
	snprintf(open_line, sizeof open_line, _("and %d more"), open - OPEN_MAX);
	if (open > OPEN_MAX)
		screen_flow_plain(flow, ROLE_DIM, "  ", 2, open_line);

	char solved_line[80];
	for (int i = 0; i < lesson->n_steps; i++) {
		if (!lesson->steps[i].exercise.dir)
			continue;
		bool solved = lesson_progress_answered(tutor->progress, lesson->id, lesson->steps[i].id);
		snprintf(solved_line, sizeof solved_line, _("The exercise, step %d, is %s."), i + 1,
			solved ? _("solved") : _("still open"));
		screen_flow_plain(flow, solved ? ROLE_GOOD : ROLE_TEXT, "", 0, solved_line);
	}

	screen_flow_gap(flow);

	bool more = tutor->at.selected + 1 < tutor->catalog->n_lessons;
	char way_on[200];
	if (!more && tutor->catalog->n_lessons > 1) {
		/* At the end of the course: how far the reader is in each track. */
		const struct catalog *c = tutor->catalog;
		for (int i = 0; i < c->n_lessons;) {
			const char *track = c->lessons[i]->track;
			char done_line[160];
			int done = 0, n = 0;
			for (; i < c->n_lessons && strcmp(c->lessons[i]->track, track) == 0; i++, n++) {
				struct lesson_progress_score of = lesson_progress_score(tutor->progress, c->lessons[i]);
				done += lesson_progress_score_full(&of);
			}
			snprintf(done_line, sizeof done_line,
				text_plural(
					"%.100s: %d of %d lesson done", "%.100s: %d of %d lessons done", (unsigned)n),
				track, done, n);
			screen_flow_plain(
				flow, done == n ? ROLE_GOOD : ROLE_TEXT, done == n ? "✓ " : "○ ", 2, done_line);
		}
		screen_flow_gap(flow);
	}
	snprintf(way_on, sizeof way_on, _("Enter: %s%.100s"),
		more ? _("the next lesson, ") : _("back to the list of lessons"),
		more ? tutor->catalog->lessons[tutor->at.selected + 1]->title : "");
	screen_flow_plain(flow, ROLE_KEY, "", 0, way_on);
}

static struct rect text_of(struct rect body)
{
	struct rect r = {body.row + 1, 2, body.rows - 2, body.cols - 4};
	if (r.cols > COLS_MAX)
		r.cols = COLS_MAX;
	return r;
}

void screen_lay_out_ending(struct screen_state *state, const struct tutor *tutor, struct rect body)
{
	struct rect r = text_of(body);
	struct screen_flow flow = screen_flow_measure(r.cols);
	flow_ending(&flow, tutor);
	screen_lay_out_text(state, flow.row, r.rows);
}

void screen_draw_ending(struct screen_sketch *sketch, struct rect body)
{
	struct rect r = text_of(body);
	struct screen_flow flow = {
		.canvas = sketch->canvas, .row = r.row - sketch->state->text_scroll, .col = r.col, .cols = r.cols};
	screen_draw_frame(sketch->canvas, body);
	struct rect old = canvas_clip(sketch->canvas, r);
	flow_ending(&flow, sketch->tutor);
	canvas_unclip(sketch->canvas, old);
	screen_draw_scroll_marks(sketch, r, &(struct screen_waits){0});
}
