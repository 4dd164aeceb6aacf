/* The first start: what this is, what there is here, and five keys. */
#include <stdio.h>

#include "base/text.h"
#include "course/lesson/lesson.h"
#include "front/screen/flow.h"
#include "front/screen/modes.h"

#define COLS_MAX 76

static void flow_key(struct screen_flow *flow, const char *key, const char *does)
{
	int row = flow->row;
	screen_flow_plain(flow, ROLE_TEXT, "         ", 9, does);
	canvas_text(flow->canvas, row, flow->col, ROLE_KEY, key);
}

void screen_draw_welcome(struct screen_sketch *sketch, struct rect body)
{
	const struct tutor *tutor = sketch->tutor;
	char gpu[300], first[200];
	int cols = body.cols - 6 < COLS_MAX ? body.cols - 6 : COLS_MAX;
	struct rect r = {body.row + 1, (body.cols - cols) / 2, body.rows - 2, cols};
	struct screen_flow flow = {.canvas = sketch->canvas, .row = r.row, .col = r.col, .cols = r.cols};
	screen_draw_frame(sketch->canvas, body);
	struct rect old = canvas_clip(sketch->canvas, r);
	const struct course *course = tutor->catalog->course;
	screen_flow_plain(
		&flow, ROLE_TITLE, "", 0, course && *course->title ? course->title : _("What a GPU's warps really do"));
	screen_flow_gap(&flow);
	screen_flow_plain(&flow, ROLE_TEXT, "", 0,
		_("Every lesson runs a real CUDA kernel, draws how its 32 lanes meet banks, sectors and schedulers, and puts what a "
		  "model predicts beside what a GPU counted. You change a parameter, answer a question, and see."));
	screen_flow_gap(&flow);

	/* How much there is. */
	const struct catalog *catalog = tutor->catalog;
	char text[160];
	int steps = 0, exercises = 0;
	for (int i = 0; i < catalog->n_lessons; i++) {
		steps += catalog->lessons[i]->n_steps;
		for (int s = 0; s < catalog->lessons[i]->n_steps; s++)
			exercises += catalog->lessons[i]->steps[s].exercise.dir != NULL;
	}
	char of[3][40];
	snprintf(of[0], sizeof of[0], text_plural("%d lesson", "%d lessons", (unsigned)catalog->n_lessons),
		catalog->n_lessons);
	snprintf(of[1], sizeof of[1], text_plural("%d step", "%d steps", (unsigned)steps), steps);
	snprintf(of[2], sizeof of[2], text_plural("%d exercise", "%d exercises", (unsigned)exercises), exercises);
	snprintf(text, sizeof text, _("%s with %s, %s"), of[0], of[1], of[2]);
	screen_flow_plain(&flow, ROLE_DIM, _("Course   "), 9, text);

	screen_describe_gpu(tutor, gpu, sizeof gpu);
	screen_flow_plain(&flow, ROLE_DIM, "GPU      ", 9, gpu);
	screen_flow_gap(&flow);
	snprintf(first, sizeof first, _("the first lesson, \"%.100s\""), tutor->catalog->lessons[0]->title);
	flow_key(&flow, _("Enter"), first);
	flow_key(&flow, "← →", _("in a lesson: change the parameter and watch picture and numbers"));
	flow_key(&flow, ".  x", _("play what a picture shows; point at a part of it"));
	flow_key(&flow, "/  :", _("search the course; find an action by its name"));
	flow_key(&flow, "P", _("the playground: type an index expression or a small kernel"));
	flow_key(&flow, "?", _("all keys; q goes back, Q leaves"));
	screen_flow_gap(&flow);
	screen_flow_plain(&flow, ROLE_TEXT, "", 0,
		_("Your own kernel: `simttutor explore FILE.cu` shows it on this screen, `simttutor run FILE.cu` checks it, `simttutor debug "
		  "FILE.cu` steps it."));
	screen_flow_gap(&flow);
	screen_flow_plain(&flow, ROLE_KEY, "", 0, _("Enter begins, P plays, any other key shows the list of lessons."));
	canvas_unclip(sketch->canvas, old);
}

/* --- keys --------------------------------------------------------------------------------------------------------- */

/* These mean what they mean in the list; any other only shows it. */
static const struct screen_mode_key passed[] = {{KEYC_ENTER, SCREEN_OWN}, {'q', SCREEN_OWN}, {'Q', SCREEN_OWN},
	{'?', SCREEN_OWN}, {'/', SCREEN_OWN}, {':', SCREEN_OWN}, {'T', SCREEN_OWN}, {'P', SCREEN_OWN}, {0}};

static bool pass_on(const struct screen_subject *on, int action)
{
	if (action == SCREEN_OWN)
		screen_pop(&on->state->modes, &screen_mode_welcome);
	return false;
}

static bool leave_welcome(const struct screen_subject *on, key_code key)
{
	(void)key;
	screen_pop(&on->state->modes, &screen_mode_welcome);
	return true;
}

const struct screen_mode screen_mode_welcome = {.keys = passed, .act = pass_on, .key = leave_welcome};
