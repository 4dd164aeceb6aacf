/* Past the last step: what to take away, what was right, where to go on. */
#include <stdio.h>
#include <string.h>

#include "screen/flow.h"
#include "screen/parts.h"

#define COLS_MAX 72
#define OPEN_MAX 4 /* steps that are named; the list of lessons has them all */

struct score {
	int questions, answered, at_once, with_hints;
	int exercises, solved;
};

static void count_step(const struct tutor *tutor, const struct lesson *lesson, const struct step *step, struct score *score)
{
	bool done = progress_answered(tutor->progress, lesson->id, step->id);
	struct progress_tries tries = progress_tries(tutor->progress, lesson->id, step->id);
	score->exercises += step->exercise.dir != NULL;
	score->solved += step->exercise.dir && done;
	if (step->question.kind == QUESTION_NONE)
		return;
	score->questions++;
	score->answered += done;
	score->at_once += done && tries.tries == 1 && tries.hints == 0;
	score->with_hints += done && tries.hints > 0;
}

static struct score score_of(const struct tutor *tutor, const struct lesson *lesson)
{
	struct score score = {0};
	for (int i = 0; i < lesson->n_steps; i++)
		count_step(tutor, lesson, &lesson->steps[i], &score);
	return score;
}

static bool all_done(const struct score *score)
{
	return score->answered == score->questions && score->solved == score->exercises;
}

static void flow_score(struct flow *flow, const struct score *score)
{
	struct buf line = {0};
	bool all = score->answered == score->questions;
	buf_printf(&line, "You answered %d of %d questions", score->answered, score->questions);
	if (score->at_once)
		buf_printf(&line, ", %d at the first try", score->at_once);
	if (score->with_hints)
		buf_printf(&line, ", %d with hints", score->with_hints);
	buf_puts(&line, all ? "." : "; still open:");
	if (score->questions > 0)
		flow_plain(flow, all ? ROLE_GOOD : ROLE_TEXT, "", 0, buf_str(&line));
	buf_free(&line);
}

static void flow_open_steps(struct flow *flow, const struct tutor *tutor)
{
	const struct lesson *lesson = tutor->lesson;
	int open = 0;
	char line[160];
	for (int i = 0; i < lesson->n_steps; i++) {
		const struct step *step = &lesson->steps[i];
		bool asks = step->question.kind != QUESTION_NONE || step->exercise.dir;
		if (!asks || progress_answered(tutor->progress, lesson->id, step->id))
			continue;
		snprintf(line, sizeof line, "step %d, %.100s", i + 1, step->title);
		if (open++ < OPEN_MAX)
			flow_plain(flow, ROLE_TEXT, "○ ", 2, line);
	}
	snprintf(line, sizeof line, "and %d more", open - OPEN_MAX);
	if (open > OPEN_MAX)
		flow_plain(flow, ROLE_DIM, "  ", 2, line);
}

/* At the end of the course: how far the reader is in each track. */
static void flow_tracks(struct flow *flow, const struct tutor *tutor)
{
	const struct catalogue *c = tutor->catalogue;
	for (int i = 0; i < c->n_lessons;) {
		const char *track = c->lessons[i]->track;
		char line[160];
		int done = 0, n = 0;
		for (; i < c->n_lessons && strcmp(c->lessons[i]->track, track) == 0; i++, n++) {
			struct score score = score_of(tutor, c->lessons[i]);
			done += all_done(&score);
		}
		snprintf(line, sizeof line, "%.100s: %d of %d lesson%s done", track, done, n, n == 1 ? "" : "s");
		flow_plain(flow, done == n ? ROLE_GOOD : ROLE_TEXT, done == n ? "✓ " : "○ ", 2, line);
	}
	flow_gap(flow);
}

static void flow_can(struct flow *flow, const struct lesson *lesson)
{
	struct buf line = {0};
	buf_printf(&line, "You can now %s.", lesson->can);
	if (lesson->can && *lesson->can)
		flow_plain(flow, ROLE_STRONG, "", 0, buf_str(&line));
	buf_free(&line);
}

void draw_ending(struct sketch *sketch, int top, int bottom)
{
	struct canvas *canvas = sketch->canvas;
	const struct tutor *tutor = sketch->tutor;
	draw_frame(canvas, (struct rect){top, 0, bottom - top, canvas->cols});
	struct rect r = {top + 2, 2, bottom - 1 - top - 2, canvas->cols - 4};
	if (r.cols > COLS_MAX)
		r.cols = COLS_MAX;
	struct flow flow = {.canvas = canvas, .row = r.row, .col = r.col, .cols = r.cols};
	struct rect old = canvas_clip(canvas, r);
	struct score score = score_of(tutor, tutor->lesson);
	flow_plain(&flow, ROLE_TITLE, "", 0, "Take away");
	flow_gap(&flow);
	flow_plain(&flow, ROLE_TEXT, "", 0, tutor->lesson->takeaway);
	flow_gap(&flow);
	flow_can(&flow, tutor->lesson);
	flow_score(&flow, &score);
	flow_open_steps(&flow, tutor);
	flow_gap(&flow);
	bool more = tutor->selected + 1 < tutor->catalogue->n_lessons;
	if (!more && tutor->catalogue->n_lessons > 1)
		flow_tracks(&flow, tutor);
	char line[200];
	snprintf(line, sizeof line, "Enter: %s%.100s", more ? "the next lesson, " : "back to the list of lessons",
		more ? tutor->catalogue->lessons[tutor->selected + 1]->title : "");
	flow_plain(&flow, ROLE_KEY, "", 0, line);
	canvas_unclip(canvas, old);
}
