/* screen/question.h: a step's question as part of the running text. */
#pragma once
#include "screen/flow.h"
#include "tutor/tutor.h"

void question_flow(struct flow *flow, const struct tutor *tutor, const struct question *question);

/* An exercise: where the kernel is, what must hold, and what does. */
void exercise_flow(struct flow *flow, const struct tutor *tutor, const struct exercise *exercise);

/* What is said of GPUs; and, below the question, whether it holds, once that is to be told. */
void claim_flow(struct flow *flow, const struct claim *claim);
void verdict_flow(struct flow *flow, const struct tutor *tutor);
