/* cmd/program_grade_parts.h: what program_grade.c is made of. Inside program_grade*.c only. */
#pragma once
#include <jansson.h>

#include "course/experiment/grade.h"
#include "model/hardware/hostlog.h"
#include "tools/compile/build.h"

/* A program that is graded. */
struct grading_program {
	struct cmd_ctx *ctx;
	struct arena *arena;
	const struct lesson *lesson;
	const struct step *step;
	struct build *build; /* in whose folder it runs */
	const char *program; /* its path */
	struct experiment_grade *grade;
	bool counts; /* a goal is about metrics: launches are kept */
	/* Of the first run. */
	double launches, leaks;
	struct hostlog_sums sums; /* of what it asked for */
	bool reported;
};

/* --- program_grade_count.c -------------------------------------------------------------------------------------------- */

/* Whether goals need more than the report: metrics. */
bool program_grade_has_metrics(const struct exercise *exercise);

/* Takes what the report of the first run says. */
void program_grade_count(struct grading_program *g, const json_t *report);

/* How many launches a report has; NULL: none. */
int program_grade_launches(const json_t *report);

/* Judges a goal by the launches of the first run. */
void program_grade_goal(struct grading_program *g, const struct goal *goal, struct experiment_grade_goal *out);

/* --- program_grade_output.c ------------------------------------------------------------------------------------------- */

/* What is wrong with what it printed, after `with`; NULL: nothing. */
const char *program_grade_output(
	const struct grading_program *g, const struct exercise_run *run, const char *with, const struct buf *output);
