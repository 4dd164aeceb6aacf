/* front/screen/question.h: a step's question as part of the running text. */
#pragma once
#include "front/screen/flow.h"
#include "front/tutor/tutor.h"

void screen_flow_question(struct screen_flow *flow, const struct tutor *tutor, const struct question *question);

/* An exercise: where the kernel is, what must hold, and what does. */
void screen_flow_exercise(struct screen_flow *flow, const struct tutor *tutor, const struct exercise *exercise);

/* A claim about GPUs; and, below the question, whether it holds, once the question is answered. */
void screen_flow_claim(struct screen_flow *flow, const struct claim *claim);
void screen_flow_verdict(struct screen_flow *flow, const struct tutor *tutor);
