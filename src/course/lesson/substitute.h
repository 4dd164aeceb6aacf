/* course/lesson/substitute.h: `{expression}` in a launch's texts, and the launch made from them. */
#pragma once
#include "course/lesson/lesson.h"

/* Which text of a step's launch a fault is in. */
enum launch_part {
	LAUNCH_PART_KERNEL,
	LAUNCH_PART_GRID,
	LAUNCH_PART_BLOCK,
	LAUNCH_PART_SHARED,
	LAUNCH_PART_CLUSTER,
	LAUNCH_PART_ARG,
	LAUNCH_PART_WATCHED /* which of several is watched */
};

struct launch_fault {
	enum launch_part part;
	int launch;          /* of several: which, from 0 */
	int arg;             /* LAUNCH_PART_ARG: which, from 0 */
	const char *message; /* in the arena */
};

/* The launches of a step; false and why. */
bool lesson_make_launches(struct arena *arena, const struct lesson *lesson, const struct step *step,
	const int64_t *values, struct lesson_launches *out, struct launch_fault *fault);

/* The line that the step watches; 0 with an error at `pos`. */
int lesson_find_watch_line(const struct lesson *lesson, const struct step *step, const int64_t *values,
	struct diag_pos pos, struct diag *diag);

/* The text with the values of its `{expression}`s, in the arena; NULL and why. Braces of an argument, as in texture:{...}, stay. */
const char *lesson_substitute(
	struct arena *arena, const struct lesson *lesson, const char *text, const int64_t *values, const char **why);
