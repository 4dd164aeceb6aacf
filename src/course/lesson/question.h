/* course/lesson/question.h: the question, the claim and the exercise of an experiment. */
#pragma once
#include "course/lesson/draft.h"

/* Read e->nodes.question, e->nodes.claim and e->nodes.exercise, once all the rest of the experiment is known. They report
 * their own faults. */
void lesson_question_read(struct reader *r, struct step_draft *e);
void lesson_claim_read(struct reader *r, struct step_draft *e);
void lesson_exercise_read(struct reader *r, struct step_draft *e);
