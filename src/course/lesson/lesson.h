/* course/lesson/lesson.h: lesson files -> lessons. The format is in man/simttutor-lesson.5; a lesson is data. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "machine/launch/launch.h"

/* --- limits ------------------------------------------------------------------------------------------------------- */

/* How large a lesson may be. Far above any real one; they keep a hostile file from using up the host. */

#define LESSON_FILE_MAX ((size_t)1 << 20) /* bytes of lesson.md, and of a kernel's source */
#define LESSON_PTX_MAX ((size_t)16 << 20)
#define LESSON_YAML_MAX ((size_t)128 << 10) /* bytes of the front matter, of an experiment */
#define LESSON_YAML_DEPTH_MAX 32            /* brackets inside of brackets there */
#define LESSON_STEPS_MAX 100
#define LESSON_BUFFERS_MAX ((size_t)128 << 20) /* bytes of the buffers of a launch: a key fills them anew */
#define LESSON_LAUNCHES_MAX 8                  /* of an experiment */
#define LESSON_KERNELS_MAX (LESSON_STEPS_MAX + 1)
#define LESSON_TITLE_MAX 120 /* bytes */
#define LESSON_TEXT_MAX 4000 /* bytes of a value in YAML */
#define LESSON_PARAMETERS_MAX 16
#define LESSON_VALUES_MAX 1000     /* of a parameter, of a sweep */
#define LESSON_NAMED_VALUES_MAX 32 /* of a parameter whose values have names */
#define LESSON_WORDS_MAX (LESSON_PARAMETERS_MAX * (LESSON_NAMED_VALUES_MAX + 1)) /* that expressions may name */
#define LESSON_TERMS_MAX 64                                                      /* metrics in one judgment */
#define LESSON_GOALS_MAX 16
#define LESSON_TRIES_MAX 16
#define LESSON_RUNS_MAX 8 /* of a program */
#define LESSON_ARGUMENTS_MAX 16
#define LESSON_PRINTS_MAX 100 /* lines */
#define LESSON_AFTER_MAX 32
#define LESSON_METRICS_MAX 32
#define LESSON_VIEWS_MAX 16
#define LESSON_HINTS_MAX 10
#define LESSON_CHOICES_MAX 9 /* one digit answers */

struct expr;
struct lesson;

/* --- text: CommonMark as blocks of styled spans ------------------------------------------------------------------- */

enum span_style { SPAN_PLAIN, SPAN_EMPH, SPAN_STRONG, SPAN_CODE, SPAN_TERM /* links to a metric */ };

struct span {
	enum span_style style;
	const char *text; /* no newlines; blanks are kept as they must be shown */
};

enum block_kind { BLOCK_PARAGRAPH, BLOCK_HEADING, BLOCK_ITEM, BLOCK_CODE, BLOCK_QUOTE, BLOCK_RULE };

struct block {
	enum block_kind kind;
	int level;          /* heading 1..6; item: depth from 1; others: depth of the item they are in, or 0 */
	int number;         /* item of an ordered list, else 0 */
	struct span *spans; /* code: one span per line */
	int n_spans;
};

struct text {
	struct block *blocks;
	int n_blocks;
	const char **terms; /* names of the metrics that it links to, each once */
	int n_terms;
};

/* --- kernels, parameters ------------------------------------------------------------------------------------------ */

struct kernel_file {
	const char *name;        /* without folder and ending: "shared_stride" */
	const char *source_path; /* of the .cu */
	const char *ptx_path;    /* of the .ptx */
	const char *source_text;
	size_t source_len;
	const char *ptx_text; /* "": of a whole program */
	size_t ptx_len;
	const char *root;   /* the folder of the course that has it */
	const char *shared; /* see struct lesson_names */
	bool is_program;
};

struct parameter {
	const char *name, *label, *unit; /* unit may be "" */
	int64_t *values;                 /* those it takes, in the order listed, ascending */
	int n_values;
	const char **names; /* of the values, which then are 0, 1, 2 ...; NULL: they are numbers */
	int64_t initial;
};

/* Appends a value as people see it: its name, or the number. */
void lesson_write_value(const struct parameter *parameter, int64_t value, struct buf *out);
/* The same with the unit: "4 words", "1 word". A unit that is one English word in the plural loses its s beside a 1. */
void lesson_write_value_with_unit(const struct parameter *parameter, int64_t value, struct buf *out);

/* --- judgments: expressions over metrics -------------------------------------------------------------------------- */

/* MEASURED: no metric of a launch, but a number of the lesson's measured.tsv. */
enum term_witness { TERM_MODEL, TERM_RECORDED, TERM_MEASURED, TERM_ROOF, TERM_WITNESSES };

/* What a term is of: a metric; a defect, 1 if the detector finds one of that kind and 0 if it does not; an element of a
 * buffer after the launch, as the SIMT machine has it. */
enum term_kind { TERM_METRIC, TERM_DEFECT, TERM_RESULT };

/* That, at values of the parameters; or, of a ROOF, the most that the GPU can do that the step's launch was recorded
 * on, or that of the model. */
struct term {
	enum term_kind kind;
	enum term_witness witness; /* METRIC; of the others there is but the model */
	const char *metric; /* its name; DEFECT: that of its kind; RESULT: LESSON_RESULT; MEASURED: the number's */
	int64_t argument, element; /* RESULT */
	int64_t *set;              /* one each */
};

/* What an author would otherwise have to type in: computed by the code that has the witnesses. */
struct judgment {
	const char *text; /* as written */
	const struct expr *expr;
	struct term *terms;
	int n_terms;
	int64_t *set; /* the parameters in it have these values */
};

/* The value of a term; false with a constant string when there is none. */
typedef bool lesson_term_value(void *ctx, const struct term *term, double *out, const char **why);

/* Who has the values of terms; value NULL: no one. */
struct lesson_terms {
	lesson_term_value *value;
	void *ctx;
};

/* The value of a judgment over the lesson's parameters; false with `*why` (constant) when there is none. */
bool lesson_judge(const struct lesson *lesson, const struct judgment *judgment, struct lesson_terms terms, double *out,
	const char **why);

/* A text with numbers in it that are computed when it is shown: texts[0] values[0] texts[1] ... texts[n]. */
struct phrase {
	const char **texts;
	struct judgment *values;
	int n;
};

/* --- questions, claims, exercises --------------------------------------------------------------------------------- */

enum question_kind {
	QUESTION_NONE,
#define QUESTION(id, keys, entry, begins, made_of, invitation, complaint) QUESTION_##id,
#include "course/lesson/question_kinds.def"
#undef QUESTION
	QUESTION_KINDS
};

enum question_entry { QUESTION_TYPED, QUESTION_PICKED };

/* Of each kind but NONE: see question_kinds.def. */
struct question_kind_row {
	const char *keys;
	enum question_entry entry;
	const char *begins, *made_of, *invitation, *complaint;
};
extern const struct question_kind_row lesson_question_table[QUESTION_KINDS];

struct choice {
	const char *text;
	const struct judgment
		*when;     /* it is right when this holds; ORDER: by what it is ordered; NULL: see question.right */
	struct phrase why; /* it is wrong; ORDER: it has another place */
};

struct wrong_answer {
	struct judgment answer;
	struct phrase why;
};

/* What a question can have pointed at. */
enum question_thing { QUESTION_OF_LANE, QUESTION_OF_BANK, QUESTION_OF_LINE, QUESTION_THINGS };
extern const char *const lesson_question_things[QUESTION_THINGS]; /* "lane" */

struct question {
	enum question_kind kind;
	const char *ask;
	int64_t *set;                 /* parameter values of its metrics, one each, where they say no other */
	bool has_set;                 /* the author gave some of them */
	enum term_witness from;       /* of its metrics, where they say no other */
	struct judgment answer;       /* NUMBER; POINT: the number of what is right */
	enum question_thing thing;    /* POINT */
	double within;                /* NUMBER: how far off the answer may be, of it: 0.005 is half a percent */
	const struct choice *choices; /* all but NUMBER; listed below what is asked */
	int n_choices;
	const int *right; /* indices from 0, ascending or, of ORDER, in order; NULL: judgments say it */
	int n_right;
	const struct wrong_answer *wrong; /* NUMBER, POINT: answers that get a reason */
	int n_wrong;
	bool judged;           /* the right answer is computed, not typed in by the author */
	struct phrase explain; /* shown once answered */
	const char **hints;
	int n_hints;
};

/* Calls back for every text of the question and every judgment in it, in the order of the screen; NULL: not for those.
 * Ends, with false, when one returns false. */
struct question_visitor {
	void *ctx;
	bool (*text)(void *ctx, const char *text);
	bool (*judgment)(void *ctx, const struct judgment *judgment);
};
bool lesson_question_visit(const struct question *q, const struct question_visitor *visitor);

/* The indices of a list that are typed as numbers from 1, as in 13 or 1,3. How many; -1: one is not in the list, or
 * named twice. */
int lesson_question_numbers(const struct question *q, const char *typed, int numbers[LESSON_CHOICES_MAX]);

/* Something that is said of GPUs, judged by the metrics. */
struct claim {
	const char *text; /* NULL: none */
	int number;       /* in the list of claims; 0: not there */
	struct judgment holds;
	struct phrase says; /* the verdict's reason */
};

struct goal {
	const char *text; /* what the reader sees; the judgment as written where it has no text of its own */
	struct judgment holds;
	struct judgment *also; /* the same with other parameter values, judgment.set: they are among the tries */
	int n_also;
	const char *kernel; /* of a program: its launches alone count; NULL: all do */
};

/* A run of a whole program: what it must print, line by line, however many blanks are between words. */
struct exercise_run {
	const char **arguments;
	int n_arguments;
	const char **prints;
	int n_prints;
};

/* What goals of programs can name beside metrics: how many launches there are, and how many places allocate
 * memory that is never freed. */
#define LESSON_LAUNCHES "launches"
#define LESSON_LEAKS "leaks"

/* What questions and claims can name: result[argument=1, element=5]. */
#define LESSON_RESULT "result"

/* What judgments of a step that shows a program can name, and metrics not: program_words.def. */
bool lesson_program_word(const char *name);

/* The one "launch" of such a step: the arguments of its main(), each a whole number, "u32:7". */
#define LESSON_PROGRAM_ENTRY "main"
#define LESSON_PROGRAM_ARGUMENT "u32:"
#define LESSON_PROGRAM_FOLDER "programs"

/* The fault is in exercise/start.cu; the step's experiment launches it. Or, with runs, that is a whole program, and the
 * step has no experiment. */
struct exercise {
	const char *dir; /* NULL: none; folder with start.cu, solution.cu, wrong/ and, of kernels, their PTX */
	const struct kernel_file *start;
	const struct exercise_run *runs; /* goals are about the launches of the first */
	int n_runs;                      /* 0: it is a kernel */
	const struct goal *goals;
	int n_goals;
	int64_t **tries; /* parameter values at which results must be right and nothing defective, besides the step's */
	int n_tries;
	int64_t *
		timed; /* parameter values at which the start and the solution are timed on a GPU; NULL: they are not */
	const char *slower; /* why the solution is not faster there; NULL: it is */
	const char **hints;
	int n_hints;
	struct phrase explain; /* shown when it is solved */
};

/* What is wanted besides its goals. */
const char *lesson_exercise_wants_right(const struct exercise *exercise);
const char *lesson_exercise_wants_clean(const struct exercise *exercise);

/* --- steps -------------------------------------------------------------------------------------------------------- */

/* What an output buffer must hold. */
struct expected {
	int arg; /* index of the argument */
	const char *text;
	const struct expr *expr; /* of element i, see results.h */
	double within;           /* relative; 0: as is usual for the type */
};

/* The parameters, by index, that say what is watched: of an explored kernel. */
struct step_watch_by {
	int line, block, warp;
	int access; /* from 1 */
};

/* What the views show of the kernel. */
struct step_watch {
	const char *line;   /* as written, NULL: none; see lesson_watched */
	const char *launch; /* which of several, from 1, as written; NULL: the last */
	uint32_t block, warp;
	const struct step_watch_by *by; /* NULL: the above say it, whatever the parameters */
};

/* That with values for the parameters. */
struct step_watched {
	int line; /* of the source, 0: none */
	uint32_t block, warp;
	int access; /* which of those that the warp makes in the line, from 0 */
};

/* A metric over the values of a parameter. */
struct step_sweep {
	const char *metric, *parameter; /* NULL: no sweep */
	int64_t *values;
	int n;
};

/* The launch as written, with parameters still to be filled in. */
struct step_launch {
	const char *kernel, *grid, *block, *shared;
	const char *cluster; /* NULL: as the kernel says */
	const char **args;
	int n_args;
	bool cooperative;
};

struct step {
	const char *id, *title; /* id: the title in lower case with dashes, or as the step gives it */
	struct text text;
	const char *notes; /* for the speaker, "" when none */
	bool has_experiment;
	const struct kernel_file *file; /* of the experiment's kernel */
	int64_t *set;                   /* initial values of the lesson's parameters in this step, one each */
	bool *shown;                    /* which parameters the reader may turn here */
	struct step_watch watch;
	const char **views; /* names, the first is shown first */
	int n_views;
	const char **metrics; /* names, in the order shown */
	int n_metrics;
	struct step_sweep sweep;
	const int64_t *
		compare; /* values of the parameters whose numbers stand beside the others; NULL: nothing is compared */
	struct question question;
	struct claim claim;
	struct exercise exercise;
	const struct expected *results;
	int n_results;
	const char *defect;                 /* the name of the defect that is to be shown; NULL: there must be none */
	const struct judgment *defect_when; /* with these parameters; NULL: with all */
	/* The program has a fault, which is the lesson, with these parameters; NULL: with none. */
	const struct judgment *program_wrong;
	struct step_launch launch;
	const struct step_launch *then; /* launched after it, over the same memory */
	int n_then;
	uint32_t registers;  /* of a thread, where a compiler said it of an explored kernel; 0: not known */
	struct diag_pos pos; /* of the step's experiment, for messages (text NULL) */
};

struct lesson {
	const char *id;  /* folder name without its number: "banks" */
	const char *dir; /* folder name: "10-banks" */
	/* What the folder begins with, by which it can be called: "10"; "" where there is none. One with more digits
	 * than others of the course lies between them, as folders do by name: "4.1" of "041-reconvergence" beside
	 * "04-predication". */
	const char *number;
	const char *path; /* of lesson.md */
	const char *title, *track, *summary, *needs, *takeaway;
	const char *can;      /* what the reader can do afterwards; "" when the lesson does not say */
	const char *language; /* of a translation, as in "de"; "": it is lesson.md, in that of the course */
	const char **after;   /* ids of the lessons that come before */
	int n_after;
	const struct kernel_file *kernel;   /* of the front matter, NULL: none */
	const struct kernel_file **kernels; /* of all steps, each once */
	int n_kernels;
	struct parameter *parameters;
	int n_parameters;
	const char **words;   /* what expressions may name: the parameters, then the names of their values */
	int64_t *word_values; /* of the latter */
	int n_words;
	struct step *steps;
	int n_steps;
	/* Makes the launches of steps whose step_launch does not say them, those of an explored kernel; run NULL: there
	 * are none. */
	struct lesson_launcher {
		struct launch *(*run)(void *ctx, struct arena *arena, const struct step *step, const int64_t *values,
			struct diag *diag);
		void *ctx;
	} launcher;
};

/* Reads DATA/lessons/DIR/lesson.md, its kernel and PTX. All in `arena`. NULL with diagnostics on any fault; every name
 * in it (parameters, watch marks, metrics, views through the two callbacks) is checked. */
struct lesson_names {
	bool (*metric)(const char *name);
	bool (*view)(const char *name);
	const char *(*metric_at)(int index); /* all names in turn, NULL after the last, for messages; may be NULL */
	const char *(*view_at)(int index);
	bool (*defect)(const char *name);
	const char *(*defect_at)(int index);
	bool (*roof)(const char *name); /* of what a GPU can do at most; NULL: there are none */
	const char *(*roof_at)(int index);
	const char *shared; /* a folder with a folder kernels, for kernels that the course lacks; NULL: there is none */
};
struct lesson *lesson_load(struct arena *arena, const char *data_dir, const char *dir, const struct lesson_names *names,
	struct diag *diag);

/* The lesson in the reader's language (LANGUAGE, LC_ALL, LC_MESSAGES, LANG, as gettext takes them): lesson.LANGUAGE.md
 * beside its lesson.md, "lesson.de.md"; the lesson itself where there is none, or none of its parameters and steps, by
 * their ids, in their order: then with a warning, since the reader's progress is kept by ids. */
struct lesson *lesson_translated(struct arena *arena, struct lesson *lesson, const char *data_dir,
	const struct lesson_names *names, struct diag *diag);

/* Whether they have the same parameters and the same steps, by their ids, in the same order: what another language may
 * not change. */
bool lesson_has_same_bones(const struct lesson *a, const struct lesson *b);

/* The same from text in memory (tests, fuzzing, a lesson under way). */
struct lesson_text {
	const char *data_dir; /* of the kernels */
	const char *dir;      /* "10-banks" */
	const char *path;     /* for diagnostics */
	const char *text;
	size_t len;
	const struct lesson_names *names;
};
struct lesson *lesson_parse(struct arena *arena, const struct lesson_text *from, struct diag *diag);

/* The folder that lesson.md lies in. */
const char *lesson_folder(struct arena *arena, const struct lesson *lesson);

/* "banks" of "10-banks", inside of it. */
const char *lesson_id_of_dir(const char *dir);

/* Its number, of which so many digits stand before the point: "10"; "" where there is none. */
const char *lesson_number_of_dir(struct arena *arena, const char *dir, size_t whole);

/* Whether a lesson's folder may be called so: its id becomes part of file names. Else an error at `pos`. */
bool lesson_dir_check(const char *dir, struct diag_pos pos, struct diag *diag);

/* Whether a parameter takes a value; else an error at `pos` that says what it takes. */
bool lesson_check_value(const struct parameter *parameter, int64_t value, struct diag_pos pos, struct diag *diag);

/* The value that is written so: a number, or the name of one. False with an error at `pos`. */
bool lesson_read_value(
	const struct parameter *parameter, const char *text, struct diag_pos pos, int64_t *out, struct diag *diag);

/* What is watched with these parameter values. */
struct step_watched lesson_watched(const struct lesson *lesson, const struct step *step, const int64_t *values);

/* Whether the parameter says what is watched, and changes nothing of the launch. */
bool lesson_is_watch(const struct step *step, int parameter);

/* The setting that stands beside `values`: `other`, in which the parameters that the step compares have the values of
 * its `compare`, or, where `values` has those, the ones that the step begins with. Returns the column of `values`, 0 or
 * 1, so that both settings keep their places when a reader turns from one to the other; -1: the step compares
 * nothing. */
int lesson_compare(const struct lesson *lesson, const struct step *step, const int64_t *values, int64_t *other);

/* Whether the parameter is one of those. */
bool lesson_compare_differs(const struct step *step, int parameter);

/* Appends what the column of a setting is called, by these parameters alone: "tiled", "stride 33". */
void lesson_compare_name(const struct lesson *lesson, const struct step *step, const int64_t *values, struct buf *out);

/* The name of the defect that the step shows with these parameter values, NULL: none. */
const char *lesson_expects_defect(const struct lesson *lesson, const struct step *step, const int64_t *values);

/* Whether something is to be wrong with the program that the step shows, with these values. */
bool lesson_expects_wrong(const struct lesson *lesson, const struct step *step, const int64_t *values);

/* A kernel, or program, of the step's exercise: "start", "solution", "wrong/NAME". NULL with an error at the step. */
const struct kernel_file *lesson_exercise_kernel(
	struct arena *arena, const struct step *step, const char *name, struct diag *diag);

/* The launches of a step, one or several, in their order: each is `before` of the next. */
struct lesson_launches {
	struct launch *at;
	int n, watched;
};

/* With these parameter values (one each). False with diagnostics when an expression fails. */
bool lesson_launches(struct arena *arena, const struct lesson *lesson, const struct step *step, const int64_t *values,
	struct lesson_launches *out, struct diag *diag);

/* The watched one of them; NULL with diagnostics. */
struct launch *lesson_launch(struct arena *arena, const struct lesson *lesson, const struct step *step,
	const int64_t *values, struct diag *diag);

/* --- the catalog -------------------------------------------------------------------------------------------------- */

/* Of the course's glossary. */
struct glossary_term {
	const char *term, *where, *definition; /* where: the step that introduces it, "banks/two-lanes-one-bank" */
};

struct course; /* course.h */

struct catalog {
	const struct course *course;
	struct lesson **lessons; /* by folder name */
	int n_lessons;
	int point;                   /* characters of their longest number from its point on */
	struct glossary_term *terms; /* in the order of lessons/glossary.md */
	int n_terms;
};

/* Reads DATA/lessons/glossary.md, which may be missing, into the catalog. What is not a term is left out with a
 * warning. */
void lesson_glossary_load(struct arena *arena, const char *data_dir, struct catalog *catalog, struct diag *diag);

/* Loads every folder of DATA/lessons with a lesson.md; where DATA is a lesson's folder itself, that lesson. A broken
 * lesson is left out, its faults reported; NULL only when the folder itself cannot be read. */
struct catalog *lesson_catalog_load(
	struct arena *arena, const char *data_dir, const struct lesson_names *names, struct diag *diag);

/* A lesson of that catalog as its files are now, in the reader's language. NULL with diagnostics, as lesson_load. */
struct lesson *lesson_catalog_again(struct arena *arena, const char *data_dir, const struct lesson *old,
	const struct lesson_names *names, struct diag *diag);

/* Resolves "banks", "10-banks", "10" and, after a slash, a step by number from 1 or id: its index from 0. Without a
 * slash *step stays as it is. step may be NULL (then a slash is an error). False with an error that lists what there
 * is. */
bool lesson_catalog_find(
	const struct catalog *catalog, const char *what, const struct lesson **lesson, int *step, struct diag *diag);

/* --- progress ----------------------------------------------------------------------------------------------------- */

struct progress;

/* Reads STATE/progress.json; a missing file is empty progress. A damaged one is kept aside as progress.json.bad, .bad.2
 * and so on, with a warning. Folder and file must be the reader's own and become accessible to them alone; else nothing
 * is kept, with a warning. NULL: nothing is read or kept. */
struct progress *lesson_progress_load(const char *state_dir, struct diag *diag);

/* Reads a file of somebody's progress, which is neither changed nor kept aside. NULL with a warning where it is
 * none. */
struct progress *lesson_progress_read(const char *path, struct diag *diag);
void lesson_progress_free(struct progress *progress);

int lesson_progress_step(const struct progress *progress, const char *lesson); /* last visited, 0 */
bool lesson_progress_answered(const struct progress *progress, const char *lesson, const char *step);
int lesson_progress_visited_count(const struct progress *progress, const char *lesson);
bool lesson_progress_visited(const struct progress *progress, const char *lesson, const char *step);
void lesson_progress_visit(struct progress *progress, const char *lesson, int index, const char *step);
void lesson_progress_answer(struct progress *progress, const char *lesson, const char *step);

/* How often a question was answered, rightly or not, up to the right answer, and how many hints were shown by then.
 * Both are 0 when it was answered by a version that did not count. */
struct lesson_progress_tries {
	int tries, hints;
	bool looked; /* the reader uncovered what answers it */
};
struct lesson_progress_tries lesson_progress_tries(
	const struct progress *progress, const char *lesson, const char *step);
void lesson_progress_try(struct progress *progress, const char *lesson, const char *step, int hints);
/* Takes an answer back, with its tries; `step` NULL: all of the lesson, also what was read. */
void lesson_progress_forget(struct progress *progress, const char *lesson, const char *step);
/* Whether there was none when it was loaded. */
bool lesson_progress_is_new(const struct progress *progress);
/* It is written the next time, even where nothing is known yet. */
void lesson_progress_keep(struct progress *progress);
void lesson_progress_look(struct progress *progress, const char *lesson, const char *step);

/* What is done of a lesson's questions and, apart from them, of its exercises. */
struct lesson_progress_score {
	int questions, answered;
	int at_once, with_hints, looked_up; /* at_once: at the first try, without hints, and not looked up */
	int exercises, solved;
};
struct lesson_progress_score lesson_progress_score(const struct progress *progress, const struct lesson *lesson);
bool lesson_progress_score_full(const struct lesson_progress_score *score);

/* Writes when it changed, together with what other tutors of the reader have written since it was read. */
bool lesson_progress_save(struct progress *progress, struct diag *diag);

/* --- what a kernel's PTX was made from ---------------------------------------------------------------------------- */

/* Among the first lines of a kernel's PTX is `// from: SOURCE HEADER... (cksum SUM BYTES)`, with the checksum of all of
 * them, one after the other, as cksum(1) has it. Headers are named from the course's folder on. `kernels/make-ptx` and
 * `simttutor lesson build` write it. */

#define LESSON_MADE_HEADERS_MAX 32

enum lesson_made { LESSON_MADE_CURRENT, LESSON_MADE_STALE, LESSON_MADE_UNSAID };

/* Whether the PTX is what the source and its headers give now, by that checksum. */
enum lesson_made lesson_made_check(struct arena *arena, const struct kernel_file *file);

/* Appends the line, for a source of that text and its headers, named as above; false when one of them cannot be
 * read. */
bool lesson_made_write(
	const struct kernel_file *file, const char *source, const char *const *headers, int n_headers, struct buf *out);

/* --- courses ------------------------------------------------------------------------------------------------------ */

/* A course is a folder with lessons, their kernels, and this file, which says what it is. */
#define LESSON_COURSE_FILE "course.yaml"

struct course {
	const char *title, *author, *license, *version; /* "" where it does not say */
	const char *language;             /* of its texts, as in "de" or "pt-BR"; "en" where it does not say */
	const char *const *prerequisites; /* what a reader should know, or courses to read before, a line each */
	int n_prerequisites;
	bool withholds_solutions; /* readers get the course without the solutions of its exercises */
};

/* Reads FOLDER/course.yaml. Where there is none, the course says nothing. False with errors. */
bool lesson_course_read(struct arena *arena, const char *folder, struct course *out, struct diag *diag);

/* Whether a folder of an exercise has no solution because its course keeps it back. */
bool lesson_solution_is_withheld(const struct course *course, const char *exercise_dir);

/* --- launches made from a lesson's texts -------------------------------------------------------------------------- */

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

/* Fills in what expressions may name: the parameters, then the names of their values. An error at `pos` when one name
 * would mean two things, or a parameter's is that of a metric. */
void lesson_names_settle_words(struct arena *arena, struct lesson *lesson, const struct lesson_names *names,
	struct diag_pos pos, struct diag *diag);

/* The text with the values of its `{expression}`s, in the arena; NULL and why. Braces of an argument, as in
 * texture:{...}, stay. */
const char *lesson_substitute(
	struct arena *arena, const struct lesson *lesson, const char *text, const int64_t *values, const char **why);

/* --- results ------------------------------------------------------------------------------------------------------ */

/* What the output buffers of an experiment must hold, and whether they do.
 *
 * An expression gives element i. It knows i, the parameters, the scalar arguments as arg0, arg1, ... and the elements
 * of buffers as they were before the launch, as arg0[i]. Whole numbers are computed in 64 bits and taken into the
 * buffer's type as C does; real ones are double. */

/* A launch of the step with these parameter values that was made: `buffers` has one pointer per argument, to its bytes
 * now. */
struct lesson_outcome {
	const struct lesson *lesson;
	const struct step *step;
	const int64_t *values;
	const struct launch *launch;
	void *const *buffers;
};

/* The buffers against the step's results. Returns how many elements were compared; -1 with an error at the step (the
 * first that differs, or why there is no expected value). */
int64_t lesson_check_results(const struct lesson_outcome *outcome, struct diag *diag);
