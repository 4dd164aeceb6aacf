/* tutor/workbench.h: the open lesson's kernel, ready to run, and what its runs gave. Inside tutor/ only.
 *
 * An experiment is one launch: a step with one set of parameter values. Its run on the machine, its recorded numbers and
 * those measured live are kept together, so that going back to a value shows everything at once. At most
 * WORKBENCH_EXPERIMENTS are kept; those not used for longest go first. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "experiment/program.h"
#include "experiment/recorded.h"
#include "lesson/lesson.h"
#include "model/linecounts.h"
#include "model/metrics.h"
#include "probe/timeline.h"
#include "view/view.h"

#define WORKBENCH_EXPERIMENTS 96

/* What a GPU's stamps and samples said. */
struct experiment_times {
	enum value_state state[PROBE_TIMELINES]; /* of each timeline; VALUE_NONE: not asked for yet */
	enum value_state activity;               /* of the samples */
	struct timelines times;                  /* those that came */
};

struct experiment {
	struct arena *arena;
	const struct step *step;
	struct program *program;
	int watch_line;              /* 0: none */
	const int64_t *values;       /* of the lesson's parameters */
	uint64_t used;               /* when last asked for */
	uint64_t serial;             /* no other of the bench has it */
	bool pinned;                 /* a measurement is on its way: keep it */
	bool not_launched;           /* its defect, which is the lesson, would end it on a GPU, or hang it */
	struct diag problems;        /* why it did not run, or not to the end */
	const struct launch *launch; /* NULL: the step's expressions failed */
	struct counts model;         /* VALUE_NONE throughout when it did not run */
	struct counts live;          /* VALUE_NONE: not asked for yet */
	struct counts recorded;
	enum recorded_found found;
	const struct provenance *provenance; /* of the recording */
	struct line_table live_lines;        /* counted when live_lines_state is VALUE_OK; NONE: not asked for yet */
	enum value_state live_lines_state;
	struct line_table recorded_lines; /* no rows: not recorded */
	struct experiment_times live_times;
	const char *place; /* "line 14 · block 0 warp 0" */
	bool has_access;
	struct warp_access access; /* the first of the watched line and warp */
	bool has_shuffle;
	struct warp_shuffle shuffle; /* likewise */
	struct view_source source;
	struct view_launch shape;
	struct view_defects defects;
	struct view_occupancy occupancy;
};

/* The model's timelines of one experiment. */
struct model_times {
	struct arena *arena;
	uint64_t of;  /* experiment->serial; 0: none */
	uint32_t sms; /* that were asked for */
	struct timelines times;
};

struct workbench {
	struct arena *arena;
	const struct lesson *lesson;
	struct program **programs; /* of the lesson's kernels; NULL: not asked for yet */
	struct recorded *recorded;
	struct diag problems; /* of the recordings */
	struct experiment *experiments[WORKBENCH_EXPERIMENTS];
	int n_experiments;
	const struct experiment *current; /* on the screen: never dropped */
	uint64_t clock;
	bool wants_times;         /* what is run now is to be shown in a view of time */
	uint32_t sms;             /* of the GPU at hand, 0: there is none, */
	const char *gpu;          /* and its name */
	struct model_times times; /* that the last run made for that view */
};

struct workbench *workbench_new(const struct lesson *lesson);
void workbench_free(struct workbench *bench);

/* The experiment of the step with these values, run now unless it is kept from before. Never NULL. Valid until others
 * push it out, unless it is pinned or current. */
struct experiment *workbench_get(struct workbench *bench, const struct step *step, const int64_t *values);

/* What a GPU said of it is to be asked for again; of one that is not put to a GPU never. */
void experiment_forget_live(struct experiment *e);

/* What is recorded of the step with these values. Nothing is run: large launches are there to be measured only. */
enum recorded_found workbench_recorded(
	struct workbench *bench, const struct step *step, const int64_t *values, struct counts *out);

/* Frees the experiments of a step that is about to go, with its kernel, which is none of the lesson's. */
void workbench_forget(struct workbench *bench, const struct step *step);

/* The same, but NULL instead of a run. */
struct experiment *workbench_peek(struct workbench *bench, const struct step *step, const int64_t *values);

/* The PTX by which the lines of the experiment's kernel are counted; NULL when there is none. Valid as long as the bench. */
const char *workbench_lines_ptx(struct workbench *bench, const struct experiment *e);
