/* lesson/question.h: the question of an experiment. */
#pragma once
#include "lesson/experiment.h"

/* Reads e->question_node into e->question, once all the rest of the experiment is known. Reports its own faults. */
void question_read(struct reader *r, struct experiment *e);
