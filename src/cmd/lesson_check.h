/* cmd/lesson_check.h: everything about a lesson that only a run on the model can tell. */
#pragma once
#include "course/lesson/course.h"
#include "course/lesson/lesson.h"

/* Warp instructions of a launch: far more than a reader would wait for. */
#define CMD_LESSON_CHECK_STEPS 20000000u

/* What is checked, and what was found in all lessons together. */
struct cmd_lesson_check {
	bool recorded;               /* a recording must be there, and agree */
	uint64_t max_steps;          /* warp instructions of a launch */
	const char *no_spelling;     /* why spelling is not checked; NULL: it is, by the caller */
	struct cmd_ctx *ctx;         /* that runs the programs of exercises; NULL: they are not run */
	const char *const *ids;      /* of all lessons, ends in NULL: what may be named in `after` */
	const struct course *course; /* that the lessons are of; NULL: it says nothing */
	double until_ms; /* of clock_ms: what has not run by then does not run, which is an error; 0: there is no such time */
	bool late;       /* that was reported */
	int lessons, steps, questions, judged, claims, exercises, launches;
	int counts; /* exact ones that are as recorded, of each launch once */
};

/* Runs every launch that the lesson leads to, with the detector on: each must end well or with the defect that is the
 * lesson, and compute what the lesson says; the watched warp must make an access in the watched line; every question,
 * wrong answer and claim must have its numbers, and one right answer; sweeps must be complete. With totals->recorded,
 * every launch must be recorded, with counts equal to the model's where that is exact. The text of each step fits 80x24 with
 * a page of scrolling; the lessons it comes after exist. Faults go to `diag`; a line for each step, with the answers, to `out`. */
void cmd_lesson_check(struct cmd_lesson_check *totals, struct lesson *lesson, struct buf *out, struct diag *diag);
