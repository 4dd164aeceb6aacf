/* course/lesson/results.h: what the output buffers of an experiment must hold, and whether they do.
 *
 * An expression gives element i. It knows i, the parameters, the scalar arguments as arg0, arg1, ... and the elements of
 * buffers as they were before the launch, as arg0[i]. Whole numbers are computed in 64 bits and taken into the buffer's
 * type as C does; real ones are double. */
#pragma once
#include "course/lesson/draft.h"

/* Reads the mapping argument -> expression, or {is: expression, within: relative error}. */
void lesson_results_read(struct reader *r, yaml_node_t *node, struct step_draft *e);

/* A launch of the step with these parameter values that was made: `buffers` has one pointer per argument, to its bytes now. */
struct lesson_outcome {
	const struct lesson *lesson;
	const struct step *step;
	const int64_t *values;
	const struct launch *launch;
	void *const *buffers;
};

/* The buffers against the step's results. Returns how many elements were compared; -1 with an error at the step (the first that
 * differs, or why there is no expected value). */
int64_t lesson_check_results(const struct lesson_outcome *outcome, struct diag *diag);
