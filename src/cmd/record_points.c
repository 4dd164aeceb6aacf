#include "cmd/record_points.h"

#include <inttypes.h>
#include <string.h>

#include "gpu/recorded.h"

struct collector {
	struct arena *arena;
	const struct lesson *lesson;
	struct record_points *out;
	struct diag *diag;
};

static const char *label_of(struct collector *c, const int64_t *values)
{
	const char *label = "as it is";
	for (int i = 0; i < c->lesson->n_parameters; i++)
		label = arena_printf(c->arena, "%s%s%s %" PRId64, i ? label : "", i ? ", " : "", c->lesson->parameters[i].name,
			values[i]);
	return label;
}

static void append(struct collector *c, const struct record_point *point)
{
	struct record_points *out = c->out;
	if (out->n == out->cap) {
		int cap = out->cap ? out->cap * 2 : 32;
		struct record_point *more = arena_array(c->arena, struct record_point, (size_t)cap);
		if (out->n)
			memcpy(more, out->points, (size_t)out->n * sizeof *more);
		out->points = more;
		out->cap = cap;
	}
	out->points[out->n++] = *point;
}

static bool add(struct collector *c, const struct step *step, const int64_t *values)
{
	size_t n = (size_t)c->lesson->n_parameters;
	const struct launch *launch = lesson_launch(c->arena, c->lesson, step, values, c->diag);
	if (!launch)
		return false;
	for (int i = 0; i < c->out->n; i++)
		if (recorded_same_launch(c->out->points[i].launch, launch))
			return true;
	int64_t *copy = arena_array(c->arena, int64_t, n + 1);
	if (n)
		memcpy(copy, values, n * sizeof *copy);
	append(c, &(struct record_point){step, copy, launch, label_of(c, copy)});
	return true;
}

/* The step with parameter `index` at each of `n` values. */
static bool add_each(struct collector *c, const struct step *step, int index, const int64_t *list, int n)
{
	size_t count = (size_t)c->lesson->n_parameters;
	int64_t *values = arena_array(c->arena, int64_t, count + 1);
	memcpy(values, step->set, count * sizeof *values);
	for (int i = 0; i < n; i++) {
		values[index] = list[i];
		if (!add(c, step, values))
			return false;
	}
	return true;
}

static bool add_step(struct collector *c, const struct step *step)
{
	const struct lesson *lesson = c->lesson;
	if (!add(c, step, step->set))
		return false;
	for (int i = 0; i < lesson->n_parameters; i++) {
		const struct parameter *p = &lesson->parameters[i];
		bool swept = step->sweep_parameter && !strcmp(step->sweep_parameter, p->name);
		if (step->shown[i] && !add_each(c, step, i, p->values, p->n_values))
			return false;
		if (swept && !add_each(c, step, i, step->sweep_values, step->n_sweep_values))
			return false;
	}
	return step->question.kind != QUESTION_NUMBER || add(c, step, step->question.set);
}

bool record_points_collect(struct arena *arena, const struct lesson *lesson, struct record_points *out,
	struct diag *diag)
{
	struct collector c = {arena, lesson, out, diag};
	*out = (struct record_points){0};
	for (int i = 0; i < lesson->n_steps; i++)
		if (lesson->steps[i].has_experiment && !add_step(&c, &lesson->steps[i]))
			return false;
	return true;
}
