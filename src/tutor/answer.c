#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tutor/private.h"

static const struct question *question_of(const struct tutor *tutor)
{
	const struct step *step = tutor_step(tutor);
	return step && step->question.kind != QUESTION_NONE ? &step->question : NULL;
}

void tutor_call_attention(struct tutor *tutor, enum tutor_attention_to to)
{
	tutor->events.attentions++;
	tutor->events.attention_to = to;
}

bool tutor_typing(const struct tutor *tutor)
{
	return question_of(tutor) && tutor->answer.state == ANSWER_TYPING;
}

bool tutor_answered(const struct tutor *tutor)
{
	const struct step *step = tutor_step(tutor);
	return step && progress_answered(tutor->progress, tutor->at.lesson->id, step->id);
}

void tutor_answer_begin(struct tutor *tutor)
{
	if (!question_of(tutor))
		return;
	tutor->answer.state = ANSWER_TYPING;
	tutor->answer.text[0] = '\0';
	tutor->answer.choice = -1;
	tutor_call_attention(tutor, ATTENTION_QUESTION);
}

void tutor_answer_move(struct tutor *tutor, int by)
{
	const struct question *q = question_of(tutor);
	int to = tutor->answer.choice < 0 ? (by > 0 ? 0 : q->n_choices - 1) : tutor->answer.choice + by;
	tutor->answer.choice = to < 0 ? 0 : to >= q->n_choices ? q->n_choices - 1 : to;
	tutor_call_attention(tutor, ATTENTION_QUESTION);
}

int tutor_answer_hints(const struct tutor *tutor)
{
	const struct step *step = tutor_step(tutor);
	return !step ? 0 : step->exercise.dir ? step->exercise.n_hints : step->question.n_hints;
}

void tutor_answer_hint(struct tutor *tutor)
{
	int hints = tutor_answer_hints(tutor);
	if (tutor->answer.hints_shown < hints)
		tutor->answer.hints_shown++;
	else
		snprintf(tutor->notice, sizeof tutor->notice, hints ? "There are no more hints." : "There is no hint.");
	/* an exercise's hints are at the end */
	tutor_call_attention(
		tutor, hints && tutor_step(tutor)->exercise.dir ? ATTENTION_END_OF_TEXT : ATTENTION_QUESTION);
}

/* A character that is no part of a number stays where the reader sees it, and is told of: left out, it would make another
 * number of what was typed. */
#define NUMBER_CHARS "0123456789.-"

static void tell_number(struct tutor *tutor)
{
	snprintf(tutor->notice, sizeof tutor->notice, "Type a number (digits, point, minus), then press Enter.");
}

static void type_number(struct tutor *tutor, uint32_t ch)
{
	size_t len = strlen(tutor->answer.text);
	if (ch == 8) {
		if (len > 0)
			tutor->answer.text[len - 1] = '\0';
	} else if (ch > ' ' && ch <= '~' && len + 1 < sizeof tutor->answer.text) {
		tutor->answer.text[len] = (char)ch;
		tutor->answer.text[len + 1] = '\0';
	}
	if (tutor->answer.text[strspn(tutor->answer.text, NUMBER_CHARS)])
		tell_number(tutor);
}

static bool begins_answer(const struct question *q, uint32_t ch)
{
	return (ch >= '0' && ch <= '9') || ch == 8 ||
		(q->kind == QUESTION_NUMBER && (ch == '.' || ch == ',' || ch == '-'));
}

void tutor_type(struct tutor *tutor, uint32_t ch)
{
	const struct question *q = question_of(tutor);
	if (!q || tutor->answer.state == ANSWER_RIGHT ||
		(tutor->answer.state != ANSWER_TYPING && !begins_answer(q, ch)))
		return;
	if (tutor->answer.state != ANSWER_TYPING && ch != 8)
		tutor_answer_begin(tutor);
	if (tutor->answer.state == ANSWER_WRONG)
		tutor->answer.state = ANSWER_TYPING;
	if (q->kind == QUESTION_NUMBER)
		type_number(tutor, ch);
	else if (ch >= '1' && ch <= '9' && (int)(ch - '1') < q->n_choices)
		tutor->answer.choice = (int)(ch - '1');
	tutor_call_attention(tutor, ATTENTION_QUESTION);
}

/* Turns the shown parameters to what was asked about: the picture proves the answer. */
static void show_what_was_asked(struct tutor *tutor, const struct question *q)
{
	const struct step *step = tutor_step(tutor);
	for (int i = 0; i < tutor->at.lesson->n_parameters; i++)
		if (q->set[i] != tutor->at.values[i] && !step->shown[i])
			return;
	memcpy(tutor->at.values, q->set, (size_t)tutor->at.lesson->n_parameters * sizeof *tutor->at.values);
	tutor_refresh(tutor);
}

static bool judge(const struct tutor *tutor, const struct judgment *judgment, double *out, const char **why)
{
	return experiment_judge(tutor->private->experiments, tutor_step(tutor), judgment, out, why);
}

static void write_phrase(const struct tutor *tutor, const struct phrase *phrase, struct buf *out)
{
	experiment_write_phrase(tutor->private->experiments, tutor_step(tutor), phrase, out);
}

static void refuse(struct tutor *tutor, const char *why)
{
	snprintf(tutor->notice, sizeof tutor->notice, "This question has no answer now: %s.", why);
}

/* What the author has to say of this wrong number. */
static void give_reason(struct tutor *tutor, const struct question *q, double typed)
{
	struct buf *reason = &tutor->private->reason;
	for (int i = 0; i < q->n_wrong && reason->len == 0; i++) {
		const char *why;
		double wrong;
		if (judge(tutor, &q->wrong[i].answer, &wrong, &why) && experiment_agrees(typed, wrong, q->within))
			write_phrase(tutor, &q->wrong[i].why, reason);
	}
}

static bool check_number(struct tutor *tutor, const struct question *q, bool *right)
{
	char *end = NULL;
	const char *why = "";
	double typed = strtod(tutor->answer.text, &end), answer;
	if (end == tutor->answer.text || *end || tutor->answer.text[strspn(tutor->answer.text, NUMBER_CHARS)]) {
		tell_number(tutor);
		return false;
	}
	if (!judge(tutor, &q->answer, &answer, &why)) {
		refuse(tutor, why);
		return false;
	}
	*right = experiment_agrees(typed, answer, q->within);
	if (!*right)
		give_reason(tutor, q, typed);
	return true;
}

static bool check_choice(struct tutor *tutor, const struct question *q, bool *right)
{
	const char *why = "";
	if (tutor->answer.choice < 0) {
		snprintf(tutor->notice, sizeof tutor->notice,
			"Choose with the number keys or the arrows, then press Enter.");
		return false;
	}
	int correct = experiment_right_choice(tutor->private->experiments, tutor_step(tutor), &why);
	if (correct < 0) {
		refuse(tutor, why);
		return false;
	}
	*right = tutor->answer.choice == correct;
	if (!*right)
		write_phrase(tutor, &q->choices[tutor->answer.choice].why, &tutor->private->reason);
	return true;
}

/* Judges the step's claim where its time has come: once the question is answered. */
static void judge_claim(struct tutor *tutor)
{
	struct tutor_private *p = tutor->private;
	const struct step *step = tutor_step(tutor);
	const char *why;
	double holds;
	buf_clear(&p->claim);
	tutor->claim.verdict = VERDICT_NONE;
	if (!step || !step->claim.text || (step->question.kind != QUESTION_NONE && tutor->answer.state != ANSWER_RIGHT))
		return;
	if (judge(tutor, &step->claim.holds, &holds, &why)) {
		tutor->claim.verdict = experiment_is_true(holds) ? VERDICT_HOLDS : VERDICT_FAILS;
		write_phrase(tutor, &step->claim.says, &p->claim);
	} else {
		tutor->claim.verdict = VERDICT_OPEN;
		buf_puts(&p->claim, why);
	}
	tutor->claim.reason = buf_str(&p->claim);
}

void tutor_answer_settle(struct tutor *tutor)
{
	const struct question *q = question_of(tutor);
	struct buf *explain = &tutor->private->explain;
	const struct step *step = tutor_step(tutor);
	const char *why;
	buf_clear(explain);
	if (step && step->exercise.dir && tutor_answered(tutor))
		write_phrase(tutor, &step->exercise.explain, explain);
	if (q && tutor->answer.state == ANSWER_RIGHT) {
		tutor->answer.correct = q->kind == QUESTION_CHOICE
			? experiment_right_choice(tutor->private->experiments, tutor_step(tutor), &why)
			: -1;
		write_phrase(tutor, &q->explain, explain);
	}
	tutor->answer.explain = buf_str(explain);
	judge_claim(tutor);
}

void tutor_answer_check(struct tutor *tutor)
{
	const struct question *q = question_of(tutor);
	bool right = false;
	buf_clear(&tutor->private->reason);
	bool checked = q->kind == QUESTION_NUMBER ? check_number(tutor, q, &right) : check_choice(tutor, q, &right);
	tutor->answer.reason = buf_str(&tutor->private->reason);
	if (!checked)
		return;
	tutor->answer.state = right ? ANSWER_RIGHT : ANSWER_WRONG;
	tutor_call_attention(tutor, ATTENTION_QUESTION);
	progress_try(tutor->progress, tutor->at.lesson->id, tutor_step(tutor)->id, tutor->answer.hints_shown);
	if (!right)
		return;
	progress_answer(tutor->progress, tutor->at.lesson->id, tutor_step(tutor)->id);
	if (tutor_step(tutor)->has_experiment)
		show_what_was_asked(tutor, q);
	tutor_answer_settle(tutor);
}
