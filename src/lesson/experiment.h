/* lesson/experiment.h: the YAML of an experiment, over the defaults of the front matter, -> a step. */
#pragma once
#include "lesson/lesson.h"
#include "lesson/reader.h"

/* What an experiment says. Copied from the front matter's to each step's, which then says what differs. */
struct experiment {
	const struct lesson *lesson;       /* parameters and kernel are there */
	const struct lesson_names *names;
	struct told kernel, grid, block, shared;
	struct told_list args, views, metrics;
	int watch_line;
	int64_t watch_block, watch_warp;
	struct diag_pos watch_pos;
	int64_t *set;                      /* one for each parameter */
	bool *shown;
	bool given;                        /* something besides the id and the question was said, here or in the defaults */

	/* a step's own */
	struct told id;
	const char *sweep_metric, *sweep_parameter;
	int64_t *sweep_values;
	int n_sweep_values;
	yaml_node_t *question_node;
	struct question question;
};

/* An experiment that says nothing. */
void experiment_init(struct experiment *e, struct arena *arena, const struct lesson *lesson,
	const struct lesson_names *names);

/* Reads the `experiment` of the front matter, or the block of a step; reports its own faults. NULL node: an empty one. */
void experiment_read_defaults(struct reader *r, yaml_node_t *node, struct experiment *e);
void experiment_read_step(struct reader *r, yaml_node_t *node, struct experiment *e);

/* A copy to be changed by a step. */
void experiment_copy(struct experiment *out, const struct experiment *defaults, struct arena *arena);

/* Checks that what a step needs is there and that its launch can be made, and fills the step in. */
void experiment_finish(const struct experiment *e, struct arena *arena, struct step *step, struct diag *diag);
