#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tutor/private.h"

static const struct question *question_of(const struct tutor *tutor)
{
	const struct step *step = tutor_step(tutor);
	return step && step->question.kind != QUESTION_NONE ? &step->question : NULL;
}

bool tutor_typing(const struct tutor *tutor)
{
	return question_of(tutor) && tutor->answer_state == ANSWER_TYPING;
}

bool tutor_answered(const struct tutor *tutor)
{
	const struct step *step = tutor_step(tutor);
	return step && progress_answered(tutor->progress, tutor->lesson->id, step->id);
}

void answer_begin(struct tutor *tutor)
{
	if (!question_of(tutor))
		return;
	tutor->answer_state = ANSWER_TYPING;
	tutor->answer[0] = '\0';
	tutor->choice = -1;
	tutor->show_question = true;
}

void answer_move(struct tutor *tutor, int by)
{
	const struct question *q = question_of(tutor);
	int to = tutor->choice < 0 ? (by > 0 ? 0 : q->n_choices - 1) : tutor->choice + by;
	tutor->choice = to < 0 ? 0 : to >= q->n_choices ? q->n_choices - 1 : to;
	tutor->show_question = true;
}

void answer_hint(struct tutor *tutor)
{
	const struct question *q = question_of(tutor);
	if (!q)
		return;
	if (tutor->hints_shown < q->n_hints)
		tutor->hints_shown++;
	else
		snprintf(tutor->notice, sizeof tutor->notice, q->n_hints ? "There are no more hints." : "There is no hint.");
	tutor->show_question = true;
}

static void type_number(struct tutor *tutor, uint32_t ch)
{
	size_t len = strlen(tutor->answer);
	if (ch == 8) {
		if (len > 0)
			tutor->answer[len - 1] = '\0';
	} else if (((ch >= '0' && ch <= '9') || ch == '.' || ch == '-') && len + 1 < sizeof tutor->answer) {
		tutor->answer[len] = (char)ch;
		tutor->answer[len + 1] = '\0';
	}
}

void tutor_type(struct tutor *tutor, uint32_t ch)
{
	const struct question *q = question_of(tutor);
	bool digit = ch >= '0' && ch <= '9';
	if (!q || tutor->answer_state == ANSWER_RIGHT || (tutor->answer_state != ANSWER_TYPING && !digit && ch != 8))
		return;
	if (tutor->answer_state != ANSWER_TYPING && ch != 8)
		answer_begin(tutor);
	if (tutor->answer_state == ANSWER_WRONG)
		tutor->answer_state = ANSWER_TYPING;
	if (q->kind == QUESTION_NUMBER)
		type_number(tutor, ch);
	else if (ch >= '1' && ch <= '9' && (int)(ch - '1') < q->n_choices)
		tutor->choice = (int)(ch - '1');
	tutor->show_question = true;
}

/* A number agrees when it is right to half a unit of the second decimal, or to half a percent where that is more. */
static bool agrees(double typed, double right)
{
	double slack = fabs(right) * 0.005;
	return fabs(typed - right) <= (slack > 0.005 ? slack : 0.005) + 1e-9;
}

/* Turns the shown parameters to what was asked about: the picture proves the answer. */
static void show_what_was_asked(struct tutor *tutor, const struct question *q)
{
	const struct step *step = tutor_step(tutor);
	for (int i = 0; i < tutor->lesson->n_parameters; i++)
		if (q->set[i] != tutor->values[i] && !step->shown[i])
			return;
	memcpy(tutor->values, q->set, (size_t)tutor->lesson->n_parameters * sizeof *tutor->values);
	tutor_refresh(tutor);
}

static bool check_number(struct tutor *tutor, const struct question *q, bool *right)
{
	char *end = NULL;
	double typed = strtod(tutor->answer, &end);
	if (end == tutor->answer || *end) {
		snprintf(tutor->notice, sizeof tutor->notice, "Type a number, then press Enter.");
		return false;
	}
	const struct experiment *e = workbench_get(tutor->private->bench, tutor_step(tutor), q->set);
	struct value answer = metric_value(metric_find(q->metric), &e->model);
	if (answer.state != VALUE_OK) {
		snprintf(tutor->notice, sizeof tutor->notice, "The model has no answer to this question: %s.",
			value_reason(answer.state));
		return false;
	}
	*right = agrees(typed, answer.v);
	return true;
}

static bool check_choice(struct tutor *tutor, const struct question *q, bool *right)
{
	if (tutor->choice < 0) {
		snprintf(tutor->notice, sizeof tutor->notice, "Choose with the number keys or the arrows, then press Enter.");
		return false;
	}
	*right = tutor->choice == q->correct;
	return true;
}

void answer_check(struct tutor *tutor)
{
	const struct question *q = question_of(tutor);
	bool right = false;
	bool checked = q->kind == QUESTION_NUMBER ? check_number(tutor, q, &right) : check_choice(tutor, q, &right);
	if (!checked)
		return;
	tutor->answer_state = right ? ANSWER_RIGHT : ANSWER_WRONG;
	tutor->show_question = true;
	if (!right)
		return;
	progress_answer(tutor->progress, tutor->lesson->id, tutor_step(tutor)->id);
	if (q->kind == QUESTION_NUMBER)
		show_what_was_asked(tutor, q);
}
