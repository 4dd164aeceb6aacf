#include "cmd/lesson_check_parts.h"

#include <math.h>
#include <string.h>

#include "course/experiment/question.h"
#include "model/hardware/metrics.h"
#include "model/profile/times.h"

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

static bool number_of(const struct lesson_checking *c, const struct judgment *judgment, double *out)
{
	const char *why = "";
	if (experiment_judge(c->set, c->step, judgment, out, &why)) {
		if (!isfinite(*out))
			cmd_lesson_check_fault(c, judgment->set,
				arena_printf(
					c->arena, "%s has no value: something is divided by zero", judgment->text));
		return isfinite(*out);
	}
	if (strcmp(why, value_reason(VALUE_NONE)) == 0 && find_remedy(c, judgment))
		why = find_remedy(c, judgment);
	if (c->totals->recorded || (why != experiment_not_recorded && why != experiment_recording_stale))
		cmd_lesson_check_fault(c, judgment->set,
			arena_printf(c->arena, "there is no value for %s%s%s", judgment->text, *why ? ": " : "", why));
	return false;
}

void cmd_lesson_check_phrase(const struct lesson_checking *c, const struct phrase *phrase)
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

void cmd_lesson_check_question(const struct lesson_checking *c)
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
		cmd_lesson_check_fault(c, q->set, faults.entries[i].message);
	if (experiment_write_answer(c->set, c->step, &answer))
		buf_printf(c->out, "; the answer is %s", buf_str(&answer));
	if (answer.len && q->judged && lesson_question_table[q->kind].entry == QUESTION_TYPED &&
		c->lesson->n_parameters)
		buf_printf(c->out, " (%s)", experiment_label(c->arena, c->lesson, c->step, q->set));
	buf_free(&answer);
	diag_free(&faults);
}

void cmd_lesson_check_claim(const struct lesson_checking *c)
{
	const struct claim *claim = &c->step->claim;
	double holds;
	if (!claim->text)
		return;
	c->totals->claims++;
	cmd_lesson_check_phrase(c, &claim->says);
	if (number_of(c, &claim->holds, &holds))
		buf_printf(c->out, "; the claim %s", experiment_is_true(holds) ? "holds" : "does not hold");
}

void cmd_lesson_check_sweep(const struct lesson_checking *c)
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
		const struct experiment_run *run = cmd_lesson_check_run(c, values);
		if (!run)
			return;
		struct value value = metric_value(metric, &run->counts);
		if (value.state != VALUE_OK && metric_trust(metric) != COUNTER_HARDWARE)
			cmd_lesson_check_fault(c, values,
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
void cmd_lesson_check_compare(const struct lesson_checking *c)
{
	const struct step *step = c->step;
	int differ = 0;
	if (!step->compare)
		return;
	const struct experiment_run *a = cmd_lesson_check_run(c, step->set),
				    *b = cmd_lesson_check_run(c, step->compare);
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
