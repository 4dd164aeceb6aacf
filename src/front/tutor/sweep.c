#include <string.h>

#include "front/tutor/private.h"
#include "front/view/subjects.h"

#include "model/hardware/metrics.h"

void tutor_sweep_free(struct tutor_sweep *sweep)
{
	arena_free(sweep->arena);
	*sweep = (struct tutor_sweep){0};
}

/* Same step, and all but the swept parameter, and what is watched, as before. */
static bool is_current_sweep(const struct tutor *tutor, const struct step *step)
{
	const struct tutor_sweep *s = &tutor->private->sweep;
	const struct parameter *swept = &tutor->at.lesson->parameters[s->parameter];
	if (s->step != step || strcmp(swept->name, step->sweep.parameter) != 0)
		return false;
	for (int i = 0; i < tutor->at.lesson->n_parameters; i++)
		if (i != s->parameter && !lesson_is_watch(step, i) && s->values[i] != tutor->at.values[i])
			return false;
	return true;
}

void tutor_sweep_begin(struct tutor *tutor)
{
	struct tutor_sweep *s = &tutor->private->sweep;
	const struct step *step = tutor_step(tutor);
	if (step && step->sweep.n > 0 && is_current_sweep(tutor, step))
		return;
	tutor_sweep_free(s);
	if (!step || !step->has_experiment || step->sweep.n == 0 || !step->sweep.metric)
		return;
	int parameter = -1;
	for (int i = 0; i < tutor->at.lesson->n_parameters; i++)
		if (parameter < 0 && !strcmp(tutor->at.lesson->parameters[i].name, step->sweep.parameter))
			parameter = i;
	enum metric_id metric = metric_find(step->sweep.metric);
	if (parameter < 0 || metric == METRIC_NONE)
		return;
	size_t n = (size_t)step->sweep.n, m = (size_t)tutor->at.lesson->n_parameters;
	struct arena *arena = arena_new();
	*s = (struct tutor_sweep){
		.arena = arena,
		.step = step,
		.metric = metric,
		.parameter = parameter,
		.values = arena_array(arena, int64_t, m),
		.predicted = arena_array(arena, struct value, n),
		.recorded = arena_array(arena, struct value, n),
		.live = arena_array(arena, struct value, n),
		.shown = arena_array(arena, struct value, n),
	};
	memcpy(s->values, tutor->at.values, m * sizeof *s->values);
	for (size_t i = 0; i < n; i++)
		s->predicted[i] = value_missing(VALUE_PENDING);
}

bool tutor_sweep_complete(const struct tutor *tutor)
{
	const struct tutor_sweep *s = &tutor->private->sweep;
	return !s->step || s->next >= s->step->sweep.n;
}

/* The values of the parameters at a point. */
static const int64_t *values_at(struct tutor_sweep *s, int i)
{
	s->values[s->parameter] = s->step->sweep.values[i];
	return s->values;
}

static void fill_point(struct tutor_sweep *s, int i, struct experiment *e)
{
	const struct experiment_recording *recording = experiment_recording(e);
	s->predicted[i] = metric_value(s->metric, &experiment_run(e)->counts);
	s->recorded[i] = recording->found == RECORDED_STALE ? value_missing(VALUE_STALE)
							    : metric_value(s->metric, &recording->counts);
	/* an experiment that was dropped and run again has forgotten what the sweep still knows */
	struct value live = metric_value(s->metric, &experiment_live(e)->counts);
	if (live.state != VALUE_NONE)
		s->live[i] = live;
}

void tutor_sweep_predict(struct tutor *tutor)
{
	struct tutor_sweep *s = &tutor->private->sweep;
	fill_point(s, s->next, experiment_open(tutor->private->experiments, s->step, values_at(s, s->next)));
	s->next++;
}

static bool any_ok(const struct value *values, int n)
{
	for (int i = 0; i < n; i++)
		if (values[i].state == VALUE_OK)
			return true;
	return false;
}

void tutor_sweep_refresh(struct tutor *tutor)
{
	struct tutor_sweep *s = &tutor->private->sweep;
	tutor->private->full->sweep = (struct view_sweep){0};
	if (!s->step)
		return;
	int n = s->step->sweep.n;
	for (int i = 0; i < s->next; i++) {
		struct experiment *e = experiment_find_run(tutor->private->experiments, s->step, values_at(s, i));
		if (e)
			fill_point(s, i, e);
	}
	/* one witness for the whole curve: the recording until the last live point is there */
	bool recorded = any_ok(s->recorded, n);
	bool all_known = true;
	for (int i = 0; i < n; i++)
		all_known &= s->live[i].state != VALUE_NONE && s->live[i].state != VALUE_PENDING;
	bool live = any_ok(s->live, n) && (!recorded || all_known);
	memcpy(s->shown, live ? s->live : s->recorded, (size_t)n * sizeof *s->shown);
	const struct parameter *p = &tutor->at.lesson->parameters[s->parameter];
	tutor->private->full->sweep = (struct view_sweep){
		.metric = s->metric,
		.parameter = p->label,
		.unit = p->unit,
		.xs = s->step->sweep.values,
		.names = p->names,
		.predicted = s->predicted,
		.measured = s->shown,
		.measured_by = live ? WITNESS_LIVE
			: recorded  ? WITNESS_RECORDED
				    : WITNESS_NONE,
		.n = n,
		.at = tutor->at.values[s->parameter],
	};
}

const int64_t *tutor_sweep_values(struct tutor *tutor, int i)
{
	return values_at(&tutor->private->sweep, i);
}

struct experiment *tutor_sweep_unmeasured(struct tutor *tutor)
{
	struct tutor_sweep *s = &tutor->private->sweep;
	for (int i = 0; s->step && i < s->next; i++) {
		if (s->live[i].state != VALUE_NONE)
			continue;
		struct experiment *e = experiment_open(tutor->private->experiments, s->step, values_at(s, i));
		fill_point(s, i, e);
		if (s->live[i].state == VALUE_NONE)
			return e;
	}
	return NULL;
}
