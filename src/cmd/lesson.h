/* cmd/lesson.h: what several commands share about lessons. */
#pragma once
#include "cmd/cmd.h"
#include "cmd/confined.h"
#include "course/experiment/grade.h"
#include "course/grade/grade.h"
#include "course/lesson/lesson.h"

extern const struct cmd_entry cmd_list_entry, cmd_show_entry;

/* --- everything about a lesson that only a run on the model can tell. --- */

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
	/* of clock_ms: what has not run by then does not run, which is an error; 0: there is no such time */
	double until_ms;
	bool late; /* that was reported */
	int lessons, steps, questions, judged, claims, exercises, launches;
	int counts; /* exact ones that are as recorded, of each launch once */
};

/* Runs every launch that the lesson leads to, with the detector on: each must end well or with the defect that is the
 * lesson, and compute what the lesson says; the watched warp must make an access in the watched line; every question,
 * wrong answer and claim must have its numbers, and one right answer; sweeps must be complete. With totals->recorded,
 * every launch must be recorded, with counts equal to the model's where that is exact. The text of each step fits 80x24
 * with a page of scrolling; the lessons it comes after exist. Faults go to `diag`; a line for each step, with the
 * answers, to `out`. */
void cmd_lesson_check(struct cmd_lesson_check *totals, struct lesson *lesson, struct buf *out, struct diag *diag);

/* --- a lesson that is being written, by its folder: checked, and its kernels compiled. --- */

/* The folder of lesson.md, which may be named itself. */
const char *cmd_lesson_folder(struct arena *arena, const char *path);

/* The folder's own name, also for ".", with slashes at the end, and before there is one. */
const char *cmd_lesson_folder_name(struct arena *arena, const char *dir);

/* The ids of all lessons that ship and of those of a course, by the names of their folders, whether or not they are
 * valid; NULL at the end. */
const char *const *cmd_lesson_folder_ids(struct cmd_ctx *ctx, const char *course);
bool cmd_lesson_is_listed(const char *const *ids, const char *id);

/* Checks what is in the folder: faults go to ctx->diag, a line for each step to `out`. An exit status. */
int cmd_lesson_folder_check(struct cmd_ctx *ctx, struct cmd_lesson_check *check, const char *dir, struct buf *out);

/* Prints `out` with the totals; or, as JSON, these and the messages in ctx->diag instead. Returns `status`, or
 * EXIT_FAILED where printing fails. */
int cmd_lesson_folder_report(
	struct cmd_ctx *ctx, const struct cmd_lesson_check *check, int status, bool json, struct buf *out);

/* Compiles the kernels of the lesson's course, and of its exercise, to the PTX beside them. An exit status. */
int cmd_lesson_folder_build(struct cmd_ctx *ctx, const char *dir, bool force);

/* Of scandir, in place of alphasort, whose order is the locale's. */
struct dirent;
int cmd_lesson_by_name(const struct dirent **a, const struct dirent **b);

/* --- the beginning of a lesson, written to a new folder. --- */

extern const struct cmd_entry cmd_lesson_entry;

/* `args` are those after the word new. What they do not say is asked for where a person is at a terminal and gave no
 * option. An exit status. */
int cmd_lesson_new(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);

/* What that needs of the system. */
void cmd_lesson_new_needs(struct cmd_needs *needs, const struct cmd_parsed *args, int n);

/* --- the PTX beside the kernels of a lesson that is being written. --- */

/* Compiles each kernel below these folders whose PTX is missing or made from other text; all of them with `force`.
 * `root` is the folder of the course: names in the PTX begin there. A line for each to standard output. An exit
 * status. */
int cmd_lesson_build(struct cmd_ctx *ctx, const char *root, const char *const *folders, int n_folders, bool force);

/* --- how the grade of a kernel is printed. --- */

/* Appends the PTX of a reader's kernel, compiled by the worker that --gpu names, else on this machine, or by
 * its worker where there is no compiler. An exit status. */
int exercise_compile(struct cmd_ctx *ctx, const char *path, struct buf *ptx);

/* One line for each kernel, and how many are solved. */
void exercise_write_class(const struct class_files *files, struct buf *out);
json_t *exercise_class_json(const struct class_files *files);
