/* cmd/record_parts.h: what the files of the command `record` share. */
#pragma once
#include "cmd/cmd.h"
#include "cmd/program_record.h"
#include "course/experiment/experiment.h"
#include "gpu/client/gpu.h"
#include "model/hardware/counters.h"

struct recording {
	struct cmd_ctx *ctx;
	struct gpu *gpu;
	struct catalog *catalog;
	const struct lesson *lesson; /* that is being recorded */
	const char *output;          /* NULL: in the lesson's own folder */
	bool check, resume, force, no_model, model;
	bool code;           /* machine code alone */
	const char *uncoded; /* why there is none, once that was said */
	const char *metrics[COUNTERS];
	int n_metrics;
	struct buf text; /* what is printed */
	bool agreed;
};

/* The recordings of one lesson under way. */
struct recording_lesson {
	struct recording *r;
	struct experiments *set;
	const struct experiment_recordings *before;
	struct experiment_recordings *recorded;
	struct program_record *program; /* the last that a step showed */
	int launches, kept, codes;
	int failures;
};

/* --- record_launch.c -------------------------------------------------------------------------------------------------- */

/* False with an error: there is none that counts. */
bool cmd_record_find_gpu(struct recording *r);

/* Of what this GPU measures today; in `arena` and in `info`. */
struct experiment_provenance cmd_record_provenance(struct arena *arena, const struct wire_gpu *info);

enum prediction { PREDICTED, PREDICTED_STOP, PREDICTION_FAILED };

/* What the model has for it in `run`, NULL where it is not asked. With a defect that is the lesson nothing is predicted but whether
 * a GPU runs the launch to its end; else PREDICTED_STOP. PREDICTION_FAILED with an error. */
enum prediction cmd_record_predict(
	struct recording *r, struct experiment *e, const char *label, const struct experiment_run **run);

/* What the model says of a launch that is recorded is compared with it, and stored where no reader can wait for it. */
void cmd_record_take_prediction(struct recording *r, struct experiment_recordings *recorded, struct experiment *e,
	const char *label, const struct experiment_run *run);

/* Makes the launch on the GPU and stores its counters, those of its lines and its results. False with an error. */
bool cmd_record_launch(
	struct recording *r, struct experiment_recordings *recorded, struct experiment *e, const char *label);

/* --- record_code.c ---------------------------------------------------------------------------------------------------- */

bool cmd_record_shows_code(const struct step *step);

/* The machine code of its kernel, once for all launches of it; what was recorded before stays where none can be made. */
void cmd_record_code(struct recording_lesson *l, struct experiment *e);

/* The launch of a lesson whose machine code alone is stored; its result, if it has one, stays. */
void cmd_record_code_point(struct recording_lesson *l, struct experiment *e);

/* The machine code of the start and the solution of an exercise that shows it; they are not launched for it. */
void cmd_record_code_exercise(struct recording_lesson *l, const struct lesson *lesson, const struct step *step);
