#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/paths.h"
#include "base/portable.h"
#include "base/text.h"
#include "base/utf8.h"
#include "cmd/lesson.h"
#include "cmd/picture.h"
#include "cmd/program.h"
#include "course/experiment/experiment.h"
#include "course/experiment/grade.h"
#include "course/experiment/recordings.h"
#include "course/lesson/lesson.h"
#include "front/screen/screen.h"
#include "front/tutor/tutor.h"
#include "front/view/views.h"
#include "model/hardware/metrics.h"
#include "model/profile/times.h"
#include "tools/compile/compile.h"

/* The launches whose counts were compared with those of a GPU. */
struct lesson_compared {
	struct lesson_compared_launch {
		const struct experiment *experiment;
		const struct experiment_provenance *on;
	} * at;
	int n, cap;
};

/* The check of one lesson. */
struct lesson_checking {
	struct cmd_lesson_check *totals;
	struct diag *unplaced; /* faults of launches, which know no lesson */
	const struct lesson *lesson;
	struct experiments *set;
	struct buf *out;
	struct diag *diag;
	struct arena *arena;
	const struct step *step;         /* that is checked now */
	struct program_record **program; /* the last that a step showed */
	struct lesson_compared *compared;
};

/* --- questions, claims, sweeps ------------------------------------------------------------------------------------ */

/* What an author can do about a metric that the model has no number for; NULL: something else is the matter. */
static const char *remedy(const struct lesson_checking *c, const char *metric)
{
	if (metric_trust(metric_find(metric)) == COUNTER_HARDWARE)
		return "the model does not know it; with from: recorded the measured one is taken";
	if (profile_times_are_in(&metric, 1) && !profile_times_are_in(c->step->metrics, c->step->n_metrics))
		return "times are modeled where the step's metrics have one of them";
	return NULL;
}

static const char *find_remedy(const struct lesson_checking *c, const struct judgment *judgment)
{
	const char *found = NULL;
	for (int i = 0; i < judgment->n_terms && !found; i++)
		if (judgment->terms[i].witness == TERM_MODEL)
			found = remedy(c, judgment->terms[i].metric);
	return found;
}

/* Reports a fault of the step at these values. */
static void check_fault(const struct lesson_checking *c, const int64_t *values, const char *what)
{
	const char *at = c->lesson->n_parameters ? experiment_label(c->arena, c->lesson, c->step, values) : "";
	diag_error(c->diag, c->step->pos, "step %s%s%s: %s", c->step->id, *at ? ", " : "", at, what);
}

static bool number_of(const struct lesson_checking *c, const struct judgment *judgment, double *out)
{
	const char *why = "";
	if (experiment_judge(c->set, c->step, judgment, out, &why)) {
		if (!isfinite(*out))
			check_fault(c, judgment->set,
				arena_printf(
					c->arena, "%s has no value: something is divided by zero", judgment->text));
		return isfinite(*out);
	}
	if (strcmp(why, value_reason(VALUE_NONE)) == 0 && find_remedy(c, judgment))
		why = find_remedy(c, judgment);
	if (c->totals->recorded || (why != experiment_not_recorded && why != experiment_recording_stale))
		check_fault(c, judgment->set,
			arena_printf(c->arena, "there is no value for %s%s%s", judgment->text, *why ? ": " : "", why));
	return false;
}

static void check_phrase(const struct lesson_checking *c, const struct phrase *phrase)
{
	double v;
	for (int i = 0; i < phrase->n; i++)
		number_of(c, &phrase->values[i], &v);
}

static bool check_judgment(void *ctx, const struct judgment *judgment)
{
	double v;
	number_of(ctx, judgment, &v);
	return true;
}

static void check_question(const struct lesson_checking *c)
{
	const struct question *q = &c->step->question;
	struct diag faults = {0};
	struct buf answer = {0};
	if (q->kind == QUESTION_NONE)
		return;
	c->totals->questions++;
	c->totals->judged += q->judged;
	lesson_question_visit(q, &(struct question_visitor){.ctx = (void *)c, .judgment = check_judgment});
	experiment_check_question(c->set, c->step, &faults);
	for (size_t i = 0; i < faults.count; i++)
		check_fault(c, q->set, faults.entries[i].message);
	if (experiment_write_answer(c->set, c->step, &answer))
		buf_printf(c->out, "; the answer is %s", buf_str(&answer));
	if (answer.len && q->judged && lesson_question_table[q->kind].entry == QUESTION_TYPED &&
		c->lesson->n_parameters)
		buf_printf(c->out, " (%s)", experiment_label(c->arena, c->lesson, c->step, q->set));
	buf_free(&answer);
	diag_free(&faults);
}

/* The run of the step's launch; NULL, with faults, when there is none. */
static const struct experiment_run *run_at(const struct lesson_checking *c, const int64_t *values)
{
	if (c->totals->until_ms > 0 && clock_ms() > c->totals->until_ms) {
		/* Once for all. */
		if (!c->totals->late)
			diag_error(c->diag, c->step->pos,
				"step %s: there is no time for its launches: the course takes too long to check",
				c->step->id);
		c->totals->late = true;
		return NULL;
	}
	struct experiment *e = experiment_open(c->set, c->step, values);
	const struct experiment_run *run = experiment_run(e);
	experiment_report(e, c->unplaced);
	return run->ran ? run : NULL;
}

static void check_sweep(const struct lesson_checking *c)
{
	const struct step *step = c->step;
	const struct lesson *lesson = c->lesson;
	int parameter = 0;
	if (!step->sweep.metric)
		return;
	while (strcmp(lesson->parameters[parameter].name, step->sweep.parameter) != 0)
		parameter++;
	enum metric_id metric = metric_find(step->sweep.metric);
	for (int i = 0; i < step->sweep.n; i++) {
		int64_t *values = arena_array(c->arena, int64_t, (size_t)lesson->n_parameters);
		memcpy(values, step->set, (size_t)lesson->n_parameters * sizeof *values);
		values[parameter] = step->sweep.values[i];
		const struct experiment_run *run = run_at(c, values);
		if (!run)
			return;
		struct value value = metric_value(metric, &run->counts);
		if (value.state != VALUE_OK && metric_trust(metric) != COUNTER_HARDWARE)
			check_fault(c, values,
				arena_printf(c->arena, "the model has no value for %s: %s", step->sweep.metric,
					remedy(c, step->sweep.metric) ? remedy(c, step->sweep.metric)
								      : value_reason(value.state)));
	}
	buf_printf(c->out, "; sweep of %d values", step->sweep.n);
}

static bool is_equal_value(struct value a, struct value b)
{
	return a.state == b.state && (a.state != VALUE_OK || !(a.v < b.v || a.v > b.v));
}

/* How many of the step's numbers differ, by any witness. */
static void check_compare(const struct lesson_checking *c)
{
	const struct step *step = c->step;
	int differ = 0;
	if (!step->compare)
		return;
	const struct experiment_run *a = run_at(c, step->set), *b = run_at(c, step->compare);
	if (!a || !b)
		return;
	const struct counts *of_a = &experiment_recording(experiment_open(c->set, step, step->set))->counts;
	const struct counts *of_b = &experiment_recording(experiment_open(c->set, step, step->compare))->counts;
	for (int i = 0; i < step->n_metrics; i++) {
		enum metric_id metric = metric_find(step->metrics[i]);
		differ += !is_equal_value(metric_value(metric, &a->counts), metric_value(metric, &b->counts)) ||
			!is_equal_value(metric_value(metric, of_a), metric_value(metric, of_b));
	}
	buf_printf(c->out, "; compared with %s: %d of %d numbers differ",
		experiment_label(c->arena, c->lesson, step, step->compare), differ, step->n_metrics);
}

/* --- exercises ---------------------------------------------------------------------------------------------------- */

#define HINTS 3

static void exercise_fault(const struct lesson_checking *c, const char *name, const char *what)
{
	diag_error(c->diag, c->step->pos, "step %s: exercise/%s.cu %s", c->step->id, name, what);
}

/* The first thing that does not hold; NULL: nothing. */
static const char *why_not(const struct lesson_checking *c, const struct experiment_grade *grade)
{
	for (int i = 0; i < grade->n_goals; i++)
		if (!grade->goals[i].holds)
			return arena_printf(c->arena, "%s: %s", grade->goals[i].text, grade->goals[i].is);
	return grade->defect ? grade->defect : grade->wrong;
}

/* Reports PTX that is not what its source makes. */
static void check_made(const struct lesson_checking *c, const struct kernel_file *file)
{
	enum lesson_made made = lesson_made_check(c->arena, file);
	if (made != LESSON_MADE_CURRENT)
		diag_error(c->diag, (struct diag_pos){.file = file->ptx_path},
			"%s %s; simttutor lesson build makes it anew",
			made == LESSON_MADE_STALE ? "it was not made from what is now in"
						  : "it does not say whether it was made from",
			file->source_path);
}

static const struct experiment_grade *grade_file(const struct lesson_checking *c, const char *name)
{
	const struct kernel_file *file = lesson_exercise_kernel(c->arena, c->step, name, c->diag);
	int status;
	if (!file)
		return NULL;
	if (c->step->exercise.n_runs)
		return program_grade(c->totals->ctx, c->arena, c->lesson, c->step, file->source_path, &status);
	if (strcmp(name, "start") != 0) /* which is the step's kernel, too */
		check_made(c, file);
	return experiment_grade_kernel(c->arena, c->lesson, c->step, file, c->diag);
}

/* What must be refused: the start, and every file of wrong/. */
static void check_refused(const struct lesson_checking *c, const char *name)
{
	const struct experiment_grade *grade = grade_file(c, name);
	if (!grade)
		return;
	const char *why = why_not(c, grade);
	if (why) {
		buf_printf(c->out, "\n      %s fails: ", name);
		escape_puts(why, c->out);
	} else
		exercise_fault(c, name, "passes, but it must not");
}

/* What must pass: other ways to solve it, in right/. */
static void check_accepted(const struct lesson_checking *c, const char *name)
{
	const struct experiment_grade *grade = grade_file(c, name);
	if (grade && !grade->solved)
		exercise_fault(c, name, arena_printf(c->arena, "is a solution, but: %s", why_not(c, grade)));
}

static int only_kernels(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');
	return dot && dot > entry->d_name && strcmp(dot, ".cu") == 0;
}

/* Each kernel of a folder of the exercise. How many there are; -1 where there is no such folder. */
static int check_each(const struct lesson_checking *c, const char *folder,
	void (*check)(const struct lesson_checking *c, const char *name))
{
	struct dirent **entries;
	int n = scandir(path_join(c->arena, c->step->exercise.dir, folder), &entries, only_kernels, alphasort);
	if (n < 0 && errno == ENOMEM)
		base_out_of_memory();
	for (int i = 0; i < n; i++) {
		int stem = (int)strlen(entries[i]->d_name) - 3;
		check(c, arena_printf(c->arena, "%s/%.*s", folder, stem, entries[i]->d_name));
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
	return n < 0 ? -1 : n;
}

/* What the fix gains, and whether it does. */
static void check_times(const struct lesson_checking *c)
{
	const struct exercise *e = &c->step->exercise;
	struct experiment_timed timed;
	struct buf text = {0};
	if (!e->timed && c->totals->recorded) {
		diag_error(c->diag, c->step->pos,
			"step %s: nothing says with which parameters the start and the solution are timed: timed",
			c->step->id);
		return;
	}
	if (!experiment_timed(c->arena, c->set, c->step, &timed, c->diag))
		return;
	experiment_timed_write(&timed, e, &text);
	struct value before = timed.time[EXPERIMENT_BEFORE], after = timed.time[EXPERIMENT_AFTER];
	if (text.len) {
		buf_puts(c->out, "\n      ");
		escape_puts(buf_str(&text), c->out);
		if (before.v <= after.v && !e->slower)
			exercise_fault(
				c, "solution", "is not faster than the start; slower says why, where it is meant");
		if (before.v > after.v && e->slower)
			exercise_fault(c, "solution", "is faster than the start, but slower says why not");
	} else if (c->totals->recorded) {
		diag_error(c->diag, c->step->pos,
			"step %s: the times of the exercise are not recorded; simttutor record does it", c->step->id);
	}
	buf_free(&text);
}

/* Which a reader's copy of a course may lack. */
static void check_solution(const struct lesson_checking *c)
{
	if (c->totals->course && lesson_solution_is_withheld(c->totals->course, c->step->exercise.dir)) {
		buf_puts(c->out, "\n      the course withholds the solution");
		return;
	}
	const struct experiment_grade *grade = grade_file(c, "solution");
	if (grade && !grade->solved)
		exercise_fault(c, "solution", arena_printf(c->arena, "is none: %s", why_not(c, grade)));
}

/* Without a compiler there is nothing to run; without agreement it may not be. */
static bool can_be_run(const struct lesson_checking *c)
{
	if (!c->step->exercise.n_runs)
		return true;
	bool asked = c->totals->ctx != NULL;
	if (!asked || !compile_can_here(cmd_compile_ctx(c->totals->ctx))) {
		buf_printf(c->out, "; its programs are not tried%s", asked ? ": there is no compiler" : "");
		return false;
	}
	return program_grade_can(c->totals->ctx, c->step->exercise.start->source_path) == EXIT_OK;
}

static void check_exercise(const struct lesson_checking *c)
{
	const struct exercise *e = &c->step->exercise;
	if (!e->dir)
		return;
	c->totals->exercises++;
	if (e->n_hints != HINTS)
		diag_error(c->diag, c->step->pos, "step %s: an exercise has %d hints, each more specific; here are %d",
			c->step->id, HINTS, e->n_hints);
	if (!can_be_run(c))
		return;
	check_refused(c, "start");
	check_solution(c);
	int wrong = check_each(c, "wrong", check_refused);
	if (wrong < 0) /* as where lessons are installed */
		buf_puts(c->out, "\n      there are no wrong attempts to try");
	else if (wrong == 0)
		diag_error(c->diag, c->step->pos, "step %s: there is no attempt in exercise/wrong that must be refused",
			c->step->id);
	check_each(c, "right", check_accepted);
	if (e->n_runs)
		return;
	check_phrase(c, &e->explain);
	check_times(c);
}

/* --- what is recorded --------------------------------------------------------------------------------------------- */

/* With its GPU, where there are several. */
static void fault_of_recording(const struct lesson_checking *c, const int64_t *values, const char *text)
{
	const struct experiment_recording *recording = experiment_recording(experiment_open(c->set, c->step, values));
	bool several = experiments_recorded_on(c->set, 1);
	check_fault(c, values,
		several ? arena_printf(c->arena, "%s: %s", recording->provenance->gpu, text)
			: arena_strdup(c->arena, text));
}

/* Another step, or another value, may show the same. */
static bool is_compared_first(
	const struct lesson_checking *c, const struct experiment *e, const struct experiment_provenance *on)
{
	struct lesson_compared *compared = c->compared;
	for (int i = 0; i < compared->n; i++) {
		const struct experiment *other = compared->at[i].experiment;
		if (experiment_same_gpu(compared->at[i].on, on) && experiment_same_launch(other->launch, e->launch) &&
			strcmp(other->kernel->fingerprint, e->kernel->fingerprint) == 0)
			return false;
	}
	*vec_push_in(c->arena, compared->at, compared->n, compared->cap) = (struct lesson_compared_launch){e, on};
	return true;
}

/* --- what the model had when it was recorded ---------------------------------------------------------------------- */

static bool is_as_stored(struct value a, struct value b)
{
	bool ok = a.state == VALUE_OK;
	return ok == (b.state == VALUE_OK) && (!ok || fabs(a.v - b.v) <= 1e-9 * fabs(a.v));
}

/* NULL, or the first counter that is another one now. */
static const char *other_counter(const struct counts *now, const struct counts *stored)
{
	for (int i = 0; i < COUNTERS; i++)
		if (now->c[i].state == VALUE_OK && !is_as_stored(now->c[i], stored->c[i]))
			return counter_table[i].hw;
	return NULL;
}

/* 0, or the first line of the source with other counts. */
static int other_line(const struct experiment_run *run, const struct experiment_modeled *stored)
{
	if (stored->n_lines > run->n_lines)
		return stored->lines[run->n_lines].line;
	for (int i = 0; i < run->n_lines; i++) {
		const struct experiment_line *a = &run->lines[i], *b = &stored->lines[i];
		if (i == stored->n_lines || a->line != b->line || a->requests != b->requests ||
			!is_as_stored(a->wavefronts, b->wavefronts) || !is_as_stored(a->sectors, b->sectors) ||
			!is_as_stored(a->active_lanes, b->active_lanes))
			return a->line;
	}
	return 0;
}

static bool same_executed(const struct experiment_run *run, const struct experiment_modeled *stored)
{
	size_t bytes = (size_t)run->n_executed * sizeof *run->executed;
	return run->n_executed == stored->n_executed && (!bytes || !memcmp(run->executed, stored->executed, bytes));
}

/* Readers of a launch that takes long are shown what is stored: it is what the model has now. */
static void check_stored(const struct lesson_checking *c, const int64_t *values, struct experiment *e)
{
	const struct experiment_run *run = experiment_run(e);
	const struct experiment_recording *recording = experiment_recording(e);
	const struct experiment_modeled *stored = &recording->modeled;
	if (run->stored || !stored->steps)
		return;
	const char *counter = other_counter(&run->counts, &recording->model);
	int line = other_line(run, stored);
	const char *what = counter            ? arena_printf(c->arena, "%s is another", counter)
		: line                        ? arena_printf(c->arena, "line %d counts otherwise", line)
		: !same_executed(run, stored) ? "other instructions are executed"
		: cmd_draws_blocks(c->step) && !experiment_beginning_suffices(e)
		? "blocks up to the watched one are not enough for the pictures"
		: NULL;
	if (what)
		fault_of_recording(c, values,
			arena_printf(c->arena,
				"what the model had is stored, and is not what it has now: %s; simttutor record --model makes it anew",
				what));
}

/* False when there is no recording, but should be. Of GPUs other than the first only what they have is looked at. */
static bool check_recorded(const struct lesson_checking *c, const int64_t *values, int gpu)
{
	const struct step *step = c->step;
	const struct experiment_run *run = run_at(c, values);
	bool defective = lesson_expects_defect(c->lesson, step, values);
	if (!run)
		return true;
	struct experiment *e = experiment_open(c->set, step, values);
	const struct experiment_recording *recording = experiment_recording(e);
	if (gpu && !experiment_same_gpu(recording->provenance, experiments_recorded_on(c->set, gpu)))
		return true;
	if (recording->found != RECORDED_OK && !experiment_is_for_gpu(e))
		return true;
	if (recording->found != RECORDED_OK)
		return defective && experiment_on_gpu(e, NULL) != EXPERIMENT_ENDS_ON_GPU;
	/* The machine leaves out what is defective, a GPU does not. */
	if (!defective) {
		const struct counts *recorded = &recording->counts;
		bool first = is_compared_first(c, e, recording->provenance);
		for (int i = 0; i < COUNTERS; i++) {
			struct value m = run->counts.c[i], r = recorded->c[i];
			if (!counter_is_comparable((enum counter_id)i, &run->counts, recorded))
				continue;
			if (counter_compare((enum counter_id)i, &run->counts, recorded, recording->wavefronts) !=
				COUNTER_DIFFERS) {
				c->totals->counts += first;
				continue;
			}
			struct buf text = {0};
			buf_printf(&text, "%s: the model has ", counter_table[i].hw);
			value_format(m.v, &text);
			buf_puts(&text, ", recorded is ");
			value_format(r.v, &text);
			fault_of_recording(c, values, buf_str(&text));
			buf_free(&text);
		}
	}
	if (!defective && !gpu)
		check_stored(c, values, e);
	for (int i = 0; i < step->n_metrics; i++) {
		enum metric_id metric = metric_find(step->metrics[i]);
		struct value value = metric_value(metric, &recording->counts);
		bool can = metric_is_collected(metric, recording->provenance->cc);
		if (can && value.state != VALUE_OK && value.state != VALUE_UNDEFINED)
			fault_of_recording(
				c, values, arena_printf(c->arena, "the recording has no %s", step->metrics[i]));
	}
	return true;
}

/* --- programs that steps show ------------------------------------------------------------------------------------- */

/* Steps that show a program: their views, and whether what is recorded of it is what it does. */

/* Without a compiler there is nothing to run; without agreement it may not be. */
static bool can_run_program(const struct lesson_checking *c)
{
	bool asked = c->totals->ctx != NULL;
	if (asked && compile_can_here(cmd_compile_ctx(c->totals->ctx)))
		return program_grade_can(c->totals->ctx, c->step->file->source_path) == EXIT_OK;
	buf_printf(c->out, "; its program is not run%s", asked ? ": there is no compiler" : "");
	return false;
}

static void check_program(const struct lesson_checking *c, const struct experiment_points *points)
{
	const struct step *step = c->step;
	for (int i = 0; i < step->n_views; i++) {
		view_id view = view_find(step->views[i]);
		bool of_program = view_is_of(view, VIEW_OF_PROGRAM), fits = of_program == step->file->is_program;
		if (!fits && view != VIEW_SOURCE)
			check_fault(c, step->set,
				arena_printf(c->arena, "the view %s is of %s", step->views[i],
					of_program ? "a program, and the step shows none"
						   : "a launch, and the step shows a program"));
	}

	if (!c->step->file->is_program || !can_run_program(c))
		return;
	struct program_record *p = program_record_of(c->totals->ctx, c->arena, c->program, c->step->file->source_path);
	for (int i = 0; p && i < points->n; i++) {
		const struct experiment_point *point = &points->points[i];
		struct experiment *e = experiment_open(c->set, c->step, point->values);
		const struct experiment_program *recorded = experiment_program(e, NULL),
						*now = program_record_run(p, experiment_program_arguments(e));
		if (recorded && now && !hostlog_is_same(recorded->log, now->log))
			check_fault(c, point->values,
				"what is recorded of the program is not what it asks for; simttutor record --model does it");
	}
	if (c->diag != &c->totals->ctx->diag)
		diag_move(&c->totals->ctx->diag, c->diag);
}

/* --- a lesson ----------------------------------------------------------------------------------------------------- */

#define FAULTY_REPORTED 3 /* launches of a step */

/* The faults of launches that could not be made, each once for each step. */
static void report_unplaced(struct lesson_checking *c)
{
	for (size_t i = 0; i < c->unplaced->count; i++) {
		const struct diag_entry *e = &c->unplaced->entries[i];
		bool reported = false;
		for (size_t k = 0; k < i && !reported; k++)
			reported = strcmp(c->unplaced->entries[k].message, e->message) == 0;
		if (reported)
			continue;
		if (e->file || !c->step)
			diag_error(c->diag, (struct diag_pos){.file = e->file, .line = e->line, .col = e->col}, "%s",
				e->message);
		else
			diag_error(c->diag, c->step->pos, "step %s: %s", c->step->id, e->message);
	}
	diag_free(c->unplaced);
}

/* --- launches ----------------------------------------------------------------------------------------------------- */

static bool offers_view(const struct step *step, const char *name)
{
	for (int i = 0; i < step->n_views; i++)
		if (strcmp(step->views[i], name) == 0)
			return true;
	return false;
}

/* The watched line does what the views of the step draw of it; where they draw nothing of it, it is executed. */
static void check_watched(const struct lesson_checking *c, const struct experiment_run *run)
{
	const struct step *step = c->step;
	const int line = lesson_watched(c->lesson, step, step->set).line;
	const view_id first = step->n_views ? view_find(step->views[0]) : VIEW_NONE;
	bool executed = false;
	for (int i = 0; i < run->n_lines; i++)
		executed = executed || (run->lines[i].line == line && run->lines[i].executed);
	if (cmd_draws_watched(step) && run->n_watched == 0 && !run->has_shuffle && !run->tiles.n)
		check_fault(c, step->set,
			arena_printf(c->arena,
				"line %d, which is watched, makes no memory access and no shuffle, and has no matrix instruction, in block %u, warp %u",
				line, step->watch.block, step->watch.warp));
	else if (!executed && !run->stored)
		check_fault(c, step->set, arena_printf(c->arena, "line %d, which is watched, is not executed", line));
	else if (view_is_of(first, VIEW_OF_ATOMIC) && run->has_access && !warp_op_is_atomic(run->access.op))
		check_fault(c, step->set,
			arena_printf(c->arena,
				"the first access of line %d, which is watched, is no atomic operation, as the view %s draws: give that a line of its own",
				line, step->views[0]));
}

/* Every launch that can be made from the step, and the line it watches. */
static void check_launches(const struct lesson_checking *c, int parameter)
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
			check_fault(c, values, faults.entries[0].message);
		else if (c->step->watch.line && !lesson_watched(c->lesson, c->step, values).line)
			check_fault(c, values, "there is no such line to watch");
		diag_free(&faults);
		if (!made)
			return;
	}
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

/* Whether a launch is as it should be; `enough` others were reported. */
static bool check_point(const struct lesson_checking *c, const int64_t *values, bool enough)
{
	struct lesson_checking here = *c;
	struct diag unheard = {0};
	here.diag = enough ? &unheard : c->diag;
	size_t errors = here.diag->errors;

	const struct experiment_run *run = run_at(&here, values);
	if (run) {
		/* A run that ends otherwise than it should. */
		const char *expected = lesson_expects_defect(here.lesson, here.step, values);
		bool met = false;
		for (uint32_t i = 0; i < run->n_defects; i++) {
			if (expected && simt_defect_is_named(run->defects[i].kind, expected)) {
				met = true;
			} else {
				const struct simt_defect *d = &run->defects[i];
				char place[PTX_LOCATION_TEXT];
				check_fault(&here, values,
					arena_printf(here.arena, "%s, %s: %s", simt_defect_name(d->kind),
						ptx_location_text(&d->here.place, place), d->message));
			}
		}
		if (run->result.outcome != SIMT_OK && run->result.outcome != SIMT_DEFECT)
			check_fault(&here, values,
				run->result.place.line ? arena_printf(here.arena, "%s, line %d", run->result.message,
								 run->result.place.line)
						       : arena_strdup(here.arena, run->result.message));
		else if (expected && !met)
			check_fault(&here, values,
				arena_printf(here.arena, "the lesson is a defect, %s, but the machine finds none",
					expected));

		if (run->wrong)
			check_fault(&here, values, run->wrong);
	}

	bool good = here.diag->errors == errors;
	diag_free(&unheard);
	return good;
}

/* False when none of the step's launches can be made, for a reason that was reported. */
static bool can_launch(struct lesson_checking *c)
{
	const struct experiment_run *run = run_at(c, c->step->set);
	report_unplaced(c);
	return run;
}

static void check_step(struct lesson_checking *c)
{
	if (c->totals->late)
		return;
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

		const struct step *step = c->step;
		const struct experiment_run *run = run_at(c, step->set);
		if (run && run->result.outcome != SIMT_ERROR && step->watch.line)
			check_watched(c, run);
		if (step->defect && !offers_view(step, "defect"))
			check_fault(c, step->set, "the lesson is a defect, but the view defect is not offered");
		if (step->n_results == 0 && !(step->defect && !step->defect_when) && !step->file->is_program)
			check_fault(c, step->set, "nothing says what the kernel must compute: results");

		if (!c->step->exercise.dir) {
			int faulty = 0, limits = 0;
			for (int i = 0; i < points.n && limits < FAULTY_REPORTED; i++) {
				faulty += !check_point(c, points.points[i].values, faulty >= FAULTY_REPORTED);
				const struct experiment_run *tried = run_at(c, points.points[i].values);
				limits += tried && tried->result.outcome == SIMT_LIMIT;
			}
			if (limits == FAULTY_REPORTED) /* each takes seconds */
				diag_error(c->diag, c->step->pos, "step %s: its other launches are not tried",
					c->step->id);
			else if (faulty > FAULTY_REPORTED)
				diag_error(c->diag, c->step->pos, "step %s: %d more of %d launches %s faulty",
					c->step->id, faulty - FAULTY_REPORTED, points.n,
					faulty - FAULTY_REPORTED == 1 ? "is" : "are");
			if (c->totals->recorded) {
				/* Those that are missing are one fault. */
				int missing = 0;
				const struct experiment_point *first = NULL;
				for (int i = 0; i < points.n; i++) {
					if (check_recorded(c, points.points[i].values, 0))
						continue;
					first = first ? first : &points.points[i];
					missing++;
				}
				for (int gpu = 1; experiments_recorded_on(c->set, gpu); gpu++) {
					experiments_prefer_recorded_on(c->set, gpu);
					for (int i = 0; i < points.n; i++)
						check_recorded(c, points.points[i].values, gpu);
				}
				experiments_prefer_recorded_on(c->set, 0);
				if (missing)
					diag_error(c->diag, c->step->pos,
						"step %s: %d of %d launch%s %s not recorded%s%s; simttutor record does it, and with --no-recorded it "
						"is no error",
						c->step->id, missing, points.n, points.n == 1 ? "" : "es",
						missing == 1 ? "is" : "are", points.n == 1 ? "" : ", the first at ",
						points.n == 1 ? "" : first->label);
			}
		}
		check_program(c, &points);
		check_sweep(c);
		check_compare(c);
		check_exercise(c);
	}
	if (runs || !c->step->has_experiment) {
		check_question(c);

		const struct claim *claim = &c->step->claim;
		double holds;
		if (claim->text) {
			c->totals->claims++;
			check_phrase(c, &claim->says);
			if (number_of(c, &claim->holds, &holds))
				buf_printf(c->out, "; the claim %s",
					experiment_is_true(holds) ? "holds" : "does not hold");
		}
	}
	if (c->step->exercise.n_runs)
		check_exercise(c);
	report_unplaced(c);
	buf_puts(c->out, c->diag->errors == errors ? "\n" : "; FAULTY\n");
}

/* --- the screen --------------------------------------------------------------------------------------------------- */

#define SCREEN_COLS 80
#define SCREEN_ROWS 24
#define PAGES_MAX 2 /* what is seen, and one page of scrolling */

/* --- PTX ---------------------------------------------------------------------------------------------------------- */

void cmd_lesson_check(struct cmd_lesson_check *totals, struct lesson *lesson, struct buf *out, struct diag *diag)
{
	struct arena *arena = arena_new();
	struct diag unplaced = {0};
	struct program_record *program = NULL;
	struct lesson_compared compared = {0};
	struct lesson_checking c = {.totals = totals,
		.program = &program,
		.compared = &compared,
		.unplaced = &unplaced,
		.lesson = lesson,
		.set = experiments_new(
			lesson, &(struct experiment_rules){EXPERIMENT_CHECKED, .steps = totals->max_steps}),
		.out = out,
		.diag = diag,
		.arena = arena};

	escape_line(out, text_plural("%s: %s, %d step", "%s: %s, %d steps", (unsigned)lesson->n_steps), lesson->path,
		lesson->title, lesson->n_steps);
	diag_move(experiments_problems(c.set), &unplaced);
	report_unplaced(&c);
	for (int i = 0; i < lesson->n_kernels; i++)
		check_made(&c, lesson->kernels[i]);
	for (int i = 0; i < lesson->n_steps; i++) {
		c.step = &lesson->steps[i];
		check_step(&c);
	}

	struct diag_pos pos = {.file = lesson->path};
	for (int i = 0; i < lesson->n_after; i++)
		if (!cmd_lesson_is_listed(c.totals->ids, lesson->after[i]))
			diag_error(c.diag, pos, "it comes after '%s', but there is no such lesson", lesson->after[i]);
	if (!*lesson->can)
		diag_error(c.diag, pos, "nothing says what the reader can do afterwards: can");

	/* The text of every step as a reader meets it, before any answer. */
	struct screen_state screen = {0};
	struct tutor *tutor = tutor_new_for(lesson, c.diag);
	for (int i = 0; tutor && i < lesson->n_steps; i++) {
		c.step = &lesson->steps[i];
		tutor_open(tutor, lesson, i);
		screen_lay_out(&screen, tutor, SCREEN_ROWS, SCREEN_COLS);
		if (screen.text_rows > PAGES_MAX * screen.text_room)
			diag_error(c.diag, c.step->pos,
				"step %s: the text takes %d rows at %dx%d, where %d are seen at a time; it "
				"may take %d",
				c.step->id, screen.text_rows, SCREEN_COLS, SCREEN_ROWS, screen.text_room,
				PAGES_MAX * screen.text_room);
	}
	if (tutor)
		tutor_free(tutor);

	totals->lessons++;
	totals->steps += lesson->n_steps;
	totals->launches += experiments_count(c.set);
	program_record_close(program);
	experiments_free(c.set);
	arena_free(arena);
}
