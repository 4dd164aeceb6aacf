/* course/lesson/draft.h: the YAML of an experiment, over the defaults of the front matter, -> a step. */
#pragma once
#include "course/lesson/lesson.h"
#include "course/lesson/reader.h"

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

/* Reads the `experiment` of the front matter, or the block of a step; reports its own faults. NULL node: an empty one. */
void lesson_draft_read_defaults(struct reader *r, yaml_node_t *node, struct step_draft *draft);
void lesson_draft_read_step(struct reader *r, yaml_node_t *node, struct step_draft *draft);

/* The values of the parameters, to be changed. */
int64_t *lesson_draft_copy_set(struct arena *arena, const struct step_draft *draft);

/* A copy to be changed by a step. */
void lesson_draft_copy(struct step_draft *out, const struct step_draft *defaults, struct arena *arena);

/* Reads the name of a kernel's file, of the front matter too: `into` is the experiment. */
void lesson_draft_read_file(struct reader *r, yaml_node_t *value, void *into);

/* Reads `launch`, a mapping or a list of them, and `args`: `into` is the draft. */
void lesson_launches_read(struct reader *r, yaml_node_t *value, void *into);
void lesson_launches_read_args(struct reader *r, yaml_node_t *value, void *into);

/* Fills in the step's launches, of `entry` where they name no kernel; errors where something lacks. */
void lesson_launches_finish(
	const struct step_draft *draft, struct arena *arena, const char *entry, struct step *step, struct diag *diag);

/* Where the text is that a fault is in; `otherwise` where the author wrote none. */
struct launch_fault;
struct diag_pos lesson_launches_fault_pos(
	const struct step_draft *draft, const struct launch_fault *fault, struct diag_pos otherwise);

/* Reads what the experiment is compared with, when all else is known: see lesson_compare. */
void lesson_compare_read(struct reader *r, struct step_draft *draft);

/* An error where a view draws a comparison and there is none. */
void lesson_compare_check_views(const struct step_draft *draft, struct diag *diag);

/* Checks that what a step needs is there and that its launch can be made, and fills the step in. */
void lesson_draft_finish(const struct step_draft *draft, struct arena *arena, struct step *step, struct diag *diag);
