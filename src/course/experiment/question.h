/* course/experiment/question.h: a question's answers, judged by what the witnesses say of the step's experiments. One row of functions for
 * each kind of question (course/lesson/question_kinds.def). */
#pragma once
#include "course/experiment/judge.h"
#include "course/lesson/limits.h"

/* What a reader answers: the text typed, a number or numbers of a list, or the index of the choice, -1: none yet. */
struct experiment_answer {
	const char *typed;
	int choice;
};

enum experiment_answer_is {
	EXPERIMENT_ANSWER_UNREADABLE,
	EXPERIMENT_ANSWER_OPEN,
	EXPERIMENT_ANSWER_WRONG,
	EXPERIMENT_ANSWER_RIGHT
};

struct experiment_reply {
	enum experiment_answer_is is;
	const char *why;             /* OPEN: why it cannot be judged now */
	const struct phrase *reason; /* WRONG: what the author says of this answer; NULL: nothing */
};

/* The step has a question. */
struct experiment_reply experiment_judge_answer(
	struct experiments *set, const struct step *step, const struct experiment_answer *answer);

/* The right answer as an author reads it: `4`, or `'yes'`. False when there is none, or more than one. */
bool experiment_write_answer(struct experiments *set, const struct step *step, struct buf *out);

/* The indices of the right choices, or of all items in their order. How many; 0: it is not known, or nothing is listed in questions of
 * this kind. */
int experiment_right_choices(struct experiments *set, const struct step *step, int right[LESSON_CHOICES_MAX]);

/* Adds an error for everything that is wrong with the question itself: a wrong answer that is right, no right choice. */
void experiment_check_question(struct experiments *set, const struct step *step, struct diag *faults);
