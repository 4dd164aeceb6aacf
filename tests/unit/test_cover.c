/* No open question can be answered by reading the screen: over all questions of the course, at every setting that one
 * asks about, what the witnesses say behind it is changed, and the screen stays as it is, byte for byte, in every view
 * and at two sizes. Once the reader has uncovered it, the screen does change. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "course/experiment/private.h"
#include "front/canvas/export.h"
#include "front/screen/screen.h"
#include "front/tutor/private.h"
#include "model/hardware/metrics.h"

static const struct {
	int cols, rows;
} sizes[] = {{80, 24}, {160, 50}};

static struct tutor *begin(void)
{
	struct diag diag = {0};
	const char *top = getenv("top_srcdir");
	struct paths paths = {
		.data = top ? top : ".", .worker = "/nonexistent/simttutor-gpu", .state = "/dev/null/none"};
	struct tutor *tutor = tutor_new(&paths, "none", &diag);
	assert_non_null(tutor);
	tutor->keeps_progress = false;
	diag_free(&diag);
	return tutor;
}

/* --- what a question asks about ----------------------------------------------------------------------------------- */

struct visit {
	const struct tutor *tutor;
	const struct step *step;
	void (*term)(struct visit *visit, const struct term *term);
	int terms, own, recorded;
	bool measured_only;
	const int64_t *settings[64]; /* that are asked about */
	int n_settings;
};

static bool same(const struct visit *v, const int64_t *a, const int64_t *b)
{
	return memcmp(a, b, (size_t)v->tutor->at.lesson->n_parameters * sizeof *a) == 0;
}

static void visit_judgment(struct visit *v, const struct judgment *judgment)
{
	for (int i = 0; judgment && i < judgment->n_terms; i++)
		if (judgment->terms[i].witness != TERM_MEASURED)
			v->term(v, &judgment->terms[i]);
}

static void visit_terms(struct visit *v, void (*term)(struct visit *visit, const struct term *term))
{
	const struct question *q = &v->step->question;
	v->term = term;
	if (q->kind == QUESTION_NUMBER)
		visit_judgment(v, &q->answer);
	for (int i = 0; i < q->n_choices; i++)
		visit_judgment(v, q->choices[i].when);
}

static void add_setting(struct visit *v, const int64_t *set)
{
	for (int i = 0; i < v->n_settings; i++)
		if (same(v, v->settings[i], set))
			return;
	assert_in_range(v->n_settings, 0, 63);
	v->settings[v->n_settings++] = set;
}

static void count_term(struct visit *v, const struct term *term)
{
	v->terms++;
	v->own += same(v, term->set, v->step->set);
	v->recorded += term->witness == TERM_RECORDED;
}

/* Where other launches are compared with the step's own, that one is on the screen when the reader comes. */
static bool is_visible(const struct visit *v, const int64_t *set)
{
	return same(v, set, v->step->set) && v->own < v->terms &&
		!(v->step->question.has_set && same(v, set, v->step->question.set));
}

static void note_term(struct visit *v, const struct term *term)
{
	if (!is_visible(v, term->set))
		add_setting(v, term->set);
}

static struct visit ask(const struct tutor *tutor)
{
	struct visit v = {.tutor = tutor, .step = tutor_step(tutor)};
	visit_terms(&v, count_term);
	visit_terms(&v, note_term);
	if (v.step->question.has_set)
		add_setting(&v, v.step->question.set);
	v.measured_only = v.terms > 0 && v.recorded == v.terms;
	return v;
}

/* --- the witnesses say something else ----------------------------------------------------------------------------- */

static void change(struct counts *counts, const struct term *term)
{
	enum counter_id of[METRIC_COUNTERS_MAX];
	for (int i = metric_counters(metric_find(term->metric), of); i-- > 0;)
		if (counts->c[of[i]].state == VALUE_OK)
			counts->c[of[i]].v = 3 * counts->c[of[i]].v + 7 + i;
}

static void change_lines(struct experiment *e)
{
	struct experiment_run *run = &e->private->run;
	struct experiment_line *lines = arena_array(e->arena, struct experiment_line, (size_t)run->n_lines + 1);
	for (int i = 0; i < run->n_lines; i++) {
		lines[i] = run->lines[i];
		lines[i].requests += 5;
		lines[i].wavefronts.v += 3;
		lines[i].sectors.v += 3;
		lines[i].active_lanes.v /= 2;
	}
	run->lines = lines;
}

/* What was recorded of machine code, by address and by lines of the PTX. */
static void change_machine_code(struct experiment *e)
{
	struct experiment_recording *r = &e->private->recording;
	struct experiment_executed *executed = arena_array(
		e->arena, struct experiment_executed, (size_t)r->n_executed + 1);
	for (int i = 0; i < r->n_executed; i++)
		executed[i] = (struct experiment_executed){r->executed[i].ptx_line, 3 * r->executed[i].n + 5};
	r->executed = executed;
	for (int i = 0; i < r->instrs.n; i++)
		for (int c = 0; c < LINE_COUNTS; c++)
			r->instrs.rows[i].counts.c[c].v = 3 * r->instrs.rows[i].counts.c[c].v + 5 + c;
}

/* The machine, asked again, is given the launch that the step begins with. Which lines have instructions stays: the
 * files say that, whatever is asked of the kernel, and the view `compare` draws the lines of both kernels beside an
 * open question. */
static void exchange_launch(struct visit *v, struct experiment *e)
{
	const struct experiment_run before = *experiment_run(e);
	struct experiment *own = experiment_open(v->tutor->private->experiments, v->step, v->step->set);
	e->launch = own->launch;
	e->kernel = own->kernel;
	e->private->has_run = false;
	if (e->set->times.of == e)
		experiment_times_free(&e->set->times);
	experiment_run(e);
	e->private->run.lines = before.lines;
	e->private->run.n_lines = before.n_lines;
	change_lines(e);
}

static void disturb_term(struct visit *v, const struct term *term)
{
	if (is_visible(v, term->set))
		return;
	struct experiment *e = experiment_open(v->tutor->private->experiments, v->step, term->set);
	experiment_run(e);
	experiment_recording(e);
	if (term->kind == TERM_DEFECT) /* there is none, or that of another launch: see exchange_launch */
		e->private->run.n_defects = 0;
	if (!v->measured_only)
		change(&e->private->run.counts, term);
	change(&e->private->recording.counts, term);
	e->private->recording.lines = (struct line_table){0};
	change_machine_code(e);
}

static void disturb(struct visit *v)
{
	for (int i = 0; i < v->n_settings && !v->measured_only; i++) {
		struct experiment *e = experiment_open(v->tutor->private->experiments, v->step, v->settings[i]);
		if (!same(v, v->settings[i], v->step->set))
			exchange_launch(v, e);
		experiment_run(e);
		if (same(v, v->settings[i], v->step->set))
			change_lines(e);
	}
	visit_terms(v, disturb_term);
}

/* --- the screen --------------------------------------------------------------------------------------------------- */

static void draw(struct tutor *tutor, struct buf *out)
{
	const struct step *step = tutor_step(tutor);
	view_id before = tutor->shown.view;
	struct canvas_export_options options = {.charset = CANVAS_UTF8};
	for (int view = 0; view < step->n_views; view++) {
		tutor_show_view(tutor, view);
		for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
			struct screen_state screen = {0};
			struct canvas *canvas = canvas_new(sizes[i].rows, sizes[i].cols);
			screen_render(canvas, tutor, &screen, NULL);
			canvas_export(canvas, CANVAS_FORMAT_ANSI, &options, out);
			canvas_free(canvas);
		}
	}
	tutor_turn_to_view(tutor, before);
}

static bool turn(struct tutor *tutor, const int64_t *set)
{
	struct diag diag = {0};
	const struct lesson *lesson = tutor->at.lesson;
	for (int i = 0; i < lesson->n_parameters; i++)
		if (set[i] != tutor->at.values[i] && !tutor_step(tutor)->shown[i])
			return false;
	for (int i = 0; i < lesson->n_parameters; i++)
		if (set[i] != tutor->at.values[i])
			assert_true(tutor_set(tutor, lesson->parameters[i].name, set[i], &diag));
	diag_free(&diag);
	return true;
}

static int first_difference(const struct buf *a, const struct buf *b)
{
	size_t i = 0;
	while (i < a->len && i < b->len && a->data[i] == b->data[i])
		i++;
	return (int)i;
}

struct tally {
	int questions, covered, seen, faults;
};

/* One setting: covered, the screen must not change; uncovered it should. */
static void check_setting(const struct lesson *lesson, int step, int setting, struct tally *tally)
{
	struct buf before = {0}, after = {0}, open = {0}, changed = {0};
	struct tutor *tutor = begin();
	for (int i = 0; i < tutor->catalog->n_lessons; i++)
		if (!strcmp(tutor->catalog->lessons[i]->id, lesson->id))
			tutor_open(tutor, tutor->catalog->lessons[i], step);
	struct visit v = ask(tutor);
	if (setting < 0 || turn(tutor, v.settings[setting])) {
		draw(tutor, &before);
		tutor->covers = false;
		tutor_refresh(tutor);
		draw(tutor, &open);
		tutor->covers = true;
		disturb(&v);
		tutor_refresh(tutor);
		draw(tutor, &after);
		bool covered = tutor_covered(tutor);
		tally->covered += covered;
		if (before.len != after.len || memcmp(before.data, after.data, before.len) != 0) {
			int at = first_difference(&before, &after), from = at < 200 ? 0 : at - 200;
			print_error("%s/%d, setting %d: the screen gives away what was asked:\n-%.300s\n+%.300s\n",
				lesson->id, step + 1, setting, before.data + from, after.data + from);
			tally->faults++;
		}
		if (covered)
			tutor_act(tutor, ACTION_UNCOVER);
		assert_false(tutor_covered(tutor));
		tutor_refresh(tutor);
		draw(tutor, &changed);
		tally->seen += covered && (open.len != changed.len || memcmp(open.data, changed.data, open.len) != 0);
		if (covered && open.len == changed.len && !memcmp(open.data, changed.data, open.len))
			print_message("%s/%d, setting %d: nothing to see\n", lesson->id, step + 1, setting);
	}
	buf_free(&before);
	buf_free(&after);
	buf_free(&open);
	buf_free(&changed);
	tutor_free(tutor);
}

static void check_lesson(struct tutor *tutor, const struct lesson *lesson, struct tally *tally)
{
	for (int step = 0; step < lesson->n_steps; step++) {
		tutor_open(tutor, lesson, step);
		if (!lesson->steps[step].has_experiment || lesson->steps[step].question.kind == QUESTION_NONE)
			continue;
		int before = tally->covered;
		tally->questions++;
		struct visit v = ask(tutor);
		check_setting(lesson, step, -1, tally); /* as the step opens: its sweep shows other settings */
		for (int i = 0; i < v.n_settings; i++)
			if (!same(&v, v.settings[i], v.step->set))
				check_setting(lesson, step, i, tally);
		if (getenv("VERBOSE") && tally->covered == before)
			print_message("%s/%d covers nothing\n", lesson->id, step + 1);
	}
}

static void no_open_question_is_answered_by_the_screen(void **state)
{
	(void)state;
	struct tally tally = {0};
	struct tutor *tutor = begin();
	const char *only = getenv("LESSON"),
		   *half = getenv("HALF"); /* every second lesson: those of odd places, or the others */
	for (int i = half && *half == '1'; i < tutor->catalog->n_lessons; i += half ? 2 : 1)
		if (!only || !strcmp(tutor->catalog->lessons[i]->id, only))
			check_lesson(tutor, tutor->catalog->lessons[i], &tally);
	tutor_free(tutor);
	print_message("%d questions, %d screens covered, of which %d change once uncovered\n", tally.questions,
		tally.covered, tally.seen);
	assert_int_equal(tally.faults, 0);
	/* what is covered is what the witnesses would show: the test would see it */
	assert_true(tally.covered > 0 && tally.seen * 20 >= tally.covered * 19);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {cmocka_unit_test(no_open_question_is_answered_by_the_screen)};
	return cmocka_run_group_tests_name("cover", tests, NULL, NULL);
}
