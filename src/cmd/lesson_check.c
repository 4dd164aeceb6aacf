#include "cmd/lesson_check.h"

#include <inttypes.h>
#include <string.h>

#include "profile/profile.h"

struct check {
	const struct lesson *lesson;
	struct ptx_module *module;
	struct buf *out;
	struct diag *diag;
	struct arena *arena;    /* of the run under way */
	const struct step *step;
};

/* "stride 6", the parameters of a run. */
static void say_values(const struct check *c, const int64_t *values, struct buf *out)
{
	for (int i = 0; i < c->lesson->n_parameters; i++)
		buf_printf(out, "%s%s %" PRId64, i ? ", " : "", c->lesson->parameters[i].name, values[i]);
}

static void fault(const struct check *c, const int64_t *values, const char *what)
{
	struct buf at = {0};
	say_values(c, values, &at);
	diag_error(c->diag, c->step->pos, "step %s%s%s: %s", c->step->id, at.len ? ", " : "", buf_str(&at), what);
	buf_free(&at);
}

/* One run of the model, in c->arena; NULL with the reason told when it does not end well. */
static const struct profile *run(const struct check *c, const int64_t *values)
{
	const struct step *step = c->step;
	struct launch *launch = lesson_launch(c->arena, c->lesson, step, values, c->diag);
	struct profile_watch watch = {.line = step->watch_line, .block = step->watch_block, .warp = step->watch_warp};
	const struct profile *profile =
		launch ? profile_run(c->arena, c->module, launch, watch, MODEL_CC_DEFAULT, c->diag) : NULL;

	if (!profile || profile->result.outcome == SIMT_OK)
		return profile;
	const struct simt_result *r = &profile->result;
	fault(c, values, arena_printf(c->arena, "%s, line %d", r->message, r->place.line));
	return NULL;
}

/* The model's value of a metric under these values of the parameters. */
static bool metric_of_run(const struct check *c, const char *name, const int64_t *values, double *out)
{
	const struct profile *profile = run(c, values);
	if (!profile)
		return false;
	struct value value = metric_value(metric_find(name), &profile->counts);
	if (value.state != VALUE_OK) {
		const char *why = value_reason(value.state);
		fault(c, values, arena_printf(c->arena, "the model has no value for %s%s%s", name, *why ? ": " : "", why));
		return false;
	}
	*out = value.v;
	return true;
}

static void check_start(struct check *c)
{
	const struct step *step = c->step;
	const struct profile *profile = run(c, step->set);
	if (profile && step->watch_line && profile->n_watched == 0)
		fault(c, step->set, arena_printf(c->arena, "line %d, which is watched, makes no memory access in block %u, warp %u",
			step->watch_line, step->watch_block, step->watch_warp));
}

static void check_launches(struct check *c, int parameter)
{
	const struct parameter *p = &c->lesson->parameters[parameter];
	int64_t *values = arena_array(c->arena, int64_t, (size_t)c->lesson->n_parameters);
	memcpy(values, c->step->set, (size_t)c->lesson->n_parameters * sizeof *values);
	for (int i = 0; i < p->n_values; i++) {
		struct diag faults = {0};
		values[parameter] = p->values[i];
		bool made = lesson_launch(c->arena, c->lesson, c->step, values, &faults);
		if (!made)
			fault(c, values, faults.entries[0].message);
		diag_free(&faults);
		if (!made)
			return;
	}
}

static void check_question(struct check *c)
{
	const struct question *q = &c->step->question;
	double answer;
	if (q->kind == QUESTION_CHOICE)
		buf_printf(c->out, "; the answer is '%s'", q->choices[q->correct]);
	if (q->kind != QUESTION_NUMBER || !metric_of_run(c, q->metric, q->set, &answer))
		return;
	buf_puts(c->out, "; the answer is ");
	value_format(answer, c->out);
	buf_puts(c->out, " (");
	say_values(c, q->set, c->out);
	buf_puts(c->out, ")");
}

static void check_sweep(struct check *c)
{
	const struct step *step = c->step;
	const struct lesson *lesson = c->lesson;
	int parameter = 0;
	if (!step->sweep_metric)
		return;
	while (strcmp(lesson->parameters[parameter].name, step->sweep_parameter) != 0)
		parameter++;
	int64_t *values = arena_array(c->arena, int64_t, (size_t)lesson->n_parameters);
	memcpy(values, step->set, (size_t)lesson->n_parameters * sizeof *values);
	for (int i = 0; i < step->n_sweep_values; i++) {
		struct check one = *c;
		double ignored;
		values[parameter] = step->sweep_values[i];
		one.arena = arena_new();
		bool there = metric_of_run(&one, step->sweep_metric, values, &ignored);
		arena_free(one.arena);
		if (!there)
			return;
	}
	buf_printf(c->out, "; sweep of %d values", step->n_sweep_values);
}

static void check_step(struct check *c)
{
	size_t errors = c->diag->errors;
	buf_printf(c->out, "  %d %s: %s", (int)(c->step - c->lesson->steps) + 1, c->step->id,
		c->step->has_experiment ? "experiment" : "text");
	c->arena = arena_new();
	if (c->step->has_experiment) {
		for (int p = 0; p < c->lesson->n_parameters; p++)
			check_launches(c, p);
		check_start(c);
		check_sweep(c);
	}
	check_question(c);
	arena_free(c->arena);
	buf_puts(c->out, c->diag->errors == errors ? "\n" : "; FAULTY\n");
}

void lesson_check(const struct lesson *lesson, struct buf *out, struct diag *diag)
{
	struct arena *arena = arena_new();
	struct check c = {.lesson = lesson, .out = out, .diag = diag};

	buf_printf(out, "%s: %s, %d step%s\n", lesson->path, lesson->title, lesson->n_steps, lesson->n_steps == 1 ? "" : "s");
	if (lesson->ptx_text)
		c.module = ptx_parse(arena, lesson->ptx_path, lesson->ptx_text, lesson->ptx_len, diag);
	for (int i = 0; i < lesson->n_steps && (c.module || !lesson->ptx_text); i++) {
		c.step = &lesson->steps[i];
		check_step(&c);
	}
	arena_free(arena);
}
