/* cmd/lesson_check.h: everything about a lesson that only a run on the model can tell. */
#pragma once
#include "lesson/lesson.h"

/* Runs every step of the lesson: the launch at every value of every parameter is made, the one the step starts with is
 * run and must end well, the watched warp must make an access in the watched line, the model must have a value for every
 * number asked and for the whole sweep. Faults go to `diag`; a line for each step, with the answers, to `out`. */
void lesson_check(const struct lesson *lesson, struct buf *out, struct diag *diag);
