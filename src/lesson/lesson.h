/* lesson/lesson.h: lesson files -> lessons. The format is in man/simttutor-lesson.5; a lesson is data. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "launch/launch.h"

/* --- text: CommonMark as blocks of styled spans ------------------------------------------------------------------- */
enum span_style { SPAN_PLAIN, SPAN_EMPH, SPAN_STRONG, SPAN_CODE };

struct span {
	enum span_style style;
	const char *text;              /* no newlines; blanks are kept as they must be shown */
};

enum block_kind { BLOCK_PARAGRAPH, BLOCK_HEADING, BLOCK_ITEM, BLOCK_CODE, BLOCK_QUOTE, BLOCK_RULE };

struct block {
	enum block_kind kind;
	int level;                     /* heading 1..6; item: depth from 1; others: depth of the item they are in, or 0 */
	int number;                    /* item of an ordered list, else 0 */
	struct span *spans;            /* code: one span a line */
	int n_spans;
};

struct text {
	struct block *blocks;
	int n_blocks;
};

/* --- parameters, questions, steps --------------------------------------------------------------------------------- */
struct parameter {
	const char *name, *label, *unit; /* unit may be "" */
	int64_t *values;               /* what it may be, ascending as listed */
	int n_values;
	int64_t initial;
};

enum question_kind { QUESTION_NONE, QUESTION_NUMBER, QUESTION_CHOICE };

struct question {
	enum question_kind kind;
	const char *ask;
	int64_t *set;                  /* NUMBER: parameter values under which the metric is taken, one each */
	const char *metric;            /* NUMBER: name of the metric whose model value is the answer */
	const char **choices;          /* CHOICE */
	int n_choices, correct;        /* correct: index from 0 */
	const char *explain;           /* shown once answered; may be "" */
	const char **hints;
	int n_hints;
};

struct step {
	const char *id, *title;        /* id: the title in lower case with dashes, or as told */
	struct text text;
	const char *notes;             /* for the speaker, "" when none */
	bool has_experiment;
	int64_t *set;                  /* initial values of the lesson's parameters in this step, one each */
	bool *shown;                   /* which parameters the reader may turn here */
	int watch_line;                /* source line of the kernel, 0: none */
	uint32_t watch_block, watch_warp;
	const char **views;            /* names, the first is shown first */
	int n_views;
	const char **metrics;          /* names, in the order shown */
	int n_metrics;
	const char *sweep_metric, *sweep_parameter; /* NULL: no sweep */
	int64_t *sweep_values;
	int n_sweep_values;
	struct question question;
	/* the launch, with parameters still to be filled in */
	const char *kernel, *grid, *block, *shared;
	const char **args;
	int n_args;
	struct diag_pos pos;           /* of the step's experiment, for messages (text NULL) */
};

struct lesson {
	const char *id;                /* folder name without its number: "banks" */
	const char *dir;               /* folder name: "01-banks" */
	const char *path;              /* of lesson.md */
	const char *title, *track, *summary, *needs, *takeaway;
	const char *kernel_source;     /* path of kernels/X.cu */
	const char *ptx_path;          /* path of kernels/X.ptx */
	const char *source_text;       /* the .cu */
	size_t source_len;
	const char *ptx_text;
	size_t ptx_len;
	struct parameter *parameters;
	int n_parameters;
	struct step *steps;
	int n_steps;
};

/* Reads DATA/lessons/DIR/lesson.md, its kernel and PTX. All in `arena`. NULL with diagnostics on any fault; every name
 * in it (parameters, watch marks, metrics, views through the two callbacks) is checked. */
struct lesson_names {
	bool (*metric)(const char *name);
	bool (*view)(const char *name);
	const char *(*metric_at)(int index); /* all names in turn, NULL after the last, for messages; may be NULL */
	const char *(*view_at)(int index);
};
struct lesson *lesson_load(struct arena *arena, const char *data_dir, const char *dir, const struct lesson_names *names,
	struct diag *diag);

/* The same from text in memory (tests, fuzzing); `name` is used in diagnostics. The kernel is read from data_dir. */
struct lesson *lesson_parse(struct arena *arena, const char *data_dir, const char *dir, const char *name, const char *text,
	size_t len, const struct lesson_names *names, struct diag *diag);

/* Whether a parameter takes a value; else an error at `pos` that says what it takes. */
bool lesson_check_value(const struct parameter *parameter, int64_t value, struct diag_pos pos, struct diag *diag);

/* The launch of a step with these parameter values (one each). NULL with diagnostics when an expression fails. */
struct launch *lesson_launch(struct arena *arena, const struct lesson *lesson, const struct step *step,
	const int64_t *values, struct diag *diag);

/* --- the catalogue ------------------------------------------------------------------------------------------------ */
struct catalogue {
	struct lesson **lessons;       /* by folder name */
	int n_lessons;
};

/* Loads every folder of DATA/lessons with a lesson.md. A broken lesson is left out, its faults reported; NULL only when
 * the folder itself cannot be read. */
struct catalogue *catalogue_load(struct arena *arena, const char *data_dir, const struct lesson_names *names,
	struct diag *diag);

/* Resolves "banks", "01-banks", "1" and, after a slash, a step by number from 1 or id: its index from 0. Without a slash
 * *step stays as it is. step may be NULL (then a slash is an error). False with an error that lists what there is. */
bool catalogue_find(const struct catalogue *catalogue, const char *what, const struct lesson **lesson, int *step,
	struct diag *diag);

/* --- progress ----------------------------------------------------------------------------------------------------- */
struct progress;

/* Reads STATE/progress.json; a missing file is empty progress. A damaged one is kept aside as progress.json.bad, with a
 * warning. */
struct progress *progress_load(const char *state_dir, struct diag *diag);
void progress_free(struct progress *progress);

int progress_step(const struct progress *progress, const char *lesson);               /* last visited, 0 */
bool progress_answered(const struct progress *progress, const char *lesson, const char *step);
int progress_visited_count(const struct progress *progress, const char *lesson);
bool progress_visited(const struct progress *progress, const char *lesson, const char *step);
void progress_visit(struct progress *progress, const char *lesson, int index, const char *step);
void progress_answer(struct progress *progress, const char *lesson, const char *step);
bool progress_save(struct progress *progress, struct diag *diag);                      /* writes only when changed */
