/* course/experiment/points.h: the launches that a lesson leads to: each step as it opens, the values of the parameters that can
 * be turned there, the same of what it is compared with, every point of its sweep, and what its question and its claim are
 * judged by. A recording must hold them, so that a reader without a GPU sees a measured number wherever the lesson leads;
 * `lesson check` runs them. */
#pragma once
#include "course/lesson/lesson.h"

/* All combinations of a step's parameters, as long as there are no more of them; else each parameter in turn. */
#define EXPERIMENT_COMBINATIONS_MAX 256

struct experiment_point {
	const struct step *step;
	const int64_t *values;       /* of the lesson's parameters */
	const struct launch *launch; /* the watched one */
	struct lesson_launches all;
	const char *label; /* "stride 7" */
};

struct experiment_points {
	struct experiment_point *points;
	int n, cap;
};

/* Each launch of each kernel once, in the order of the lesson; those of exercises, whose kernels are the reader's, and of programs, which
 * make their own, are left out. False with diagnostics when a launch cannot be made. */
bool experiment_points_of_lesson(
	struct arena *arena, const struct lesson *lesson, struct experiment_points *out, struct diag *diag);

/* Whether the same is launched, and the same of it watched. */
bool experiment_same_launches(const struct lesson_launches *a, const struct lesson_launches *b);

/* Those of one step. */
bool experiment_points_of_step(struct arena *arena, const struct lesson *lesson, const struct step *step,
	struct experiment_points *out, struct diag *diag);

/* "stride 7, version tiled": the parameters that can be turned in the step, or are not what they start from; "as it is"
 * when there are none. */
const char *experiment_label(
	struct arena *arena, const struct lesson *lesson, const struct step *step, const int64_t *values);
