#include <math.h>
#include <string.h>

#include "tutor/private.h"

static bool metric_of(struct value value, double *out, const char **why)
{
	*why = value_reason(value.state);
	*out = value.v;
	return value.state == VALUE_OK;
}

static bool term_value(void *ctx, const struct term *term, double *out, const char **why)
{
	struct tutor *tutor = ctx;
	struct workbench *bench = tutor->private->bench;
	enum metric_id metric = metric_find(term->metric);
	if (term->witness == TERM_MODEL)
		return metric_of(
			metric_value(metric, &workbench_get(bench, tutor_step(tutor), term->set)->model), out, why);
	struct counts recorded;
	enum recorded_found found = workbench_recorded(bench, tutor_step(tutor), term->set, &recorded);
	*why = found == RECORDED_STALE ? "the recording is out of date" : "nothing is recorded";
	return found == RECORDED_OK && metric_of(metric_value(metric, &recorded), out, why);
}

bool judge(struct tutor *tutor, const struct judgement *judgement, double *out, const char **why)
{
	return lesson_judge(tutor->lesson, judgement, term_value, tutor, out, why);
}

void judge_word(struct tutor *tutor, const struct phrase *phrase, struct buf *out)
{
	for (int i = 0; i <= phrase->n && phrase->texts; i++) {
		double v;
		const char *why;
		buf_puts(out, phrase->texts[i]);
		if (i == phrase->n)
			break;
		if (judge(tutor, &phrase->values[i], &v, &why))
			value_format(v, out);
		else
			buf_printf(out, "(%s)", why);
	}
}

bool judge_is_true(double v)
{
	return v < 0 || v > 0;
}

int judge_choice(struct tutor *tutor, const struct question *q, const char **why)
{
	int found = -1;
	double holds;
	if (q->correct >= 0)
		return q->correct;
	for (int i = 0; i < q->n_choices; i++) {
		if (!judge(tutor, q->choices[i].when, &holds, why))
			return -1;
		if (!judge_is_true(holds))
			continue;
		*why = "two of the choices are right";
		if (found >= 0)
			return -1;
		found = i;
	}
	*why = "none of the choices is right";
	return found;
}

bool judge_agrees(double typed, double right, double within)
{
	double slack = fabs(right) * within;
	return fabs(typed - right) <= (slack > 0.005 ? slack : 0.005) + 1e-9;
}

void judge_claim(struct tutor *tutor)
{
	struct tutor_private *p = tutor->private;
	const struct step *step = tutor_step(tutor);
	const char *why;
	double holds;
	buf_clear(&p->claim);
	tutor->verdict = VERDICT_NONE;
	if (!step || !step->claim.text || (step->question.kind != QUESTION_NONE && tutor->answer_state != ANSWER_RIGHT))
		return;
	if (judge(tutor, &step->claim.holds, &holds, &why)) {
		tutor->verdict = judge_is_true(holds) ? VERDICT_HOLDS : VERDICT_FAILS;
		judge_word(tutor, &step->claim.says, &p->claim);
	} else {
		tutor->verdict = VERDICT_OPEN;
		buf_puts(&p->claim, why);
	}
	tutor->claim = buf_str(&p->claim);
}
