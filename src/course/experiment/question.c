#include "course/experiment/experiment.h"

#include <stdlib.h>
#include <string.h>

#include "course/lesson/lesson.h"

/* --- a number ----------------------------------------------------------------------------------------------------- */

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
	if (end == text || *end || text[strspn(text, lesson_question_table[q->kind].made_of)])
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

/* --- what is pointed at ------------------------------------------------------------------------------------------- */

static bool write_pointed(struct experiments *set, const struct step *step, struct buf *out)
{
	const char *why;
	double right;
	if (!experiment_judge(set, step, &step->question.answer, &right, &why))
		return false;
	buf_printf(out, "%s ", lesson_question_things[step->question.thing]);
	value_format(right, out);
	return true;
}

static void check_pointed(struct experiments *set, const struct step *step, struct diag *faults)
{
	const struct question *q = &step->question;
	const char *why;
	double right;
	if (!experiment_judge(set, step, &q->answer, &right, &why))
		return;
	bool whole = right >= 0 && right < 1e9 && right - (double)(int64_t)right <= 0;
	if (!whole || (q->thing == QUESTION_OF_LINE ? right < 1 : right >= WARP_SIZE))
		diag_error(faults, (struct diag_pos){0}, "there is no %s %g", lesson_question_things[q->thing], right);
	check_number(set, step, faults);
}

/* --- from a list -------------------------------------------------------------------------------------------------- */

/* The choices whose judgment holds; -1 and why: that of one is not known. */
static int find_holding(struct experiments *set, const struct step *step, int *right, const char **why)
{
	const struct question *q = &step->question;
	int n = 0;
	double holds;
	for (int i = 0; i < q->n_choices; i++) {
		if (!experiment_judge(set, step, q->choices[i].when, &holds, why))
			return -1;
		if (experiment_is_true(holds))
			right[n++] = i;
	}
	return n;
}

/* The items by their judgments, the least first. -1 and why: one is not known, right[0] is -1 then, or two are equal:
 * the first of right[]. */
static int find_order(struct experiments *set, const struct step *step, int *right, const char **why)
{
	const struct question *q = &step->question;
	double values[LESSON_CHOICES_MAX];
	for (int i = 0; i < q->n_choices; i++) {
		right[0] = -1;
		if (!experiment_judge(set, step, q->choices[i].when, &values[i], why))
			return -1;
	}
	for (int i = 0; i < q->n_choices; i++) {
		int at = i;
		for (; at > 0 && values[right[at - 1]] > values[i]; at--)
			right[at] = right[at - 1];
		right[at] = i;
	}
	for (int i = 1; i < q->n_choices; i++)
		if (!(values[right[i - 1]] < values[right[i]])) {
			right[0] = right[i - 1];
			right[1] = right[i];
			*why = "two of the items are equal";
			return -1;
		}
	return q->n_choices;
}

/* What is right, as question.right has it. How many; -1 and why: that is not known, or nothing can be. */
static int find_right(struct experiments *set, const struct step *step, int right[LESSON_CHOICES_MAX], const char **why)
{
	const struct question *q = &step->question;
	if (q->right) {
		memcpy(right, q->right, (size_t)q->n_right * sizeof *right);
		return q->n_right;
	}
	if (q->kind == QUESTION_ORDER)
		return find_order(set, step, right, why);
	int n = find_holding(set, step, right, why);
	if (n == 0)
		*why = "none of the choices is right";
	else if (n > 1 && q->kind == QUESTION_CHOICE)
		*why = "two of the choices are right";
	else
		return n;
	return -1;
}

/* The right ones as an author reads them: "'a', 'b'", or "'a' < 'b'". */
static bool write_listed(struct experiments *set, const struct step *step, struct buf *out)
{
	const char *why;
	int right[LESSON_CHOICES_MAX], n = find_right(set, step, right, &why);
	const char *between = step->question.kind == QUESTION_ORDER ? " < " : ", ";
	for (int i = 0; i < n; i++)
		buf_printf(out, "%s'%s'", i ? between : "", step->question.choices[right[i]].text);
	return n > 0;
}

/* --- one choice --------------------------------------------------------------------------------------------------- */

static struct experiment_reply judge_choice(
	struct experiments *set, const struct step *step, const struct experiment_answer *answer)
{
	const char *why = "";
	int right[LESSON_CHOICES_MAX];
	if (answer->choice < 0)
		return (struct experiment_reply){EXPERIMENT_ANSWER_UNREADABLE, NULL, NULL};
	if (find_right(set, step, right, &why) != 1)
		return (struct experiment_reply){EXPERIMENT_ANSWER_OPEN, why, NULL};
	if (answer->choice == right[0])
		return (struct experiment_reply){EXPERIMENT_ANSWER_RIGHT, NULL, NULL};
	return (struct experiment_reply){EXPERIMENT_ANSWER_WRONG, NULL, &step->question.choices[answer->choice].why};
}

static void check_choice(struct experiments *set, const struct step *step, struct diag *faults)
{
	const char *why;
	int right[LESSON_CHOICES_MAX], n = step->question.right ? 1 : find_holding(set, step, right, &why);
	if (n == 0)
		diag_error(faults, (struct diag_pos){0}, "no choice is right; one must be");
	else if (n > 1)
		diag_error(faults, (struct diag_pos){0}, "%d choices are right; it must be one", n);
}

/* --- several, and an order ---------------------------------------------------------------------------------------- */

static int compare_indices(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static struct experiment_reply judge_listed(
	struct experiments *set, const struct step *step, const struct experiment_answer *answer)
{
	const struct question *q = &step->question;
	const char *why = "";
	int given[LESSON_CHOICES_MAX], right[LESSON_CHOICES_MAX], n = lesson_question_numbers(q, answer->typed, given);
	if (n < 1 || (q->kind == QUESTION_ORDER && n < q->n_choices))
		return (struct experiment_reply){EXPERIMENT_ANSWER_UNREADABLE, NULL, NULL};
	int n_right = find_right(set, step, right, &why);
	if (n_right < 0)
		return (struct experiment_reply){EXPERIMENT_ANSWER_OPEN, why, NULL};
	if (q->kind == QUESTION_SEVERAL) {
		qsort(given, (size_t)n, sizeof *given, compare_indices);
		qsort(right, (size_t)n_right, sizeof *right, compare_indices);
	}
	if (n == n_right && memcmp(given, right, (size_t)n * sizeof *given) == 0)
		return (struct experiment_reply){EXPERIMENT_ANSWER_RIGHT, NULL, NULL};

	/* What the author says of the first that is not right; NULL: nothing. */
	const struct phrase *reason = NULL;
	for (int i = 0; i < n; i++) {
		bool is_right = q->kind == QUESTION_ORDER && given[i] == right[i];
		for (int k = 0; q->kind == QUESTION_SEVERAL && k < n_right; k++)
			is_right |= given[i] == right[k];
		if (!is_right) {
			reason = q->choices[given[i]].why.texts ? &q->choices[given[i]].why : NULL;
			break;
		}
	}

	return (struct experiment_reply){EXPERIMENT_ANSWER_WRONG, NULL, reason};
}

static void check_several(struct experiments *set, const struct step *step, struct diag *faults)
{
	const char *why;
	int right[LESSON_CHOICES_MAX], n = step->question.right ? 1 : find_holding(set, step, right, &why);
	if (n == 0)
		diag_error(faults, (struct diag_pos){0}, "no choice is right; at least one must be");
}

static void check_order(struct experiments *set, const struct step *step, struct diag *faults)
{
	const char *why;
	int right[LESSON_CHOICES_MAX];
	if (!step->question.right && find_order(set, step, right, &why) < 0 && right[0] >= 0)
		diag_error(faults, (struct diag_pos){0}, "'%s' and '%s' are equal, so that there is no order",
			step->question.choices[right[0]].text, step->question.choices[right[1]].text);
}

/* --- the kinds ---------------------------------------------------------------------------------------------------- */

static const struct {
	struct experiment_reply (*judge)(
		struct experiments *set, const struct step *step, const struct experiment_answer *answer);
	bool (*write)(struct experiments *set, const struct step *step, struct buf *out);
	void (*check)(struct experiments *set, const struct step *step, struct diag *faults);
} kinds[QUESTION_KINDS] = {
	[QUESTION_NUMBER] = {judge_number, write_number, check_number},
	[QUESTION_CHOICE] = {judge_choice, write_listed, check_choice},
	[QUESTION_SEVERAL] = {judge_listed, write_listed, check_several},
	[QUESTION_ORDER] = {judge_listed, write_listed, check_order},
	[QUESTION_POINT] = {judge_number, write_pointed, check_pointed},
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

int experiment_right_choices(struct experiments *set, const struct step *step, int right[LESSON_CHOICES_MAX])
{
	const char *why;
	int n = step->question.n_choices ? find_right(set, step, right, &why) : 0;
	return n > 0 ? n : 0;
}
