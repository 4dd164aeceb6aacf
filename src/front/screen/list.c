#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"
#include "front/screen/flow.h"
#include "front/screen/parts.h"

#define DETAIL_ROWS_MIN 7
#define DOTS_MAX 12

/* --- the rows ----------------------------------------------------------------------------------------------------- */

/* A listed lesson, of another track than the one listed before it. */
static bool starts_track(const struct tutor *tutor, int i)
{
	const struct catalog *c = tutor->catalog;
	int before = i - 1;
	while (before >= 0 && !tutor_lists(tutor, before))
		before--;
	return before < 0 || strcmp(c->lessons[i]->track, c->lessons[before]->track) != 0;
}

/* The row of the list that lesson `to` is on; with `to` the number of lessons: how many rows there are. */
static int row_of(const struct tutor *tutor, int to)
{
	int row = 0;
	for (int i = 0; i < tutor->catalog->n_lessons && i <= to; i++) {
		if (!tutor_lists(tutor, i))
			continue;
		row += starts_track(tutor, i) ? (row > 0 ? 2 : 1) : 0;
		if (i == to)
			return row;
		row++;
	}
	return row;
}

/* --- about the selected lesson ------------------------------------------------------------------------------------ */

void screen_describe_gpu(const struct tutor *tutor, char *out, size_t size)
{
	const struct wire_gpu *info = gpu_info(tutor->gpu);
	const struct wire_error *error = gpu_error(tutor->gpu);
	if (gpu_state(tutor->gpu) == GPU_STARTING)
		snprintf(out, size, _("looking for one; until then recorded numbers are shown"));
	else if (info && info->counters)
		snprintf(out, size, _("%s, compute capability %d.%d, driver %s: numbers are measured live"), info->name,
			info->cc / 10, info->cc % 10, info->driver);
	else
		snprintf(
			out, size, _("%s%srecorded numbers are shown"), error ? error->message : "", error ? "; " : "");
}

/* The rows they took. */
static int draw_steps(struct screen_sketch *sketch, struct rect r, const struct lesson *lesson)
{
	int at = sketch->tutor->at.listed_step, first = at > r.rows ? at - r.rows : 0, n = lesson->n_steps - first;
	n = n > r.rows ? r.rows : n;
	for (int i = 0; i < n; i++) {
		struct rect row = {r.row + i, r.col, 1, r.cols};
		int index = first + i;
		const struct tutor *tutor = sketch->tutor;
		const struct step *step = &lesson->steps[index];
		bool answered = lesson_progress_answered(tutor->progress, lesson->id, step->id);
		bool seen = lesson_progress_visited(tutor->progress, lesson->id, step->id);
		canvas_textf(sketch->canvas, row.row, row.col, seen ? ROLE_TEXT : ROLE_DIM, "%s %d",
			answered       ? "✓"
				: seen ? "●"
				       : "○",
			index + 1);
		canvas_text_fit(sketch->canvas, (struct rect){row.row, row.col + 5, 1, row.cols - 5},
			seen ? ROLE_TEXT : ROLE_DIM, step->title);
		if (tutor->at.listed_step == index + 1) {
			canvas_text(sketch->canvas, row.row, row.col - 1, ROLE_KEY, "▸");
			canvas_recolor(sketch->canvas, row, ROLE_SELECTED);
		}
		screen_add_target(sketch, row, ACTION_STEPS, index);
	}
	return n;
}

void screen_draw_list(struct screen_sketch *sketch, struct rect body)
{
	static const char *const filter_names[FILTERS] = {
		"", N_("not read to the end"), N_("with open questions"), N_("with an exercise to solve")};
	struct canvas *canvas = sketch->canvas;
	const struct tutor *tutor = sketch->tutor;
	const struct catalog *c = tutor->catalog;
	int rows = row_of(tutor, c->n_lessons);
	int most = body.rows - 3 - DETAIL_ROWS_MIN;
	if (rows > most)
		rows = most;
	screen_draw_frame(canvas, body);
	int divider = body.row + 1 + rows;
	screen_draw_divider(canvas, body, divider);
	if (tutor->at.filter != FILTER_ALL || tutor->at.track) {
		/* What is listed, where that is not everything. */
		struct rect r = {body.row, 4, 1, canvas->cols - 8};
		char text[200];
		int n = 0;
		for (int i = 0; i < c->n_lessons; i++)
			n += tutor_lists(tutor, i);
		snprintf(text, sizeof text, _("%d of %d: %.60s%s%s"), n, c->n_lessons,
			tutor->at.track ? tutor->at.track : "", tutor->at.track && tutor->at.filter ? ", " : "",
			text_translate(filter_names[tutor->at.filter]));
		int cols = screen_draw_label(canvas, r, ROLE_KEY, text);
		screen_add_target(sketch, (struct rect){r.row, r.col, 1, cols}, ACTION_FILTER, -1);
	}

	struct rect list = {body.row + 1, 1, rows, canvas->cols - 2};
	int at = row_of(tutor, tutor->at.selected), total = row_of(tutor, c->n_lessons);
	int scroll = at - list.rows / 2;
	scroll = scroll > total - list.rows ? total - list.rows : scroll;
	scroll = scroll < 0 ? 0 : scroll;
	struct rect old = canvas_clip(canvas, list);
	for (int i = 0; i < c->n_lessons; i++) {
		if (!tutor_lists(tutor, i))
			continue;
		int row = list.row + row_of(tutor, i) - scroll;
		if (starts_track(tutor, i))
			canvas_text(canvas, row - 1, 2, ROLE_DIM, c->lessons[i]->track);
		if (row >= list.row && row < list.row + list.rows) {
			int end = list.col + list.cols - 1;
			const struct lesson *lesson = c->lessons[i];
			bool on = i == tutor->at.selected;

			/* "●●●○○○ 3/6 steps 2/4 answered", right-aligned; `right` is its first column. */
			int visited = lesson_progress_visited_count(tutor->progress, lesson->id);
			struct lesson_progress_score score = lesson_progress_score(tutor->progress, lesson);
			char text[64];
			snprintf(text, sizeof text, _("%3d/%d steps  %d/%d answered"), visited, lesson->n_steps,
				score.answered, score.questions);
			bool done = visited >= lesson->n_steps && lesson_progress_score_full(&score);
			int right = end - utf8_columns(text);
			canvas_text(canvas, row, right, done ? ROLE_GOOD : ROLE_DIM, text);
			if (lesson->n_steps <= DOTS_MAX) {
				right -= lesson->n_steps;
				for (int j = 0; j < lesson->n_steps; j++) {
					bool seen = lesson_progress_visited(
						tutor->progress, lesson->id, lesson->steps[j].id);
					canvas_put(canvas, row, right + j, seen ? GLYPH_DISC : GLYPH_CIRCLE,
						seen ? ROLE_GOOD : ROLE_DIM);
				}
			}

			canvas_text(canvas, row, 2, ROLE_KEY, on ? "▸" : " ");
			int whole = (int)strcspn(lesson->number, ".");
			canvas_textf(
				canvas, row, 4, ROLE_DIM, "%2.*s%s", whole, lesson->number, lesson->number + whole);
			int col = 7 + (c->point ? c->point : 1);
			canvas_text_fit(canvas, (struct rect){row, col, 1, right - col - 2},
				on ? ROLE_TITLE : ROLE_TEXT, lesson->title);
			if (on)
				canvas_recolor(canvas, (struct rect){row, 3, 1, right - 5}, ROLE_SELECTED);
			screen_add_target(sketch, (struct rect){row, 1, 1, end}, ACTION_OPEN, i);
		}
	}
	canvas_unclip(canvas, old);
	if (scroll > 0)
		screen_draw_label(canvas, (struct rect){list.row - 1, 2, 1, 8}, ROLE_DIM, "▲");
	if (total - scroll > list.rows)
		screen_draw_label(canvas, (struct rect){list.row + list.rows, list.cols - 8, 1, 8}, ROLE_DIM, "▼");

	screen_draw_label(canvas, (struct rect){divider, 2, 1, canvas->cols - 4}, ROLE_TITLE,
		c->lessons[tutor->at.selected]->title);

	struct rect r = {divider + 1, 2, body.row + body.rows - 1 - divider - 1, canvas->cols - 4};
	const struct lesson *lesson = c->lessons[tutor->at.selected];
	char gpu[300];
	screen_describe_gpu(tutor, gpu, sizeof gpu);
	struct screen_flow flow = {.canvas = canvas, .row = r.row, .col = r.col, .cols = r.cols < 90 ? r.cols : 90};
	old = canvas_clip(canvas, (struct rect){r.row, r.col - 1, r.rows, r.cols + 1}); /* with the mark */
	if (!tutor->at.listed_step) { /* else they take all the room there is */
		screen_flow_plain(&flow, ROLE_TEXT, "", 0, lesson->summary);
		screen_flow_gap(&flow);
		if (lesson->needs && lesson->needs[0])
			screen_flow_plain(&flow, ROLE_DIM, _("Needs  "), 7, lesson->needs);
		screen_flow_plain(&flow, ROLE_DIM, "GPU    ", 7, gpu);
		screen_flow_gap(&flow);
	}
	flow.row += draw_steps(sketch, (struct rect){flow.row, flow.col, r.row + r.rows - flow.row, flow.cols}, lesson);
	screen_flow_gap(&flow);
	screen_flow_plain(&flow, ROLE_DIM, "", 0, _("○ not read  ● read  ✓ answered or solved"));
	canvas_unclip(canvas, old);
}
