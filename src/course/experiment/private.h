/* course/experiment/private.h: what the files of experiment/ share. */
#pragma once
#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "course/experiment/experiment.h"
#include "model/profile/times.h"

struct experiment_private {
	uint64_t used; /* set->clock when it was last opened */
	unsigned pins;
	bool has_run, has_recording, has_first, has_live, knows_gpu, has_gpu_launch;
	struct experiment_run run;
	struct experiment_recording recording, first;
	struct experiment_live live;
	const struct experiment_program *program; /* what is recorded of it; NULL: nothing, or it is none */
	enum experiment_on_gpu on_gpu;
	const char *on_gpu_why;          /* NULL: it ends there */
	const struct launch *gpu_launch; /* NULL: there is none */
	bool has_outcome;
	void **outcome; /* per argument: its bytes after the launch; NULL: it does not run to its end */
};

/* The model's timelines of one experiment. */
struct experiment_times {
	struct arena *arena;
	const struct experiment *of; /* NULL: there are none */
	uint32_t sms;                /* that were asked for */
	bool drawn;                  /* they have no estimate */
	struct timelines timelines;
};

struct experiments {
	struct arena *arena;
	const struct lesson *lesson;
	struct experiment_rules rules;
	struct experiment_kernel *
		*kernels; /* of the lesson's files; NULL: not asked for yet. The last is for one of others */
	struct experiment_recordings *recorded; /* NULL: damaged */
	int preferred;                          /* of the GPUs that it is of */
	struct experiment_measured *measured;   /* NULL: there are none */
	struct diag problems;                   /* of both */
	struct experiment **all;
	int n, cap;
	uint64_t clock;
	const char *gpu; /* at hand */
	uint32_t sms;    /* of it; 0: there is none */
	struct experiment_times times;
	struct experiment_kernel_code **codes;
	int n_codes, cap_codes;
};

/* Runs it; with the timelines that the set keeps, if they are what the run gives. */
enum experiment_run_for { EXPERIMENT_RUN_FOR_COUNTS, EXPERIMENT_RUN_FOR_TIMES };
void experiment_run_now(struct experiment *e, enum experiment_run_for what);

void experiment_times_free(struct experiment_times *times);

/* --- times.c: the times that a run makes besides its counts ------------------------------------------------------- */

struct experiment_timing {
	struct times_recorder *recorder; /* NULL: none are made */
	bool counted;                    /* for metrics of the step */
	bool kept;                       /* as the set's timelines */
	uint32_t sms;
};
struct experiment_timing experiment_timing_begin(
	struct experiment *e, enum experiment_run_for what, struct arena *scratch);
void experiment_timing_end(const struct experiment_timing *timing, struct experiment *e, const struct profile *profile);

/* --- measured.c: numbers that a program of its own measured and stored with a lesson ------------------------------ */

/* They are in lessons/X/measured.tsv, by their names: for launches that neither the machine can run nor a recording can
 * hold, and for what is no kernel of the lesson's, as a library. A line is a name, a tab and a number, maybe another
 * tab and a note; "#" begins one that says what was measured where. */

struct experiment_measured;

/* Reads `path`; NULL where there is no such file. Lines that cannot be read are errors (file:line). */
struct experiment_measured *experiment_measured_load(struct arena *arena, const char *path, struct diag *diag);

/* False: it has no number of that name. */
bool experiment_measured_find(const struct experiment_measured *measured, const char *name, double *out);
