#include "config.h"
#include "tutor/runs.h"

#include <string.h>

#include "base/paths.h"
#include "base/vec.h"
#include "lesson/limits.h"
#include "lesson/results.h"
#include "profile/times.h"
#include "experiment/lines.h"

/* What a run may cost; far above what a reader would wait for. */
#define STEPS_MAX 20000000u

struct module {
	const struct kernel_file *file;
	struct ptx_module *module; /* NULL: broken */
	char fingerprint[17];
};

struct runs {
	struct arena *arena;
	const struct lesson *lesson;
	struct recorded *recorded; /* NULL: damaged */
	struct module modules[LESSON_KERNELS_MAX];
	int n_modules;
	struct machine_run **runs;
	int n, cap;
	uint64_t steps; /* a launch may take */
	struct diag *diag;
};

void runs_limit(struct runs *runs, uint64_t steps)
{
	runs->steps = steps;
}

struct runs *runs_new(struct arena *arena, const struct lesson *lesson, struct diag *diag)
{
	struct runs *runs = arena_alloc(arena, sizeof *runs);
	const char *slash = strrchr(lesson->path, '/');
	const char *folder = slash ? arena_strndup(arena, lesson->path, (size_t)(slash - lesson->path)) : ".";
	runs->arena = arena;
	runs->lesson = lesson;
	runs->diag = diag;
	runs->steps = STEPS_MAX;
	runs->recorded = recorded_load(arena, path_join(arena, folder, "recorded.json"), diag);
	return runs;
}

int runs_count(const struct runs *runs)
{
	return runs->n;
}

static struct module *find_module(struct runs *runs, const struct kernel_file *file)
{
	for (int i = 0; i < runs->n_modules; i++)
		if (runs->modules[i].file == file)
			return &runs->modules[i];
	struct module *m = &runs->modules[runs->n_modules < LESSON_KERNELS_MAX ? runs->n_modules++ : 0];
	m->file = file;
	m->module = ptx_parse(runs->arena, file->ptx_path, file->ptx_text, file->ptx_len, runs->diag);
	recorded_fingerprint(file->ptx_text, file->ptx_len, m->fingerprint);
	return m;
}

/* --- one run ------------------------------------------------------------------------------------------------------ */

static void keep_defects(struct machine_run *run, const struct simt_report *report)
{
	run->n_defects = report->n < RUN_DEFECTS_MAX ? report->n : RUN_DEFECTS_MAX;
	memcpy(run->defects, report->defects, run->n_defects * sizeof *run->defects);
}

static void check_results(struct runs *runs, const struct step *step, const int64_t *values,
	const struct profile *profile, struct machine_run *run)
{
	struct diag faults = {0};
	run->results = lesson_check_results(runs->lesson, step, values, run->launch, profile->buffers, "", &faults) >=
		0;
	if (!run->results)
		run->wrong = arena_strdup(runs->arena, faults.entries[0].message);
	diag_free(&faults);
}

static void run_it(struct runs *runs, const struct step *step, const int64_t *values, struct machine_run *run)
{
	struct module *m = find_module(runs, run->file);
	struct profile_watch watch = {.line = lesson_watch_line(runs->lesson, step, values),
		.block = step->watch_block,
		.warp = step->watch_warp,
		.steps = runs->steps,
		.checks = SIMT_CHECK_ALL,
		.defects = RUN_DEFECTS_MAX};
	struct arena *scratch = arena_new();
	struct times_recorder *times = m->module && times_are_in(step->metrics, step->n_metrics)
		? times_listen(scratch, m->module, run->launch, &(struct times_request){.cc = MODEL_CC_DEFAULT})
		: NULL;
	watch.also = times ? times_listener(times) : NULL;
	struct profile *profile = m->module
		? profile_run(scratch, m->module, run->launch, watch, MODEL_CC_DEFAULT, runs->diag)
		: NULL;
	if (profile) {
		run->ran = true;
		run->result = profile->result;
		run->counts = profile->counts;
		run->n_watched = profile->n_watched;
		run->has_shuffled = profile->has_shuffled;
		keep_defects(run, &profile->report);
		if (profile->result.outcome == SIMT_OK)
			check_results(runs, step, values, profile, run);
	}
	if (times) { /* also of a race */
		struct timelines made;
		times_take(times, profile ? &profile->result : NULL, scratch, &made);
		times_count(&made, &run->counts);
	}
	arena_free(scratch);
}

/* Steps that do not say otherwise share their runs. */
static bool is_the_same(const struct machine_run *run, const struct step *step, const struct launch *launch)
{
	const struct step *other = run->step;
	bool watch = other->watch == step->watch && other->watch_block == step->watch_block &&
		other->watch_warp == step->watch_warp;
	bool times = times_are_in(other->metrics, other->n_metrics) == times_are_in(step->metrics, step->n_metrics);
	return watch && times && other->results == step->results && run->file == step->file &&
		recorded_same_launch(run->launch, launch);
}

const struct machine_run *runs_get(struct runs *runs, const struct step *step, const int64_t *values)
{
	struct launch *launch = lesson_launch(runs->arena, runs->lesson, step, values, runs->diag);
	if (!launch)
		return NULL;
	for (int i = 0; i < runs->n; i++)
		if (is_the_same(runs->runs[i], step, launch))
			return runs->runs[i];
	struct machine_run *run = arena_alloc(runs->arena, sizeof *run);
	*run = (struct machine_run){.file = step->file, .launch = launch, .step = step};
	run_it(runs, step, values, run);
	*vec_push_in(runs->arena, runs->runs, runs->n, runs->cap) = run;
	return run;
}

/* --- what it says ------------------------------------------------------------------------------------------------- */

enum recorded_found runs_recorded(struct runs *runs, const struct machine_run *run, struct counts *out)
{
	struct recorded_result found;
	*out = (struct counts){0};
	if (!runs->recorded)
		return RECORDED_NONE;
	enum recorded_found how = recorded_find(
		runs->recorded, find_module(runs, run->file)->fingerprint, run->launch, &found);
	for (int i = 0; how == RECORDED_OK && i < found.n; i++) {
		enum counter_id id = counter_find(found.metrics[i]);
		if (id != COUNTER_NONE)
			out->c[id] = value_ok(found.values[i]);
	}
	return how;
}

struct value runs_recorded_wavefronts(struct runs *runs, const struct machine_run *run)
{
	struct recorded_result found;
	if (!runs->recorded ||
		recorded_find(runs->recorded, find_module(runs, run->file)->fingerprint, run->launch, &found) !=
			RECORDED_OK)
		return value_missing(VALUE_NONE);
	return lines_wavefronts(found.lines);
}

bool runs_on_gpu(struct runs *runs, const struct machine_run *run)
{
	struct module *m = find_module(runs, run->file);
	struct arena *scratch = arena_new();
	const struct profile *profile = m->module
		? profile_on_gpu(scratch, m->module, run->launch, runs->steps, MODEL_CC_DEFAULT, runs->diag)
		: NULL;
	bool ends = profile && profile->result.outcome == SIMT_OK;
	arena_free(scratch);
	return ends;
}

struct judging {
	struct runs *runs;
	const struct step *step;
};

bool runs_term(struct runs *runs, const struct step *step, const struct term *term, double *out, const char **why)
{
	const struct machine_run *run = runs_get(runs, step, term->set);
	struct counts counts;
	*why = "the launch cannot be made, or does not run";
	if (!run || !run->ran)
		return false;
	*why = "nothing is recorded";
	if (term->witness == TERM_MODEL)
		counts = run->counts;
	else if (runs_recorded(runs, run, &counts) != RECORDED_OK)
		return false;
	struct value value = metric_value(metric_find(term->metric), &counts);
	*why = value_reason(value.state);
	*out = value.v;
	return value.state == VALUE_OK;
}

static bool term_value(void *ctx, const struct term *term, double *out, const char **why)
{
	struct judging *j = ctx;
	return runs_term(j->runs, j->step, term, out, why);
}

bool runs_judge(
	struct runs *runs, const struct step *step, const struct judgement *judgement, double *out, const char **why)
{
	struct judging j = {runs, step};
	return lesson_judge(runs->lesson, judgement, term_value, &j, out, why);
}
