#include "experiment/question.h"

#include <stdlib.h>
#include <string.h>

/* --- a number ---------------------------------------------------------------------------------------------------------- */

/* What the author has to say of this wrong number. */
static const struct phrase *reason_of(struct experiments *set, const struct step *step, double typed)
{
	const struct question *q = &step->question;
	for (int i = 0; i < q->n_wrong; i++) {
		const char *why;
		double wrong;
		if (experiment_judge(set, step, &q->wrong[i].answer, &wrong, &why) &&
			experiment_agrees(typed, wrong, q->within))
			return &q->wrong[i].why;
	}
	return NULL;
}

static struct experiment_reply judge_number(
	struct experiments *set, const struct step *step, const struct experiment_answer *answer)
{
	const struct question *q = &step->question;
	const char *text = answer->typed, *why = "";
	char *end = NULL;
	double typed = strtod(text, &end), right;
	if (end == text || *end || text[strspn(text, lesson_question_table[QUESTION_NUMBER].made_of)])
		return (struct experiment_reply){EXPERIMENT_ANSWER_UNREADABLE, NULL, NULL};
	if (!experiment_judge(set, step, &q->answer, &right, &why))
		return (struct experiment_reply){EXPERIMENT_ANSWER_OPEN, why, NULL};
	if (experiment_agrees(typed, right, q->within))
		return (struct experiment_reply){EXPERIMENT_ANSWER_RIGHT, NULL, NULL};
	return (struct experiment_reply){EXPERIMENT_ANSWER_WRONG, NULL, reason_of(set, step, typed)};
}

static bool write_number(struct experiments *set, const struct step *step, struct buf *out)
{
	const char *why;
	double right;
	if (!experiment_judge(set, step, &step->question.answer, &right, &why))
		return false;
	value_format(right, out);
	return true;
}

static void check_number(struct experiments *set, const struct step *step, struct diag *faults)
{
	const struct question *q = &step->question;
	const char *why;
	double right, wrong;
	if (!experiment_judge(set, step, &q->answer, &right, &why))
		return;
	for (int i = 0; i < q->n_wrong; i++)
		if (experiment_judge(set, step, &q->wrong[i].answer, &wrong, &why) &&
			experiment_agrees(wrong, right, q->within))
			diag_error(
				faults, (struct diag_pos){0}, "the wrong answer %s is right", q->wrong[i].answer.text);
}

/* --- a choice ---------------------------------------------------------------------------------------------------------- */

/* How many choices are right, and the last of them; -1 and why: that of one is not known. */
static int count_right(struct experiments *set, const struct step *step, int *last, const char **why)
{
	const struct question *q = &step->question;
	int right = 0;
	double holds;
	*last = q->correct;
	if (q->correct >= 0)
		return 1;
	for (int i = 0; i < q->n_choices; i++) {
		if (!experiment_judge(set, step, q->choices[i].when, &holds, why))
			return -1;
		if (!experiment_is_true(holds))
			continue;
		right++;
		*last = i;
	}
	*why = right ? "two of the choices are right" : "none of the choices is right";
	return right;
}

static struct experiment_reply judge_choice(
	struct experiments *set, const struct step *step, const struct experiment_answer *answer)
{
	const char *why = "";
	int right;
	if (answer->choice < 0)
		return (struct experiment_reply){EXPERIMENT_ANSWER_UNREADABLE, NULL, NULL};
	if (count_right(set, step, &right, &why) != 1)
		return (struct experiment_reply){EXPERIMENT_ANSWER_OPEN, why, NULL};
	if (answer->choice == right)
		return (struct experiment_reply){EXPERIMENT_ANSWER_RIGHT, NULL, NULL};
	return (struct experiment_reply){EXPERIMENT_ANSWER_WRONG, NULL, &step->question.choices[answer->choice].why};
}

static bool write_choice(struct experiments *set, const struct step *step, struct buf *out)
{
	const char *why;
	int right;
	if (count_right(set, step, &right, &why) != 1)
		return false;
	buf_printf(out, "'%s'", step->question.choices[right].text);
	return true;
}

static void check_choice(struct experiments *set, const struct step *step, struct diag *faults)
{
	const char *why;
	int last, right = count_right(set, step, &last, &why);
	if (right == 0)
		diag_error(faults, (struct diag_pos){0}, "no choice is right; one must be");
	else if (right > 1)
		diag_error(faults, (struct diag_pos){0}, "%d choices are right; it must be one", right);
}

/* --- the kinds --------------------------------------------------------------------------------------------------------- */

static const struct {
	struct experiment_reply (*judge)(
		struct experiments *set, const struct step *step, const struct experiment_answer *answer);
	bool (*write)(struct experiments *set, const struct step *step, struct buf *out);
	void (*check)(struct experiments *set, const struct step *step, struct diag *faults);
} kinds[QUESTION_KINDS] = {
	[QUESTION_NUMBER] = {judge_number, write_number, check_number},
	[QUESTION_CHOICE] = {judge_choice, write_choice, check_choice},
};

struct experiment_reply experiment_judge_answer(
	struct experiments *set, const struct step *step, const struct experiment_answer *answer)
{
	return kinds[step->question.kind].judge(set, step, answer);
}

bool experiment_write_answer(struct experiments *set, const struct step *step, struct buf *out)
{
	return kinds[step->question.kind].write(set, step, out);
}

void experiment_check_question(struct experiments *set, const struct step *step, struct diag *faults)
{
	kinds[step->question.kind].check(set, step, faults);
}

int experiment_right_choice(struct experiments *set, const struct step *step)
{
	const char *why;
	int right;
	bool known = lesson_question_table[step->question.kind].entry == QUESTION_PICKED &&
		count_right(set, step, &right, &why) == 1;
	return known ? right : -1;
}
