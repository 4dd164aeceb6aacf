#include "config.h"
#include "cmd/lesson_check.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/paths.h"
#include "experiment/grade.h"
#include "experiment/judge.h"
#include "experiment/points.h"
#include "profile/times.h"
#include "screen/screen.h"
#include "tutor/tutor.h"

#define FAULTY_TOLD 3 /* launches of a step */
#define HINTS 3
#define STEPS_MAX 20000000u /* of a launch: far above what a reader would wait for */

struct check {
	struct lesson_check *totals;
	struct diag *unplaced; /* faults of launches, which know no lesson */
	const struct lesson *lesson;
	struct experiments *set;
	struct buf *out;
	struct diag *diag;
	struct arena *arena; /* of the lesson's check */
	const struct step *step;
};

static void fault(const struct check *c, const int64_t *values, const char *what)
{
	const char *at = c->lesson->n_parameters ? experiment_label(c->arena, c->lesson, c->step, values) : "";
	diag_error(c->diag, c->step->pos, "step %s%s%s: %s", c->step->id, *at ? ", " : "", at, what);
}

/* What was said of launches that could not be made, once for each step. */
static void hear(struct check *c)
{
	for (size_t i = 0; i < c->unplaced->count; i++) {
		const struct diag_entry *e = &c->unplaced->entries[i];
		bool told = false;
		for (size_t k = 0; k < i && !told; k++)
			told = strcmp(c->unplaced->entries[k].message, e->message) == 0;
		if (told)
			continue;
		if (e->file || !c->step)
			diag_error(c->diag, (struct diag_pos){.file = e->file, .line = e->line, .col = e->col}, "%s",
				e->message);
		else
			diag_error(c->diag, c->step->pos, "step %s: %s", c->step->id, e->message);
	}
	diag_free(c->unplaced);
}

/* The run of the step's launch; NULL, with faults, when there is none. */
static const struct experiment_run *run_of(const struct check *c, const int64_t *values)
{
	struct experiment *e = experiment_open(c->set, c->step, values);
	const struct experiment_run *run = experiment_run(e);
	experiment_report(e, c->unplaced);
	return run->ran ? run : NULL;
}

/* --- launches ----------------------------------------------------------------------------------------------------- */

static void tell_defect(const struct check *c, const int64_t *values, const struct simt_defect *d)
{
	char place[PTX_PLACE_TEXT];
	fault(c, values,
		arena_printf(c->arena, "%s, %s: %s", simt_defect_name(d->kind), ptx_place_text(&d->here.place, place),
			d->message));
}

/* A run that ends otherwise than it should. */
static void check_defects(const struct check *c, const int64_t *values, const struct experiment_run *run)
{
	const char *expected = lesson_expects_defect(c->lesson, c->step, values);
	bool met = false;
	for (uint32_t i = 0; i < run->n_defects; i++) {
		if (expected && simt_defect_is_named(run->defects[i].kind, expected))
			met = true;
		else
			tell_defect(c, values, &run->defects[i]);
	}
	if (run->result.outcome != SIMT_OK && run->result.outcome != SIMT_DEFECT)
		fault(c, values,
			run->result.place.line
				? arena_printf(c->arena, "%s, line %d", run->result.message, run->result.place.line)
				: arena_strdup(c->arena, run->result.message));
	else if (expected && !met)
		fault(c, values,
			arena_printf(c->arena, "the lesson is a defect, %s, but the machine finds none", expected));
}

static void check_run(const struct check *c, const int64_t *values)
{
	const struct experiment_run *run = run_of(c, values);
	if (!run)
		return;
	check_defects(c, values, run);
	if (run->wrong)
		fault(c, values, run->wrong);
}

static bool offers_view(const struct step *step, const char *name)
{
	for (int i = 0; i < step->n_views; i++)
		if (strcmp(step->views[i], name) == 0)
			return true;
	return false;
}

static void check_start(const struct check *c)
{
	const struct step *step = c->step;
	const struct experiment_run *run = run_of(c, step->set);
	if (run && run->result.outcome != SIMT_ERROR && step->watch && run->n_watched == 0 && !run->has_shuffle)
		fault(c, step->set,
			arena_printf(c->arena,
				"line %d, which is watched, makes no memory access and no shuffle in block %u, warp %u",
				lesson_watch_line(c->lesson, step, step->set), step->watch_block, step->watch_warp));
	if (step->defect && !offers_view(step, "defect"))
		fault(c, step->set, "the lesson is a defect, but the view defect is not offered");
	if (step->n_results == 0 && !(step->defect && !step->defect_when))
		fault(c, step->set, "nothing says what the kernel must compute: results");
}

/* Every launch that can be made from the step, and the line it watches. */
static void check_launches(const struct check *c, int parameter)
{
	const struct parameter *p = &c->lesson->parameters[parameter];
	size_t n = (size_t)c->lesson->n_parameters;
	int64_t *values = arena_array(c->arena, int64_t, n);
	memcpy(values, c->step->set, n * sizeof *values);
	for (int i = 0; i < p->n_values; i++) {
		struct diag faults = {0};
		values[parameter] = p->values[i];
		bool made = lesson_launch(c->arena, c->lesson, c->step, values, &faults);
		if (!made)
			fault(c, values, faults.entries[0].message);
		else if (c->step->watch && !lesson_watch_line(c->lesson, c->step, values))
			fault(c, values, "there is no such line to watch");
		diag_free(&faults);
		if (!made)
			return;
	}
}

/* --- answers ------------------------------------------------------------------------------------------------------ */

/* What an author can do about a metric that the model has no number for; NULL: something else is the matter. */
static const char *remedy(const struct check *c, const char *metric)
{
	if (metric_trust(metric_find(metric)) == COUNTER_HARDWARE)
		return "the model does not know it; with from: recorded the measured one is taken";
	if (times_are_in(&metric, 1) && !times_are_in(c->step->metrics, c->step->n_metrics))
		return "times are modeled where the step's metrics have one of them";
	return NULL;
}

static const char *find_remedy(const struct check *c, const struct judgment *judgment)
{
	const char *found = NULL;
	for (int i = 0; i < judgment->n_terms && !found; i++)
		if (judgment->terms[i].witness == TERM_MODEL)
			found = remedy(c, judgment->terms[i].metric);
	return found;
}

static bool number_of(const struct check *c, const struct judgment *judgment, double *out)
{
	const char *why = "";
	if (experiment_judge(c->set, c->step, judgment, out, &why)) {
		if (!isfinite(*out))
			fault(c, judgment->set,
				arena_printf(
					c->arena, "%s is no number: something is divided by zero", judgment->text));
		return isfinite(*out);
	}
	if (strcmp(why, value_reason(VALUE_NONE)) == 0 && find_remedy(c, judgment))
		why = find_remedy(c, judgment);
	if (c->totals->recorded || (why != experiment_not_recorded && why != experiment_recording_stale))
		fault(c, judgment->set,
			arena_printf(c->arena, "there is no value for %s%s%s", judgment->text, *why ? ": " : "", why));
	return false;
}

static void check_phrase(const struct check *c, const struct phrase *phrase)
{
	double v;
	for (int i = 0; i < phrase->n; i++)
		number_of(c, &phrase->values[i], &v);
}

static void check_number(const struct check *c, const struct question *q)
{
	double answer, wrong;
	if (!number_of(c, &q->answer, &answer))
		return;
	buf_puts(c->out, "; the answer is ");
	value_format(answer, c->out);
	if (c->lesson->n_parameters)
		buf_printf(c->out, " (%s)", experiment_label(c->arena, c->lesson, c->step, q->set));
	for (int i = 0; i < q->n_wrong; i++) {
		if (number_of(c, &q->wrong[i].answer, &wrong) && experiment_agrees(wrong, answer, q->within))
			fault(c, q->set,
				arena_printf(c->arena, "the wrong answer %s is right", q->wrong[i].answer.text));
		check_phrase(c, &q->wrong[i].why);
	}
}

static void check_choices(const struct check *c, const struct question *q)
{
	int right = 0, known = 0, last = q->correct;
	double holds;
	for (int i = 0; i < q->n_choices; i++) {
		check_phrase(c, &q->choices[i].why);
		if (!q->choices[i].when || !number_of(c, q->choices[i].when, &holds))
			continue;
		known++;
		if (experiment_is_true(holds)) {
			right++;
			last = i;
		}
	}
	if (q->correct < 0 && known == q->n_choices && right != 1)
		fault(c, q->set,
			right ? arena_printf(c->arena, "%d choices are right; it must be one", right)
			      : "no choice is right; one must be");
	if (last >= 0)
		buf_printf(c->out, "; the answer is '%s'", q->choices[last].text);
}

static void check_question(const struct check *c)
{
	const struct question *q = &c->step->question;
	if (q->kind == QUESTION_NONE)
		return;
	c->totals->questions++;
	c->totals->judged += q->kind == QUESTION_NUMBER || q->correct < 0;
	if (q->kind == QUESTION_NUMBER)
		check_number(c, q);
	else
		check_choices(c, q);
	check_phrase(c, &q->explain);
}

static void check_claim(const struct check *c)
{
	const struct claim *claim = &c->step->claim;
	double holds;
	if (!claim->text)
		return;
	c->totals->claims++;
	check_phrase(c, &claim->says);
	if (number_of(c, &claim->holds, &holds))
		buf_printf(c->out, "; the claim %s", experiment_is_true(holds) ? "holds" : "does not hold");
}

static void check_sweep(const struct check *c)
{
	const struct step *step = c->step;
	const struct lesson *lesson = c->lesson;
	int parameter = 0;
	if (!step->sweep_metric)
		return;
	while (strcmp(lesson->parameters[parameter].name, step->sweep_parameter) != 0)
		parameter++;
	enum metric_id metric = metric_find(step->sweep_metric);
	for (int i = 0; i < step->n_sweep_values; i++) {
		int64_t *values = arena_array(c->arena, int64_t, (size_t)lesson->n_parameters);
		memcpy(values, step->set, (size_t)lesson->n_parameters * sizeof *values);
		values[parameter] = step->sweep_values[i];
		const struct experiment_run *run = run_of(c, values);
		if (!run)
			return;
		struct value value = metric_value(metric, &run->counts);
		if (value.state != VALUE_OK && metric_trust(metric) != COUNTER_HARDWARE)
			fault(c, values,
				arena_printf(c->arena, "the model has no value for %s: %s", step->sweep_metric,
					remedy(c, step->sweep_metric) ? remedy(c, step->sweep_metric)
								      : value_reason(value.state)));
	}
	buf_printf(c->out, "; sweep of %d values", step->n_sweep_values);
}

/* --- recordings --------------------------------------------------------------------------------------------------- */

static void compare_counts(const struct check *c, const int64_t *values, const struct counts *model,
	const struct experiment_recording *recording)
{
	const struct counts *recorded = &recording->counts;
	for (int i = 0; i < COUNTERS; i++) {
		struct value m = model->c[i], r = recorded->c[i];
		if (counter_table[i].trust != COUNTER_EXACT || m.state != VALUE_OK || r.state != VALUE_OK ||
			counter_compare((enum counter_id)i, model, recorded, recording->wavefronts) != COUNTER_DIFFERS)
			continue;
		struct buf text = {0};
		buf_printf(&text, "%s: the model has ", counter_table[i].hw);
		value_format(m.v, &text);
		buf_puts(&text, ", recorded is ");
		value_format(r.v, &text);
		fault(c, values, arena_strdup(c->arena, buf_str(&text)));
		buf_free(&text);
	}
}

/* False when there is no recording, but should be. */
static bool check_recorded(const struct check *c, const int64_t *values)
{
	const struct step *step = c->step;
	const struct experiment_run *run = run_of(c, values);
	bool defective = lesson_expects_defect(c->lesson, step, values);
	if (!run)
		return true;
	struct experiment *e = experiment_open(c->set, step, values);
	const struct experiment_recording *recording = experiment_recording(e);
	if (recording->found != RECORDED_OK)
		return defective && experiment_on_gpu(e, NULL) != EXPERIMENT_ENDS_ON_GPU;
	/* The machine leaves out what is defective, a GPU does not. */
	if (!defective)
		compare_counts(c, values, &run->counts, recording);
	for (int i = 0; i < step->n_metrics; i++) {
		struct value value = metric_value(metric_find(step->metrics[i]), &recording->counts);
		if (value.state != VALUE_OK && value.state != VALUE_UNDEFINED)
			fault(c, values, arena_printf(c->arena, "the recording has no %s", step->metrics[i]));
	}
	return true;
}

/* Those that are missing are one fault. */
static void check_recordings(const struct check *c, const struct experiment_points *points)
{
	int missing = 0;
	const char *first = NULL;
	for (int i = 0; i < points->n; i++) {
		if (check_recorded(c, points->points[i].values))
			continue;
		first = first ? first : points->points[i].label;
		missing++;
	}
	if (missing)
		diag_error(c->diag, c->step->pos,
			"step %s: %d of %d launch%s %s not recorded, the first at %s; simttutor record "
			"does it",
			c->step->id, missing, points->n, points->n == 1 ? "" : "es", missing == 1 ? "is" : "are",
			first);
}

/* --- exercises ---------------------------------------------------------------------------------------------------- */

static void exercise_fault(const struct check *c, const char *name, const char *what)
{
	diag_error(c->diag, c->step->pos, "step %s: exercise/%s.cu %s", c->step->id, name, what);
}

/* The first thing that does not hold; NULL: nothing. */
static const char *why_not(const struct check *c, const struct experiment_grade *grade)
{
	for (int i = 0; i < grade->n_goals; i++)
		if (!grade->goals[i].holds)
			return arena_printf(c->arena, "%s: %s", grade->goals[i].text, grade->goals[i].is);
	return grade->defect ? grade->defect : grade->wrong;
}

static bool grade_file(const struct check *c, const char *name, struct experiment_grade *grade)
{
	const struct kernel_file *file = lesson_exercise_kernel(c->arena, c->lesson, c->step, name, c->diag);
	return file && experiment_grade_kernel(c->arena, c->lesson, c->step, file, grade, c->diag);
}

/* What must be refused: the start, and every file of wrong/. */
static void check_refused(const struct check *c, const char *name)
{
	struct experiment_grade grade;
	if (!grade_file(c, name, &grade))
		return;
	const char *why = why_not(c, &grade);
	if (why)
		buf_printf(c->out, "\n      %s fails: %s", name, why);
	else
		exercise_fault(c, name, "passes, but it must not");
}

static int only_kernels(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');
	return dot && dot > entry->d_name && strcmp(dot, ".cu") == 0;
}

static void check_wrong_kernels(const struct check *c)
{
	struct dirent **entries;
	int n = scandir(path_join(c->arena, c->step->exercise.dir, "wrong"), &entries, only_kernels, alphasort);
	if (n <= 0)
		diag_error(c->diag, c->step->pos, "step %s: there is no attempt in exercise/wrong that must be refused",
			c->step->id);
	for (int i = 0; i < n; i++) {
		int stem = (int)strlen(entries[i]->d_name) - 3;
		check_refused(c, arena_printf(c->arena, "wrong/%.*s", stem, entries[i]->d_name));
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
}

static void check_exercise(const struct check *c)
{
	struct experiment_grade grade;
	const struct exercise *e = &c->step->exercise;
	if (!e->dir)
		return;
	c->totals->exercises++;
	if (e->n_hints != HINTS)
		diag_error(c->diag, c->step->pos, "step %s: an exercise has %d hints, each telling more; here are %d",
			c->step->id, HINTS, e->n_hints);
	check_refused(c, "start");
	if (grade_file(c, "solution", &grade) && !grade.solved)
		exercise_fault(c, "solution", arena_printf(c->arena, "is none: %s", why_not(c, &grade)));
	check_wrong_kernels(c);
	check_phrase(c, &e->explain);
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

/* Whether a launch is as it should be; `enough` were told of others. */
static bool check_point(const struct check *c, const int64_t *values, bool enough)
{
	struct check here = *c;
	struct diag unheard = {0};
	here.diag = enough ? &unheard : c->diag;
	size_t errors = here.diag->errors;
	check_run(&here, values);
	bool good = here.diag->errors == errors;
	diag_free(&unheard);
	return good;
}

static bool hits_a_limit(const struct check *c, const int64_t *values)
{
	const struct experiment_run *run = run_of(c, values);
	return run && run->result.outcome == SIMT_LIMIT;
}

/* False when none of the step's launches can be made, for a reason that was told. */
static bool can_launch(struct check *c)
{
	const struct experiment_run *run = run_of(c, c->step->set);
	hear(c);
	return run;
}

static void check_points(struct check *c, const struct experiment_points *points)
{
	int faulty = 0, limits = 0;
	for (int i = 0; i < points->n && limits < FAULTY_TOLD; i++) {
		faulty += !check_point(c, points->points[i].values, faulty >= FAULTY_TOLD);
		limits += hits_a_limit(c, points->points[i].values);
	}
	if (limits == FAULTY_TOLD) /* each takes seconds */
		diag_error(c->diag, c->step->pos, "step %s: its other launches are not tried", c->step->id);
	else if (faulty > FAULTY_TOLD)
		diag_error(c->diag, c->step->pos, "step %s: %d more of %d launches %s faulty", c->step->id,
			faulty - FAULTY_TOLD, points->n, faulty - FAULTY_TOLD == 1 ? "is" : "are");
	if (c->totals->recorded)
		check_recordings(c, points);
}

static void check_step(struct check *c)
{
	size_t errors = c->diag->errors;
	struct experiment_points points = {0};
	buf_printf(c->out, "  %d %s: %s", (int)(c->step - c->lesson->steps) + 1, c->step->id,
		c->step->exercise.dir             ? "exercise"
			: c->step->has_experiment ? "experiment"
						  : "text");
	for (int p = 0; p < c->lesson->n_parameters && c->step->has_experiment; p++)
		check_launches(c, p);
	bool runs = c->step->has_experiment && c->diag->errors == errors && can_launch(c);
	if (runs) {
		experiment_points_of_step(c->arena, c->lesson, c->step, &points, c->diag);
		check_start(c);
		if (!c->step->exercise.dir)
			check_points(c, &points);
		check_sweep(c);
		check_exercise(c);
	}
	if (runs || !c->step->has_experiment) {
		check_question(c);
		check_claim(c);
	}
	hear(c);
	buf_puts(c->out, c->diag->errors == errors ? "\n" : "; FAULTY\n");
}

/* --- the screen --------------------------------------------------------------------------------------------------- */

#define SCREEN_COLS 80
#define SCREEN_ROWS 24
#define PAGES_MAX 2 /* what is seen, and one page of scrolling */

/* The text of every step as a reader meets it, before any answer. */
static void check_screens(struct check *c, struct lesson *lesson)
{
	struct screen_state screen = {0};
	struct tutor *tutor = tutor_new_for(lesson, c->diag);
	for (int i = 0; tutor && i < lesson->n_steps; i++) {
		c->step = &lesson->steps[i];
		tutor_open(tutor, lesson, i);
		screen_lay_out(&screen, tutor, SCREEN_ROWS, SCREEN_COLS);
		if (screen.text_rows > PAGES_MAX * screen.text_room)
			diag_error(c->diag, c->step->pos,
				"step %s: the text takes %d rows at %dx%d, where %d are seen at a time; it "
				"may take %d",
				c->step->id, screen.text_rows, SCREEN_COLS, SCREEN_ROWS, screen.text_room,
				PAGES_MAX * screen.text_room);
	}
	if (tutor)
		tutor_free(tutor);
}

static bool is_listed(const char *const *ids, const char *id)
{
	for (; *ids; ids++)
		if (strcmp(*ids, id) == 0)
			return true;
	return false;
}

static void check_front(const struct check *c)
{
	const struct lesson *lesson = c->lesson;
	struct diag_pos pos = {.file = lesson->path};
	for (int i = 0; i < lesson->n_after; i++)
		if (!is_listed(c->totals->ids, lesson->after[i]))
			diag_error(c->diag, pos, "it comes after '%s', but there is no such lesson", lesson->after[i]);
	if (!*lesson->can)
		diag_error(c->diag, pos, "nothing says what the reader can do afterwards: can");
}

void lesson_check(struct lesson_check *totals, struct lesson *lesson, struct buf *out, struct diag *diag)
{
	struct arena *arena = arena_new();
	struct diag unplaced = {0};
	struct check c = {.totals = totals,
		.unplaced = &unplaced,
		.lesson = lesson,
		.set = experiments_new(lesson, &(struct experiment_rules){EXPERIMENT_CHECKED, .steps = STEPS_MAX}),
		.out = out,
		.diag = diag,
		.arena = arena};

	buf_printf(out, "%s: %s, %d step%s\n", lesson->path, lesson->title, lesson->n_steps,
		lesson->n_steps == 1 ? "" : "s");
	diag_move(experiments_problems(c.set), &unplaced);
	hear(&c);
	for (int i = 0; i < lesson->n_steps; i++) {
		c.step = &lesson->steps[i];
		check_step(&c);
	}
	check_front(&c);
	check_screens(&c, lesson);
	totals->lessons++;
	totals->steps += lesson->n_steps;
	totals->launches += experiments_count(c.set);
	experiments_free(c.set);
	arena_free(arena);
}
