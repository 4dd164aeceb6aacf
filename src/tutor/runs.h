/* tutor/runs.h: the launches of a lesson on the machine, with the detector on, each once. */
#pragma once
#include "experiment/recorded.h"
#include "lesson/lesson.h"
#include "model/metrics.h"
#include "profile/profile.h"

#define RUN_DEFECTS_MAX 8 /* of a run that are told */

struct machine_run {
	const struct step *step; /* the first that asked for it */
	const struct kernel_file *file;
	const struct launch *launch;
	bool ran; /* else the diagnostics said why not */
	struct simt_result result;
	struct simt_defect defects[RUN_DEFECTS_MAX];
	uint32_t n_defects;
	struct counts counts; /* as far as it ran */
	int n_watched;        /* accesses of the watched line and warp */
	bool has_shuffled;    /* it shuffled there */
	bool results;         /* the buffers held what they must; so with nothing to hold */
	const char *wrong;    /* NULL, or what was wrong with them */
};

struct runs;

/* In the arena. Recordings are read from the lesson's folder; a damaged file is an error. */
struct runs *runs_new(struct arena *arena, const struct lesson *lesson, struct diag *diag);

/* The run of the step's launch with these values; NULL with an error when there cannot be one. The step may be a copy with
 * another kernel. */
const struct machine_run *runs_get(struct runs *runs, const struct step *step, const int64_t *values);

/* What was recorded of a run. */
enum recorded_found runs_recorded(struct runs *runs, const struct machine_run *run, struct counts *out);

/* Of all its shared accesses, recorded instruction by instruction: what counter_compare asks for. */
struct value runs_recorded_wavefronts(struct runs *runs, const struct machine_run *run);

/* Whether a GPU gets to the end of the launch: see profile_on_gpu. Else there is nothing to record. */
bool runs_on_gpu(struct runs *runs, const struct machine_run *run);

/* The number a judgement of the step has; false with a constant string. */
bool runs_judge(
	struct runs *runs, const struct step *step, const struct judgement *judgement, double *out, const char **why);

/* The value of one of its terms. */
bool runs_term(struct runs *runs, const struct step *step, const struct term *term, double *out, const char **why);

/* At most so many warp instructions a launch from now on. */
void runs_limit(struct runs *runs, uint64_t steps);

int runs_count(const struct runs *runs);
