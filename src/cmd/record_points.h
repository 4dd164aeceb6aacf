/* cmd/record_points.h: the launches of a lesson that a recording must hold, so that a reader without a GPU meets a
 * measured number wherever the lesson leads: each step as it opens, every value of the parameters that can be turned
 * there, every point of its sweep, and its question. */
#pragma once
#include "lesson/lesson.h"

struct record_point {
	const struct step *step;
	const int64_t *values;     /* of the lesson's parameters */
	const struct launch *launch;
	const char *label;         /* "stride 7" */
};

struct record_points {
	struct record_point *points;
	int n, cap;
};

/* Each launch once, in the order of the lesson. False with diagnostics when a launch cannot be made. */
bool record_points_collect(struct arena *arena, const struct lesson *lesson, struct record_points *out,
	struct diag *diag);
