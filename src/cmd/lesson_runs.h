/* cmd/lesson_runs.h: the launches of a lesson on the machine, with the detector on, each once. */
#pragma once
#include "gpu/recorded.h"
#include "lesson/lesson.h"
#include "model/metrics.h"
#include "profile/profile.h"

#define LESSON_DEFECTS_MAX 8 /* of a run that are told */

struct lesson_run {
	const struct step *step;   /* the first that asked for it */
	const struct kernel_file *file;
	const struct launch *launch;
	bool ran;                  /* else the diagnostics said why not */
	struct simt_result result;
	struct simt_defect defects[LESSON_DEFECTS_MAX];
	uint32_t n_defects;
	struct counts counts;      /* as far as it ran */
	int n_watched;             /* accesses of the watched line and warp */
	bool results;              /* the buffers held what they must; so with nothing to hold */
	const char *wrong;         /* NULL, or what was wrong with them */
};

struct lesson_runs;

/* In the arena. Recordings are read from the lesson's folder; a damaged file is an error. */
struct lesson_runs *lesson_runs_new(struct arena *arena, const struct lesson *lesson, struct diag *diag);

/* The run of the step's launch with these values; NULL with an error when there cannot be one. The kernel is the step's, or
 * `file` instead when it is not NULL. */
const struct lesson_run *lesson_runs_get(struct lesson_runs *runs, const struct step *step, const int64_t *values,
	const struct kernel_file *file);

/* What was recorded of a run. */
enum recorded_found lesson_runs_recorded(struct lesson_runs *runs, const struct lesson_run *run, struct counts *out);

/* The number a judgement of the step has, its metrics taken from the step's kernel or `file`; false with a constant
 * string. */
bool lesson_runs_judge(struct lesson_runs *runs, const struct step *step, const struct kernel_file *file,
	const struct judgement *judgement, double *out, const char **why);

int lesson_runs_count(const struct lesson_runs *runs);
