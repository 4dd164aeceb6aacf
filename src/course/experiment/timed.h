/* course/experiment/timed.h: what the fix of an exercise gains: the times of its start and of its solution, at the size that the author
 * chose for that. Recorded with the lesson, as its other launches are; nothing is run here. */
#pragma once
#include "course/experiment/experiment.h"

enum { EXPERIMENT_BEFORE, EXPERIMENT_AFTER, EXPERIMENT_SIDES };

extern const char *const experiment_side_kernels[EXPERIMENT_SIDES]; /* see lesson_exercise_kernel */

struct experiment_timed {
	const char *at;                       /* "n 4096", the parameters that are not the step's; "" for none */
	struct value time[EXPERIMENT_SIDES];  /* in us, recorded */
	struct value model[EXPERIMENT_SIDES]; /* in us, the model's, from when it was recorded */
	const struct experiment_provenance *provenance; /* NULL unless both were recorded */
};

/* Appends "Measured on NVIDIA H200, n 4096: 15.3 us before the fix, 4.1 us after it." and what the model has; of an exercise whose
 * solution takes longer, why. Nothing where a time is missing. */
void experiment_timed_write(const struct experiment_timed *timed, const struct exercise *exercise, struct buf *out);

/* All in `arena`. False: the step is no exercise that is timed, or a kernel of it cannot be read, which is said in `diag`. */
bool experiment_timed(struct arena *arena, struct experiments *set, const struct step *step,
	struct experiment_timed *out, struct diag *diag);
