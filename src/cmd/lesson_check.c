#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/paths.h"
#include "base/portable.h"
#include "base/text.h"
#include "base/utf8.h"
#include "cmd/json.h"
#include "cmd/lesson.h"
#include "cmd/picture.h"
#include "cmd/program.h"
#include "cmd/spelling.h"
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

/* --- folders ------------------------------------------------------------------------------------------------------ */

const char *cmd_lesson_folder_name(struct arena *arena, const char *dir)
{
	char real[PATH_MAX], *name = arena_strdup(arena, realpath(dir, real) ? real : dir);
	for (size_t len = strlen(name); len > 1 && name[len - 1] == '/';)
		name[--len] = '\0';
	char *slash = strrchr(name, '/');
	return slash && slash[1] ? slash + 1 : name;
}

const char *cmd_lesson_folder(struct arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/');
	if (strcmp(slash ? slash + 1 : path, "lesson.md") != 0)
		return path;
	return slash ? arena_strndup(arena, path, slash > path ? (size_t)(slash - path) : 1) : ".";
}

/* The folder with the kernels of a lesson: its course, or itself where it is none's; ctx->paths.data where there are
 * none. */
static const char *lesson_folder_root(struct cmd_ctx *ctx, const char *dir)
{
	const char *own = arena_printf(ctx->arena, "%s/../..", dir);
	if (file_exists(path_join(ctx->arena, dir, "kernels")))
		return dir;
	bool is_course = file_exists(path_join(ctx->arena, own, "kernels")) ||
		file_exists(path_join(ctx->arena, own, LESSON_COURSE_FILE));
	return is_course ? own : ctx->paths.data;
}

/* Those of one course. */
static void add_ids(struct cmd_ctx *ctx, const char *course, const char ***ids, size_t *n, size_t *cap)
{
	struct dirent **entries;
	int found = scandir(path_join(ctx->arena, course, "lessons"), &entries, NULL, alphasort);
	if (found < 0 && errno == ENOMEM)
		base_out_of_memory();
	for (int i = 0; i < found; i++) {
		if (entries[i]->d_name[0] != '.')
			*vec_push_in(ctx->arena, *ids, *n, *cap) = arena_strdup(
				ctx->arena, lesson_id_of_dir(entries[i]->d_name));
		free(entries[i]);
	}
	if (found >= 0)
		free(entries);
}

const char *const *cmd_lesson_folder_ids(struct cmd_ctx *ctx, const char *course)
{
	const char **ids = NULL;
	size_t n = 0, cap = 0;
	add_ids(ctx, ctx->paths.data, &ids, &n, &cap);
	if (strcmp(course, ctx->paths.data) != 0)
		add_ids(ctx, course, &ids, &n, &cap);
	*vec_push_in(ctx->arena, ids, n, cap) = NULL;
	return ids;
}

bool cmd_lesson_is_listed(const char *const *ids, const char *id)
{
	for (; *ids; ids++)
		if (strcmp(*ids, id) == 0)
			return true;
	return false;
}

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
	if (strcmp(why, value_reason(VALUE_NONE)) == 0) {
		const char *found = NULL;
		for (int i = 0; i < judgment->n_terms && !found; i++)
			if (judgment->terms[i].witness == TERM_MODEL)
				found = remedy(c, judgment->terms[i].metric);
		why = found ? found : why;
	}
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

static int only_kernels(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');
	return dot && dot > entry->d_name && strcmp(dot, ".cu") == 0;
}

/* Each kernel of a folder of the exercise: "wrong", whose kernels must be refused, or "right", where other ways to
 * solve it are. How many there are; -1 where there is no such folder. */
static int check_each(const struct lesson_checking *c, const char *folder)
{
	struct dirent **entries;
	int n = scandir(path_join(c->arena, c->step->exercise.dir, folder), &entries, only_kernels, alphasort);
	if (n < 0 && errno == ENOMEM)
		base_out_of_memory();
	for (int i = 0; i < n; i++) {
		int stem = (int)strlen(entries[i]->d_name) - 3;
		const char *name = arena_printf(c->arena, "%s/%.*s", folder, stem, entries[i]->d_name);
		if (strcmp(folder, "wrong") == 0) {
			check_refused(c, name);
		} else {
			const struct experiment_grade *grade = grade_file(c, name);
			if (grade && !grade->solved)
				exercise_fault(
					c, name, arena_printf(c->arena, "is a solution, but: %s", why_not(c, grade)));
		}
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
	return n < 0 ? -1 : n;
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

	/* Without a compiler there is nothing to run; without agreement it may not be. */
	if (c->step->exercise.n_runs) {
		bool asked = c->totals->ctx != NULL;
		if (!asked || !compile_can_here(cmd_compile_ctx(c->totals->ctx))) {
			buf_printf(c->out, "; its programs are not tried%s", asked ? ": there is no compiler" : "");
			return;
		}
		if (program_grade_can(c->totals->ctx, c->step->exercise.start->source_path) != EXIT_OK)
			return;
	}

	check_refused(c, "start");
	if (c->totals->course && lesson_solution_is_withheld(c->totals->course, e->dir)) {
		/* A reader's copy of a course may lack it. */
		buf_puts(c->out, "\n      the course withholds the solution");
	} else {
		const struct experiment_grade *grade = grade_file(c, "solution");
		if (grade && !grade->solved)
			exercise_fault(c, "solution", arena_printf(c->arena, "is none: %s", why_not(c, grade)));
	}
	int wrong = check_each(c, "wrong");
	if (wrong < 0) /* as where lessons are installed */
		buf_puts(c->out, "\n      there are no wrong attempts to try");
	else if (wrong == 0)
		diag_error(c->diag, c->step->pos, "step %s: there is no attempt in exercise/wrong that must be refused",
			c->step->id);
	check_each(c, "right");
	if (e->n_runs)
		return;
	check_phrase(c, &e->explain);

	/* What the fix gains, and whether it does. */
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

/* --- what the model had when it was recorded ---------------------------------------------------------------------- */

static bool is_as_stored(struct value a, struct value b)
{
	bool ok = a.state == VALUE_OK;
	return ok == (b.state == VALUE_OK) && (!ok || fabs(a.v - b.v) <= 1e-9 * fabs(a.v));
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
		/* Another step, or another value, may show the same. */
		const struct experiment_provenance *on = recording->provenance;
		struct lesson_compared *compared = c->compared;
		bool first = true;
		for (int i = 0; i < compared->n && first; i++) {
			const struct experiment *other = compared->at[i].experiment;
			first = !experiment_same_gpu(compared->at[i].on, on) ||
				!experiment_same_launch(other->launch, e->launch) ||
				strcmp(other->kernel->fingerprint, e->kernel->fingerprint) != 0;
		}
		if (first)
			*vec_push_in(c->arena, compared->at, compared->n,
				compared->cap) = (struct lesson_compared_launch){e, on};

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
	if (!defective && !gpu) {
		/* Readers of a launch that takes long are shown what is stored: it is what the model has now. */
		const struct experiment_modeled *stored = &recording->modeled;
		if (!run->stored && stored->steps) {
			const char *counter = NULL;
			for (int i = 0; i < COUNTERS && !counter; i++)
				if (run->counts.c[i].state == VALUE_OK &&
					!is_as_stored(run->counts.c[i], recording->model.c[i]))
					counter = counter_table[i].hw;

			int line = other_line(run, stored);
			size_t bytes = (size_t)run->n_executed * sizeof *run->executed;
			bool executes_same = run->n_executed == stored->n_executed &&
				(!bytes || memcmp(run->executed, stored->executed, bytes) == 0);
			const char *what = counter ? arena_printf(c->arena, "%s is another", counter)
				: line             ? arena_printf(c->arena, "line %d counts otherwise", line)
				: !executes_same   ? "other instructions are executed"
				: cmd_draws_blocks(c->step) && !experiment_beginning_suffices(e)
				? "blocks up to the watched one are not enough for the pictures"
				: NULL;
			if (what)
				fault_of_recording(c, values,
					arena_printf(c->arena,
						"what the model had is stored, and is not what it has now: %s; simttutor record --model makes it anew",
						what));
		}
	}
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

	if (!c->step->file->is_program)
		return;

	/* Without a compiler there is nothing to run; without agreement it may not be. */
	bool asked = c->totals->ctx != NULL;
	if (asked && compile_can_here(cmd_compile_ctx(c->totals->ctx))) {
		if (program_grade_can(c->totals->ctx, c->step->file->source_path) != EXIT_OK)
			return;
	} else {
		buf_printf(c->out, "; its program is not run%s", asked ? ": there is no compiler" : "");
		return;
	}

	struct program_record *p = program_record_of(c->totals->ctx, c->arena, c->program, c->step->file->source_path);
	for (int i = 0; p && i < points->n; i++) {
		const struct experiment_point *point = &points->points[i];
		struct experiment *e = experiment_open(c->set, c->step, point->values);
		const struct experiment_program *recorded = experiment_program(e, NULL),
						*now = program_record_run(p, experiment_program_arguments(e),
							lesson_expects_wrong(c->lesson, c->step, point->values));
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

/* --- a step ------------------------------------------------------------------------------------------------------- */

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
		bool met = false, parted = false;
		for (uint32_t i = 0; i < run->n_defects; i++)
			parted |= expected && run->defects[i].kind == SIMT_BARRIER_DIVERGENT &&
				simt_defect_is_named(SIMT_BARRIER_DIVERGENT, expected);
		for (uint32_t i = 0; i < run->n_defects; i++) {
			enum simt_defect_kind kind = run->defects[i].kind;
			if (expected && simt_defect_is_named(kind, expected)) {
				met = true;
			} else if (!parted || (kind != SIMT_RACE && kind != SIMT_UNINITIALIZED)) {
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

	/* Every launch that can be made from the step, and the line it watches. */
	for (int p = 0; p < c->lesson->n_parameters && c->step->has_experiment; p++) {
		const struct parameter *parameter = &c->lesson->parameters[p];
		size_t n = (size_t)c->lesson->n_parameters;
		int64_t *values = arena_array(c->arena, int64_t, n);
		memcpy(values, c->step->set, n * sizeof *values);
		for (int i = 0; i < parameter->n_values; i++) {
			struct diag faults = {0};
			values[p] = parameter->values[i];
			bool made = lesson_launch(c->arena, c->lesson, c->step, values, &faults);
			if (!made)
				check_fault(c, values, faults.entries[0].message);
			else if (c->step->watch.line && !lesson_watched(c->lesson, c->step, values).line)
				check_fault(c, values, "there is no such line to watch");
			diag_free(&faults);
			if (!made)
				break;
		}
	}
	bool runs = c->step->has_experiment && c->diag->errors == errors;
	if (runs) {
		runs = run_at(c, c->step->set) != NULL;
		report_unplaced(c);
	}
	if (runs) {
		experiment_points_of_step(c->arena, c->lesson, c->step, &points, c->diag);

		const struct step *step = c->step;
		const struct experiment_run *run = run_at(c, step->set);
		if (run && run->result.outcome != SIMT_ERROR && step->watch.line) {
			/* The watched line does what the views of the step draw of it; where they draw nothing of it,
			 * it is executed. */
			const int line = lesson_watched(c->lesson, c->step, c->step->set).line;
			const view_id first = c->step->n_views ? view_find(c->step->views[0]) : VIEW_NONE;
			bool executed = false;
			for (int i = 0; i < run->n_lines; i++)
				executed = executed || (run->lines[i].line == line && run->lines[i].executed);
			if (cmd_draws_watched(c->step) && run->n_watched == 0 && !run->has_shuffle && !run->tiles.n)
				check_fault(c, c->step->set,
					arena_printf(c->arena,
						"line %d, which is watched, makes no memory access and no shuffle, and has no matrix instruction, in block %u, warp %u",
						line, c->step->watch.block, c->step->watch.warp));
			else if (!executed && !run->stored)
				check_fault(c, c->step->set,
					arena_printf(c->arena, "line %d, which is watched, is not executed", line));
			else if (view_is_of(first, VIEW_OF_ATOMIC) && run->has_access &&
				!warp_op_is_atomic(run->access.op))
				check_fault(c, c->step->set,
					arena_printf(c->arena,
						"the first access of line %d, which is watched, is no atomic operation, as the view %s draws: give that a line of its own",
						line, c->step->views[0]));
		}
		bool offered = false;
		for (int i = 0; i < step->n_views; i++)
			offered = offered || strcmp(step->views[i], "defect") == 0;
		if (step->defect && !offered)
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
		const struct question *q = &c->step->question;
		if (q->kind != QUESTION_NONE) {
			struct diag faults = {0};
			struct buf answer = {0};
			c->totals->questions++;
			c->totals->judged += q->judged;
			lesson_question_visit(
				q, &(struct question_visitor){.ctx = (void *)c, .judgment = check_judgment});
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

/* --- the whole ---------------------------------------------------------------------------------------------------- */

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

/* --- a lesson by its folder
 * ------------------------------------------------------------------------------------------------------ */

/* Whether a file is named as a translation is: lesson.de.md. */
static int is_translation(const struct dirent *entry)
{
	const char *language = strncmp(entry->d_name, "lesson.", 7) == 0 ? entry->d_name + 7 : "";
	size_t len = strspn(language, "abcdefghijklmnopqrstuvwxyz");
	return (len == 2 || len == 3) && strcmp(language + len, ".md") == 0;
}

int cmd_lesson_folder_check(struct cmd_ctx *ctx, struct cmd_lesson_check *check, const char *dir, struct buf *out)
{
	const char *path = path_join(ctx->arena, dir, "lesson.md");
	struct buf text = {0};
	struct course course;
	size_t errors = ctx->diag.errors;

	if (!file_read_text(path, LESSON_FILE_MAX, &text, &ctx->diag)) {
		buf_free(&text);
		return EXIT_MISSING;
	}
	struct lesson_names names = tutor_lesson_names;
	names.shared = ctx->paths.data;
	const struct lesson_text from = {lesson_folder_root(ctx, dir), cmd_lesson_folder_name(ctx->arena, dir), path,
		buf_str(&text), text.len, &names};
	lesson_course_read(ctx->arena, from.data_dir, &course, &ctx->diag);
	check->course = &course;
	check->ids = cmd_lesson_folder_ids(ctx, from.data_dir);
	struct lesson *lesson = lesson_parse(ctx->arena, &from, &ctx->diag);
	if (lesson)
		cmd_lesson_check(check, lesson, out, &ctx->diag);

	/* A translation is checked as its lesson is, whatever the language of who checks; only totals and answers are
	 * not said again. Where the lesson has faults the same would be said of each. */
	struct dirent **entries;
	int n = -1;
	errno = 0;
	if (lesson && ctx->diag.errors == errors)
		n = scandir(dir, &entries, is_translation, alphasort);
	if (n < 0 && errno == ENOMEM)
		base_out_of_memory();
	for (int i = 0; i < n; i++) {
		struct cmd_lesson_check unsaid = *check;
		struct lesson_text of = from;
		struct buf translation = {0}, answers = {0};
		of.path = path_join(ctx->arena, dir, entries[i]->d_name);
		if (file_read_text(of.path, LESSON_FILE_MAX, &translation, &ctx->diag)) {
			of.text = buf_str(&translation);
			of.len = translation.len;
			struct lesson *translated = lesson_parse(ctx->arena, &of, &ctx->diag);
			if (translated && !lesson_has_same_bones(translated, lesson))
				diag_error(&ctx->diag, (struct diag_pos){.file = of.path},
					"its steps, by their ids, or its parameters are not those of lesson.md, which readers see instead");
			else if (translated)
				cmd_lesson_check(&unsaid, translated, &answers, &ctx->diag);
		}
		buf_free(&answers);
		buf_free(&translation);
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
	check->course = NULL;

	bool english = strncmp(course.language, "en", 2) == 0;
	if (lesson && !english)
		escape_line(out, "  spelling is not checked: the language of the course is %s", course.language);
	if (lesson && english && !check->no_spelling)
		spelling_check(ctx, lesson);
	buf_free(&text);
	return ctx->diag.errors == errors ? EXIT_OK : EXIT_FAILED;
}

static void write_count(struct buf *out, const char *before, int n, const char *what, const char *plural)
{
	buf_printf(out, "%s%d %s%s", before, n, what, n == 1 ? "" : plural);
}

int cmd_lesson_folder_report(
	struct cmd_ctx *ctx, const struct cmd_lesson_check *check, int status, bool json, struct buf *out)
{
	write_count(out, "", check->lessons, "lesson", "s");
	write_count(out, ": ", check->steps, "step", "s");
	write_count(out, ", ", check->questions, "question", "s");
	buf_printf(out, " (%d answered by a witness)", check->judged);
	write_count(out, ", ", check->claims, "claim", "s");
	write_count(out, ", ", check->exercises, "exercise", "s");
	write_count(out, ", ", check->launches, "launch", "es");
	if (check->counts)
		write_count(out, ", ", check->counts, "exact count", "s");
	buf_puts(out, check->counts ? " as recorded\n" : "\n");

	if (check->no_spelling)
		escape_line(out, "spelling is not checked: %s", check->no_spelling);
	if (json) {
		buf_clear(out);

		/* Instead of the text: totals, and every fault with its place. */
		json_t *messages = json_array();
		for (size_t i = 0; i < ctx->diag.count; i++)
			json_array_append_new(messages, cmd_json_message(&ctx->diag.entries[i]));
		cmd_json_write(json_pack("{s:s, s:i, s:{s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i}, s:o, s:o}", "outcome",
				       status == EXIT_OK ? "ok" : "error", "status", status, "totals", "lessons",
				       check->lessons, "steps", check->steps, "questions", check->questions, "judged",
				       check->judged, "claims", check->claims, "exercises", check->exercises,
				       "launches", check->launches, "counts", check->counts, "unspelled",
				       cmd_json_text(check->no_spelling), "messages", messages),
			JSON_INDENT(0), out);
	}
	return cmd_print(ctx, out) ? status : EXIT_FAILED;
}

/* --- built -------------------------------------------------------------------------------------------------------- */

int cmd_lesson_folder_build(struct cmd_ctx *ctx, const char *dir, bool force)
{
	const char *root = lesson_folder_root(ctx, dir);
	if (!file_exists(path_join(ctx->arena, dir, "lesson.md"))) {
		diag_error(&ctx->diag, (struct diag_pos){.file = dir}, "there is no lesson.md");
		return EXIT_MISSING;
	}
	const char *const folders[] = {
		path_join(ctx->arena, dir, "exercise"),
		path_join(ctx->arena, dir, "exercise/wrong"),
		path_join(ctx->arena, dir, "exercise/right"),
		path_join(ctx->arena, root, "kernels"),
	};
	bool own = root != ctx->paths.data; /* else there are only those that ship with the program */
	return cmd_lesson_build(ctx, own ? root : dir, folders, own ? 4 : 3, force);
}
