/* cmd/record.h: what the files of the command `record` share. */
#pragma once
#include "cmd/cmd.h"
#include "cmd/program.h"
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

enum prediction { PREDICTED, PREDICTED_STOP, PREDICTION_FAILED };

/* --- --record FILE of sessions on the terminal. --- */

#define CMD_RECORD_OPTION                                                                                              \
	{                                                                                                              \
		"record", 0, "FILE", N_("keep what is seen, as asciicast v2 with a marker for each step")              \
	}

/* Begins it where it was asked for; a regular file that is there is written over. False with an error. */
bool cmd_recording_begin(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);

/* Ends it; false with an error where it was not written to its end. */
bool cmd_recording_end(struct cmd_ctx *ctx);
