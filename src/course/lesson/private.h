/* course/lesson/private.h: what the files of lesson/ share: names, kernels, and the draft of a step with all that is
 * read into it. */
#pragma once
#include "course/lesson/lesson.h"
#include "course/lesson/reader.h"

/* --- names.c: the names of things defined elsewhere; an unknown one is an error that lists what there is ---------- */

/* Index of a parameter, or -1. */
int lesson_names_parameter(const struct lesson *lesson, const char *name);
int lesson_names_find_parameter(const struct lesson *lesson, const struct lesson_scalar *name, struct diag *diag);

/* Reads one of a parameter's values, called `what`. */
bool lesson_names_read_value(
	struct reader *r, yaml_node_t *node, const struct parameter *parameter, const char *what, int64_t *out);

/* Reads a mapping that sets some parameters, each to one of its values. `values` has one for each parameter. */
void lesson_names_read_settings(struct reader *r, yaml_node_t *node, const struct lesson *lesson, int64_t *values);

/* The values of those words, when the parameters have `values`. `out` has room for LESSON_WORDS_MAX. */
void lesson_names_word_values(const struct lesson *lesson, const int64_t *values, int64_t *out);

/* The one of the names that `word` was probably to be: a few letters differ. NULL: none. */
const char *lesson_names_nearest(const char *(*list_at)(int), const char *word);

bool lesson_names_check_metric(const struct lesson_names *names, const struct lesson_scalar *name, struct diag *diag);
bool lesson_names_check_view(const struct lesson_names *names, const struct lesson_scalar *name, struct diag *diag);
bool lesson_names_check_defect(const struct lesson_names *names, const struct lesson_scalar *name, struct diag *diag);

/* --- kernel.c: kernels that a lesson names ------------------------------------------------------------------------ */

/* A lesson names a kernel: its source with marks, and the entries of its PTX. A mark is a comment `//@ name` at the end
 * of a source line; lessons name lines by it, so that they stay right when the kernel is edited. */

/* Where kernels are: a folder, and what struct kernel_file says of its course. */
struct kernel_place {
	const char *folder, *root, *shared;
	bool is_program; /* whole programs: there is no PTX */
};

/* Reads FOLDER/NAME.cu and FOLDER/NAME.ptx. NULL with an error at `pos`. */
const struct kernel_file *lesson_kernel_load(struct arena *arena, const struct kernel_place *place, const char *name,
	struct diag_pos pos, struct diag *diag);

/* Whether it is a name without folder and ending; else an error. */
bool lesson_kernel_name_check(const char *name, struct diag_pos pos, struct diag *diag);

/* The line, from 1, that is written so: a number, or a mark. 0 with an error at `pos`, which lists the marks. */
int lesson_kernel_find_line(const struct kernel_file *file, const char *text, struct diag_pos pos, struct diag *diag);

bool lesson_kernel_has_entry(const struct kernel_file *file, const char *name);

/* The names of all entries, separated by commas. */
const char *lesson_kernel_entries(struct arena *arena, const struct kernel_file *file);

/* The name of its entry, where it has one only; else NULL. */
const char *lesson_kernel_only_entry(struct arena *arena, const struct kernel_file *file);

/* What C++ calls the entry that is `name` in the source, where extern "C" is missing; NULL: there is none. */
const char *lesson_kernel_renamed(struct arena *arena, const struct kernel_file *file, const char *name);

/* --- draft.c, compare.c: the YAML of an experiment, over the defaults of the front matter -> a step --------------- */

struct draft_launch {
	struct diag_pos pos; /* file NULL: of none of a list */
	struct lesson_scalar kernel, grid, block, shared, cluster;
	bool cooperative;
	struct lesson_scalar_list args;
};

struct draft_watch {
	struct lesson_scalar line, launch;
	int64_t block, warp;
	struct diag_pos pos; /* of the last of these that was given */
};

/* Parts that are read once all the rest is known; NULL: not there. */
struct draft_nodes {
	yaml_node_t *sweep_values, *compare, *question, *claim, *exercise;
};

/* What an experiment says. Copied from the front matter's to each step's, which then says what differs. */
struct step_draft {
	struct lesson *lesson; /* parameters and kernel are there; kernels are added */
	const char *data_dir;
	const struct lesson_names *names;
	const struct kernel_file *file;    /* NULL: none, or broken */
	struct draft_launch launch, *then; /* the launch, or the first of a list and those after it */
	int n_then;
	struct draft_watch watch;
	struct lesson_scalar_list views, metrics;
	int64_t *set; /* one for each parameter */
	bool *shown;
	const struct expected *results;
	int n_results;
	struct lesson_scalar defect;
	const struct judgment *defect_when;
	const struct judgment *program_wrong;
	bool of_program;    /* the step's exercise is one, so that there is no experiment */
	bool shows_program; /* of which the experiment is: draft->file */
	bool refused;       /* `experiment: none`: the step does without that of the defaults */
	bool given;         /* something besides the id and the question was said, here or in the defaults */

	/* a step's own */
	struct lesson_scalar id;
	struct step_sweep sweep;
	const int64_t *compare;
	struct draft_nodes nodes;
	struct question question;
	struct claim claim;
	struct exercise exercise;
};

/* An experiment that says nothing. */
void lesson_draft_init(struct step_draft *draft, struct arena *arena, struct lesson *lesson, const char *data_dir,
	const struct lesson_names *names);

/* Reads the `experiment` of the front matter, or the block of a step; reports its own faults. NULL node: an empty
 * one. */
void lesson_draft_read_defaults(struct reader *r, yaml_node_t *node, struct step_draft *draft);
void lesson_draft_read_step(struct reader *r, yaml_node_t *node, struct step_draft *draft);

/* The values of the parameters, to be changed. */
int64_t *lesson_draft_copy_set(struct arena *arena, const struct step_draft *draft);

/* A copy to be changed by a step. */
void lesson_draft_copy(struct step_draft *out, const struct step_draft *defaults, struct arena *arena);

/* Reads the name of a kernel's file, of the front matter too: `into` is the experiment. */
void lesson_draft_read_file(struct reader *r, yaml_node_t *value, void *into);

/* Reads what the experiment is compared with, when all else is known: see lesson_compare. */
void lesson_compare_read(struct reader *r, struct step_draft *draft);

/* An error where a view draws a comparison and there is none. */
void lesson_compare_check_views(const struct step_draft *draft, struct diag *diag);

/* Checks that what a step needs is there and that its launch can be made, and fills the step in. */
void lesson_draft_finish(const struct step_draft *draft, struct arena *arena, struct step *step, struct diag *diag);

/* --- judgment.c: expressions over metrics ------------------------------------------------------------------------- */

/* A term is the name of a metric; `model.` or `recorded.` before it names the witness, `[stride=2, version=tiled]`
 * after it sets parameters. Of a launch it is also `result`, with `argument` and `element` among the latter, or a kind
 * of defect, with _ for blanks: `wrong_mask[count=8]`. Or it is that of a roof, with `roof.` before it. After
 * `measured.` it is the name of a number that is stored with the lesson. */

struct judgment_scope {
	const struct lesson *lesson;
	const struct lesson_names *names;
	const int64_t *set; /* of the parameters, where a term says no other */
	enum term_witness from;
	/* of the launches of a program: LESSON_LAUNCHES, LESSON_LEAKS and those of has_program are names, too */
	bool of_program;
	bool has_program; /* the step shows one: lesson_program_word says what are names */
	bool of_launch;   /* LESSON_RESULT and the kinds of defects are names, too; */
	bool detects;     /* of the latter there are values, since the step is about a defect */
};

/* The scope of an experiment; `set` are the parameters' values. The model is asked. */
struct judgment_scope lesson_judgment_scope_of(const struct step_draft *e, const int64_t *set);

/* The same for what is asked or claimed of its launches. */
struct judgment_scope lesson_judgment_scope_of_launch(const struct step_draft *e, const int64_t *set);

/* False with an error at scalar->pos. */
bool lesson_judgment_parse(
	struct reader *r, const struct lesson_scalar *scalar, const struct judgment_scope *scope, struct judgment *out);

/* Reads a scalar. */
bool lesson_judgment_read(struct reader *r, yaml_node_t *node, const char *what, const struct judgment_scope *scope,
	struct judgment *out);

/* A text in which {= EXPRESSION } stands for a number. */
bool lesson_phrase_read(
	struct reader *r, yaml_node_t *node, const char *what, const struct judgment_scope *scope, struct phrase *out);

/* --- question.c, exercise.c: the question, the claim and the exercise of an experiment ---------------------------- */

/* Read e->nodes.question, e->nodes.claim and e->nodes.exercise, once all the rest of the experiment is known. They
 * report their own faults. */
void lesson_question_read(struct reader *r, struct step_draft *e);
void lesson_claim_read(struct reader *r, struct step_draft *e);
void lesson_exercise_read(struct reader *r, struct step_draft *e);

/* --- parameter.c: what the reader can turn ------------------------------------------------------------------------ */

/* Reads one parameter and adds it to the lesson's, which have room. Reports its own faults. */
void lesson_parameter_read(struct reader *r, yaml_node_t *node, struct lesson *lesson);

/* --- results.c: what output buffers must hold --------------------------------------------------------------------- */

/* Reads the mapping argument -> expression, or {is: expression, within: relative error}. */
void lesson_results_read(struct reader *r, yaml_node_t *node, void *draft);
