/* cmd/lesson_check_parts.h: what the files of `lesson check` share. */
#pragma once
#include "cmd/lesson_check.h"
#include "course/experiment/judge.h"
#include "course/experiment/points.h"

/* The launches whose counts were compared with those of a GPU. */
struct lesson_compared {
	struct lesson_compared_launch {
		const struct experiment *experiment;
		const struct experiment_provenance *on;
	} * at;
	int n, cap;
};

/* The check of one lesson. */
struct lesson_checking {
	struct cmd_lesson_check *totals;
	struct diag *unplaced; /* faults of launches, which know no lesson */
	const struct lesson *lesson;
	struct experiments *set;
	struct buf *out;
	struct diag *diag;
	struct arena *arena;
	const struct step *step;         /* that is checked now */
	struct program_record **program; /* the last that a step showed */
	struct lesson_compared *compared;
};

/* Reports a fault of the step at these values. */
void cmd_lesson_check_fault(const struct lesson_checking *c, const int64_t *values, const char *what);

/* The run of the step's launch; NULL, with faults, when there is none. */
const struct experiment_run *cmd_lesson_check_run(const struct lesson_checking *c, const int64_t *values);

/* Reports PTX that is not what its source makes. */
void cmd_lesson_check_made(const struct lesson_checking *c, const struct kernel_file *file);

/* --- lesson_check_answers.c: of the step ------------------------------------------------------------------------------ */
void cmd_lesson_check_question(const struct lesson_checking *c);
void cmd_lesson_check_claim(const struct lesson_checking *c);
void cmd_lesson_check_sweep(const struct lesson_checking *c);
void cmd_lesson_check_compare(const struct lesson_checking *c);
void cmd_lesson_check_phrase(const struct lesson_checking *c, const struct phrase *phrase);

/* --- lesson_check_recorded.c ------------------------------------------------------------------------------------------ */
/* Those that are missing are one fault. */
void cmd_lesson_check_recordings(const struct lesson_checking *c, const struct experiment_points *points);

/* --- lesson_check_program.c: where the step shows one ------------------------------------------------------------------ */
void cmd_lesson_check_program(const struct lesson_checking *c, const struct experiment_points *points);

/* --- lesson_check_exercise.c ------------------------------------------------------------------------------------------ */
void cmd_lesson_check_exercise(const struct lesson_checking *c);
