#include "cmd/lesson_check_parts.h"
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "cmd/drawn.h"
#include "course/experiment/recordings.h"
#include "model/hardware/metrics.h"

/* With its GPU, where there are several. */
static void fault_of_recording(const struct lesson_checking *c, const int64_t *values, const char *text)
{
	const struct experiment_recording *recording = experiment_recording(experiment_open(c->set, c->step, values));
	bool several = experiments_recorded_on(c->set, 1);
	cmd_lesson_check_fault(c, values,
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

static void compare_counts(const struct lesson_checking *c, const int64_t *values, const struct experiment *e,
	const struct counts *model, const struct experiment_recording *recording)
{
	const struct counts *recorded = &recording->counts;
	bool first = is_compared_first(c, e, recording->provenance);
	for (int i = 0; i < COUNTERS; i++) {
		struct value m = model->c[i], r = recorded->c[i];
		if (!counter_is_comparable((enum counter_id)i, model, recorded))
			continue;
		if (counter_compare((enum counter_id)i, model, recorded, recording->wavefronts) != COUNTER_DIFFERS) {
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

/* --- what the model had when it was recorded ---------------------------------------------------------------------------- */

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
	const struct experiment_run *run = cmd_lesson_check_run(c, values);
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
	if (!defective)
		compare_counts(c, values, e, &run->counts, recording);
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

void cmd_lesson_check_recordings(const struct lesson_checking *c, const struct experiment_points *points)
{
	int missing = 0;
	const struct experiment_point *first = NULL;
	for (int i = 0; i < points->n; i++) {
		if (check_recorded(c, points->points[i].values, 0))
			continue;
		first = first ? first : &points->points[i];
		missing++;
	}
	for (int gpu = 1; experiments_recorded_on(c->set, gpu); gpu++) {
		experiments_prefer_recorded_on(c->set, gpu);
		for (int i = 0; i < points->n; i++)
			check_recorded(c, points->points[i].values, gpu);
	}
	experiments_prefer_recorded_on(c->set, 0);
	if (missing)
		diag_error(c->diag, c->step->pos,
			"step %s: %d of %d launch%s %s not recorded%s%s; simttutor record does it, and with --no-recorded it "
			"is no error",
			c->step->id, missing, points->n, points->n == 1 ? "" : "es", missing == 1 ? "is" : "are",
			points->n == 1 ? "" : ", the first at ", points->n == 1 ? "" : first->label);
}
