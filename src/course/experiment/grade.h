/* course/experiment/grade.h: what a kernel is worth as the solution of an exercise: structure, never time.
 *
 * All must hold: every goal, with the step's parameters and those that it names; the results, and no defect with the
 * detector on, with those and at every setting the author tries besides. A kernel that computes nothing fails its
 * results, a fault moved elsewhere a goal, a race that was let in the detector.
 *
 * A whole program (struct exercise, runs) is graded where programs are run, in src/cmd: what it prints is its results,
 * what is found while it runs the defects, and goals are about its launches. */
#pragma once
#include "base/arena.h"
#include "course/lesson/lesson.h"

struct experiment_grade_goal {
	const char *text; /* what is wanted */
	bool holds;
	const char *
		is; /* "load sectors / request: 32", or why there is no number; of a goal of several settings that fails, with the
			   first of them: "with n 100: ..." */
};

struct experiment_grade {
	bool solved;
	struct experiment_grade_goal goals[LESSON_GOALS_MAX];
	int n_goals;
	bool right;        /* the results */
	const char *wrong; /* NULL, or the first that is not, and with which parameters */
	bool clean;
	const char *defect; /* NULL, or the first, as a sentence with its line */
	int line;           /* of the defect, 0: none known */
	int launches;       /* that were made */
};

/* Grades `file` in the place of the step's kernel. NULL with diagnostics when it cannot be launched at all: broken PTX,
 * no such entry, other parameters. All in `arena`. */
const struct experiment_grade *experiment_grade_kernel(struct arena *arena, const struct lesson *lesson,
	const struct step *step, const struct kernel_file *file, struct diag *diag);

/* A grade as text, and back, in `arena`; NULL: it is not one of the step. */
void experiment_grade_write(const struct experiment_grade *grade, struct buf *out);
const struct experiment_grade *experiment_grade_read(
	struct arena *arena, const struct step *step, const char *text, size_t len);
