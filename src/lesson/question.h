/* lesson/question.h: the question, the claim and the exercise of an experiment. */
#pragma once
#include "lesson/draft.h"

/* Read e->question_node, e->claim_node and e->exercise_node, once all the rest of the experiment is known. They report
 * their own faults. */
void lesson_question_read(struct reader *r, struct step_draft *e);
void lesson_claim_read(struct reader *r, struct step_draft *e);
void lesson_exercise_read(struct reader *r, struct step_draft *e);
