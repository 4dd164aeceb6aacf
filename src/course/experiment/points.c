#include "course/experiment/experiment.h"

#include <string.h>

#include "base/arena.h"
#include "course/experiment/recordings.h"

struct collector {
	struct arena *arena;
	const struct lesson *lesson;
	struct experiment_points *out;
	struct diag *diag;
};

const char *experiment_label(
	struct arena *arena, const struct lesson *lesson, const struct step *step, const int64_t *values)
{
	struct buf text = {0};
	for (int i = 0; i < lesson->n_parameters; i++) {
		if (!step->shown[i] && values[i] == lesson->parameters[i].initial)
			continue;
		buf_printf(&text, "%s%s ", text.len ? ", " : "", lesson->parameters[i].name);
		lesson_write_value(&lesson->parameters[i], values[i], &text);
	}
	const char *label = arena_strdup(arena, text.len ? buf_str(&text) : "as it is");
	buf_free(&text);
	return label;
}

bool experiment_same_launches(const struct lesson_launches *a, const struct lesson_launches *b)
{
	bool same = a->n == b->n && a->watched == b->watched;
	for (int i = 0; i < a->n && same; i++)
		same = experiment_same_launch(&a->at[i], &b->at[i]);
	return same;
}

static bool add_launch(struct collector *c, const struct step *step, const int64_t *values)
{
	size_t n = (size_t)c->lesson->n_parameters;
	struct lesson_launches all;
	if (!lesson_launches(c->arena, c->lesson, step, values, &all, c->diag))
		return false;
	for (int i = 0; i < c->out->n; i++)
		if (c->out->points[i].step->file == step->file &&
			experiment_same_launches(&c->out->points[i].all, &all))
			return true;
	int64_t *copy = arena_array(c->arena, int64_t, n + 1);
	if (n)
		memcpy(copy, values, n * sizeof *copy);
	*vec_push_in(c->arena, c->out->points, c->out->n, c->out->cap) = (struct experiment_point){
		step, copy, &all.at[all.watched], all, experiment_label(c->arena, c->lesson, step, copy)};
	return true;
}

struct values {
	const int64_t *at;
	int n;
};

/* The step with the values `set`, but parameter `index` at each of a list. */
static bool add_each(
	struct collector *c, const struct step *step, const int64_t *set, int index, const struct values *list)
{
	size_t count = (size_t)c->lesson->n_parameters;
	int64_t *values = arena_array(c->arena, int64_t, count + 1);
	memcpy(values, set, count * sizeof *values);
	for (int i = 0; i < list->n; i++) {
		values[index] = list->at[i];
		if (!add_launch(c, step, values))
			return false;
	}
	return true;
}

/* The parameters from `index` on at all their values. */
static bool add_all(struct collector *c, const struct step *step, int index, int64_t *values)
{
	if (index == c->lesson->n_parameters)
		return add_launch(c, step, values);
	if (!step->shown[index])
		return add_all(c, step, index + 1, values);
	const struct parameter *p = &c->lesson->parameters[index];
	int64_t before = values[index];
	for (int i = 0; i < p->n_values; i++) {
		values[index] = p->values[i];
		if (!add_all(c, step, index + 1, values))
			return false;
	}
	values[index] = before;
	return true;
}

/* From the values `set` on. */
static bool add_turned(struct collector *c, const struct step *step, const int64_t *set)
{
	const struct lesson *lesson = c->lesson;
	int64_t *values = arena_array(c->arena, int64_t, (size_t)lesson->n_parameters + 1);
	memcpy(values, set, (size_t)lesson->n_parameters * sizeof *values);

	/* How many combinations of values the reader can turn to, at most EXPERIMENT_COMBINATIONS_MAX + 1. */
	int n = 1;
	for (int i = 0; i < lesson->n_parameters && n <= EXPERIMENT_COMBINATIONS_MAX; i++)
		if (step->shown[i])
			n *= lesson->parameters[i].n_values;
	if (n <= EXPERIMENT_COMBINATIONS_MAX)
		return add_all(c, step, 0, values);
	for (int i = 0; i < lesson->n_parameters; i++)
		if (step->shown[i] &&
			!add_each(c, step, set, i,
				&(struct values){lesson->parameters[i].values, lesson->parameters[i].n_values}))
			return false;
	return true;
}

static bool add_terms(struct collector *c, const struct step *step, const struct judgment *judgment)
{
	for (int i = 0; judgment && i < judgment->n_terms; i++)
		if (judgment->terms[i].witness != TERM_MEASURED && !add_launch(c, step, judgment->terms[i].set))
			return false;
	return true;
}

static bool add_phrase(struct collector *c, const struct step *step, const struct phrase *phrase)
{
	for (int i = 0; i < phrase->n; i++)
		if (!add_terms(c, step, &phrase->values[i]))
			return false;
	return true;
}

struct terms_of {
	struct collector *collector;
	const struct step *step;
};

static bool add_judgment(void *ctx, const struct judgment *judgment)
{
	const struct terms_of *of = ctx;
	return add_terms(of->collector, of->step, judgment);
}

static bool add_step_launches(struct collector *c, const struct step *step)
{
	const struct lesson *lesson = c->lesson;
	/* What stands beside them. */
	if (!add_launch(c, step, step->set) || !add_turned(c, step, step->set) ||
		(step->compare && (!add_launch(c, step, step->compare) || !add_turned(c, step, step->compare))))
		return false;
	for (int i = 0; i < lesson->n_parameters; i++) {
		bool swept = step->sweep.parameter && !strcmp(step->sweep.parameter, lesson->parameters[i].name);
		if (swept && !add_each(c, step, step->set, i, &(struct values){step->sweep.values, step->sweep.n}))
			return false;
	}
	struct terms_of of = {c, step};
	if (!lesson_question_visit(&step->question, &(struct question_visitor){.ctx = &of, .judgment = add_judgment}))
		return false;
	return !step->claim.text || (add_terms(c, step, &step->claim.holds) && add_phrase(c, step, &step->claim.says));
}

bool experiment_points_of_lesson(
	struct arena *arena, const struct lesson *lesson, struct experiment_points *out, struct diag *diag)
{
	struct collector c = {arena, lesson, out, diag};
	*out = (struct experiment_points){0};
	for (int i = 0; i < lesson->n_steps; i++)
		if (lesson->steps[i].has_experiment && !lesson->steps[i].exercise.dir &&
			!lesson->steps[i].file->is_program && !add_step_launches(&c, &lesson->steps[i]))
			return false;
	return true;
}

bool experiment_points_of_step(struct arena *arena, const struct lesson *lesson, const struct step *step,
	struct experiment_points *out, struct diag *diag)
{
	struct collector c = {arena, lesson, out, diag};
	*out = (struct experiment_points){0};
	return !step->has_experiment || add_step_launches(&c, step);
}
