/* One run on the machine with the models listening, and what is kept of it. */
#include <string.h>

#include "course/experiment/private.h"
#include "course/lesson/private.h"

static struct diag_pos source_place(const struct experiment *e, const struct ptx_location *place)
{
	const struct kernel_file *file = e->kernel->file;
	const char *slash = strrchr(file->source_path, '/');
	return (struct diag_pos){
		.file = slash ? slash + 1 : file->source_path,
		.line = place->line,
		.text = file->source_text,
		.text_len = file->source_len,
	};
}

/* Whether the run ended with the defect that the step is about, or with any: then its counts are complete. */
static bool shows_defect(const struct experiment *e, const struct profile *profile)
{
	return profile->result.outcome == SIMT_DEFECT && profile->result.ended &&
		(e->set->rules.looks || lesson_expects_defect(e->set->lesson, e->step, e->values));
}

/* --- what is kept ------------------------------------------------------------------------------------------------- */

static void keep_watched(struct experiment_run *run, const struct profile *profile, int access)
{
	run->n_watched = profile->n_watched;
	run->has_access = access < profile->n_watched;
	if (run->has_access)
		run->access = profile->watched[access];
	run->has_shuffle = profile->has_shuffled;
	run->shuffle = profile->shuffled;
	run->tiles = profile->tiles;
	run->cluster = profile->cluster;
	memcpy(run->taking_part, profile->taking_part, sizeof run->taking_part);
}

static bool results_are_right(
	struct experiment *e, const struct launch *launch, void *const *buffers, const char **wrong)
{
	struct diag faults = {0};
	const struct lesson_outcome outcome = {e->set->lesson, e->step, e->values, launch, buffers};
	bool right = lesson_check_results(&outcome, &faults) >= 0;
	*wrong = right ? NULL : arena_strdup(e->arena, faults.entries[0].message);
	diag_free(&faults);
	return right;
}

static bool is_looked_at(const struct experiment *e)
{
	return e->step->defect || e->set->rules.looks || e->set->rules.care == EXPERIMENT_CHECKED;
}

static void keep_profile(struct experiment *e, const struct profile *profile)
{
	struct experiment_run *run = &e->private->run;
	run->ran = true;
	run->looked = is_looked_at(e);
	run->result = profile->result;
	run->counts = profile->counts;
	if (run->counts.c[COUNTER_OCCUPANCY_LIMIT].state == VALUE_OK) /* now with the registers */
		run->counts.c[COUNTER_OCCUPANCY_LIMIT] = value_ok(run->occupancy.percent);

	struct experiment_line *lines = arena_array(e->arena, struct experiment_line, (size_t)profile->n_lines + 1);
	for (int i = 0; i < profile->n_lines; i++) {
		const struct profile_line *line = &profile->lines[i];
		lines[i] = (struct experiment_line){
			.line = line->line,
			.executed = line->executions > 0,
			.requests = line->shared_requests + line->global_requests,
			.wavefronts = profile_wavefronts(line),
			.sectors = profile_sectors(line),
			.active_lanes = profile_lanes(line),
		};
	}
	e->private->run.lines = lines;
	e->private->run.n_lines = profile->n_lines;

	uint64_t *executed = arena_array(e->arena, uint64_t, (size_t)profile->n_instrs + 1);
	if (profile->n_instrs)
		memcpy(executed, profile->executed, (size_t)profile->n_instrs * sizeof *executed);
	e->private->run.executed = executed;
	e->private->run.n_executed = profile->n_instrs;

	keep_watched(run, profile, e->watched.access);

	const struct simt_report *defects_report = &profile->report;
	run->n_defects = defects_report->n < EXPERIMENT_DEFECTS_MAX ? defects_report->n : EXPERIMENT_DEFECTS_MAX;
	if (run->n_defects)
		memcpy(run->defects, defects_report->defects, run->n_defects * sizeof *run->defects);

	struct experiment_run *results_run = &e->private->run;
	if (e->set->rules.care == EXPERIMENT_CHECKED && profile->result.outcome == SIMT_OK && e->all.n == 1)
		results_run->results = experiment_results_right(e, profile->buffers, &results_run->wrong);
}

/* --- what is stored ----------------------------------------------------------------------------------------------- */

#define BEGINNING_STEPS 50000u /* warp instructions, for the pictures */

static bool is_stored(struct experiment *e)
{
	const struct experiment_rules *rules = &e->set->rules;
	const struct experiment_recording *recording = experiment_recording(e);
	uint64_t steps = recording->modeled.steps, limit = rules->steps ? rules->steps : PROFILE_STEPS_MAX;
	if (rules->stored == EXPERIMENT_STORED_NEVER || !recording->has_model)
		return false;
	return steps == 0 || steps > limit || (rules->stored == EXPERIMENT_STORED_LONG && !is_looked_at(e));
}

/* --- the run ------------------------------------------------------------------------------------------------------ */

static struct profile_watch watch_of(const struct experiment *e)
{
	struct profile_watch watch = {.line = e->watched.line,
		.block = e->watched.block,
		.warp = e->watched.warp,
		.steps = e->set->rules.steps,
		.unread = e->set->rules.care != EXPERIMENT_CHECKED};
	if (is_looked_at(e)) {
		watch.checks = SIMT_CHECK_ALL;
		watch.defects = EXPERIMENT_DEFECTS_MAX;
		watch.orders = PROFILE_ORDERS_DEFAULT;
	}
	return watch;
}

static struct profile_watch beginning_of(struct profile_watch watch)
{
	watch.steps = BEGINNING_STEPS;
	watch.through = true;
	return watch;
}

/* --- several launches --------------------------------------------------------------------------------------------- */

/* The buffers of the last launch, those that it has by name as they were made by the launch that names them. */
static void judge_last(struct experiment *e, struct arena *scratch, const struct profile *profile)
{
	struct experiment_run *run = &e->private->run;
	struct launch last = e->all.at[e->all.n - 1];
	struct launch_arg *args = arena_array(scratch, struct launch_arg, (size_t)last.n_args + 1);
	void *buffers[LAUNCH_ARGS_MAX] = {0};
	for (int i = 0; i < last.n_args; i++)
		args[i] = last.args[i];
	for (int i = 0; i < profile->n_placed; i++) {
		const struct profile_buffer *b = &profile->placed[i];
		if (b->argument < 0 || b->argument >= last.n_args || b->member >= 0)
			continue;
		args[b->argument] = *b->what;
		buffers[b->argument] = b->bytes;
	}
	last.args = args;
	run->results = results_are_right(e, &last, buffers, &run->wrong);
}

/* The profile of the watched one; NULL where it was not reached. Results are judged after the last. */
static const struct profile *run_several(
	struct experiment *e, struct arena *scratch, const struct profile_watch *watch, struct profile_device *device)
{
	bool checked = e->set->rules.care == EXPERIMENT_CHECKED;
	int last = checked ? e->all.n - 1 : e->all.watched;
	const struct profile *watched = NULL;
	for (int i = 0; i <= last; i++) {
		struct profile_watch its = {
			.steps = watch->steps, .checks = watch->checks, .defects = watch->defects, .cc = watch->cc};
		if (i == e->all.watched)
			its = *watch;
		its.unread = !checked || i < last;
		const struct profile *profile = profile_run_on(scratch, device, &e->all.at[i], its, &e->problems);
		if (i == e->all.watched)
			watched = profile;
		if (profile && profile->result.outcome != SIMT_OK && i != e->all.watched) {
			/* One of those that are not watched did not run to its end. */
			struct experiment_run *run = &e->private->run;
			const struct simt_result *result = &profile->result;
			const char *text = arena_printf(e->arena, "launch %d of %d, %s: %s", i + 1, e->all.n,
				e->all.at[i].kernel, result->message);
			if (i < e->all.watched)
				diag_error(&e->problems, source_place(e, &result->place), "%s", text);
			run->results = false;
			run->wrong = text;
		}
		if (!profile || profile->result.outcome != SIMT_OK)
			return watched;
		if (checked && i == last)
			judge_last(e, scratch, profile);
	}
	return watched;
}

static const struct profile *run_all(struct experiment *e, struct arena *scratch, const struct profile_watch *watch)
{
	const struct profile_before how = {.keeps = true, .steps = watch->steps};
	if (e->all.n == 1)
		return profile_run(scratch, e->kernel->module, e->launch, *watch, &e->problems);
	struct profile_device *device = profile_device_open(e->kernel->module, &e->all.at[0], &how, &e->problems);
	const struct profile *profile = device ? run_several(e, scratch, watch, device) : NULL;
	profile_device_free(device);
	return profile;
}

void experiment_run_now(struct experiment *e, enum experiment_run_for what)
{
	e->private->has_run = true;
	if (e->launch && experiment_is_program(e)) {
		/* A program is not run here: what is stored of it is its run. */
		enum experiment_recorded found;
		struct experiment_run *run = &e->private->run;
		run->ran = experiment_program(e, &found);
		run->results = run->ran;
		run->result.outcome = SIMT_OK;
		if (!run->ran)
			diag_error(&e->problems, (struct diag_pos){0},
				"%s with arguments '%s' is not recorded%s; simttutor record --model does it",
				e->kernel->file->source_path, experiment_program_arguments(e),
				found == RECORDED_STALE ? " as it is now" : "");
	}
	if (!e->launch || !e->kernel->module)
		return;

	/* Registers are known where a compiler for the GPU counted them: in a recording. */
	struct experiment_run *run = &e->private->run;
	struct diag unheard = {0};
	const struct ptx_kernel *kernel = ptx_find_kernel(e->kernel->module, e->launch->kernel, &unheard);
	struct value registers = experiment_recording(e)->counts.c[COUNTER_REGISTERS];
	uint64_t threads = (uint64_t)e->launch->block[0] * e->launch->block[1] * e->launch->block[2];
	run->block.shared = e->launch->shared;
	if (kernel && threads <= BLOCK_THREADS_MAX) {
		run->block.threads = (uint32_t)threads;
		run->block.shared += ptx_shared_bytes(kernel);
		run->block.registers = registers.state == VALUE_OK ? (uint32_t)registers.v : e->step->registers;
		run->occupancy = occupancy(e->set->rules.cc, &run->block);
	}
	diag_free(&unheard);

	/* a run's buffers are many times what is kept of it */
	struct arena *scratch = arena_new();
	struct profile_watch watch = watch_of(e);
	struct experiment_timing timing = {.recorder = NULL};
	watch.cc = e->set->rules.cc;
	if (is_stored(e))
		watch = beginning_of(watch);
	else
		timing = experiment_timing_begin(e, what, scratch);
	watch.also = timing.recorder ? profile_times_listener(timing.recorder) : NULL;
	const struct profile *profile = run_all(e, scratch, &watch);
	if (profile)
		keep_profile(e, profile);
	experiment_timing_end(&timing, e, profile);
	if (profile && is_stored(e) && profile->result.outcome != SIMT_DEFECT) {
		/* The counts of the whole launch in place of those of its beginning. */
		struct experiment_run *stored_run = &e->private->run;
		const struct experiment_modeled *modeled = &experiment_recording(e)->modeled;
		bool fits = modeled->n_executed == stored_run->n_executed; /* a file can say anything */
		stored_run->stored = true;
		stored_run->counts = experiment_recording(e)->model;
		stored_run->result.outcome = SIMT_OK;
		stored_run->result.steps = modeled->steps;
		stored_run->lines = modeled->lines;
		stored_run->n_lines = modeled->n_lines;
		stored_run->executed = fits ? modeled->executed : NULL;
		stored_run->results = true;
		stored_run->wrong = NULL;
	} else if (profile) {
		/* A run that stopped early predicts nothing for a reader. */
		if (e->set->rules.care != EXPERIMENT_CHECKED && profile->result.outcome != SIMT_OK &&
			!shows_defect(e, profile)) {
			struct counts *forget_counts = &e->private->run.counts;
			for (int i = 0; i < COUNTERS; i++)
				if (forget_counts->c[i].state == VALUE_OK)
					forget_counts->c[i] = value_missing(VALUE_FAILED);
			diag_error(
				&e->problems, source_place(e, &profile->result.place), "%s", profile->result.message);
		}
	}
	arena_free(scratch);
}

const struct experiment_run *experiment_run(struct experiment *e)
{
	if (!e->private->has_run)
		experiment_run_now(e, EXPERIMENT_RUN_FOR_COUNTS);
	return &e->private->run;
}

static bool same_access(const struct warp_access *a, const struct warp_access *b)
{
	if (a->space != b->space || a->op != b->op || a->width != b->width || a->active != b->active)
		return false;
	for (int lane = 0; lane < WARP_SIZE; lane++)
		if (a->active >> lane & 1 && a->address[lane] != b->address[lane])
			return false;
	return true;
}

/* What pictures are drawn from. */
static bool same_pictures(const struct experiment_run *a, const struct experiment_run *b)
{
	if (a->n_watched != b->n_watched || a->has_access != b->has_access || !same_access(&a->access, &b->access) ||
		a->has_shuffle != b->has_shuffle || memcmp(&a->shuffle, &b->shuffle, sizeof a->shuffle) != 0)
		return false;
	/* An instruction's name says how its tiles lie. */
	if (a->tiles.n != b->tiles.n || strcmp(a->tiles.name, b->tiles.name) != 0)
		return false;
	return !memcmp(&a->cluster, &b->cluster, sizeof a->cluster) &&
		!memcmp(a->taking_part, b->taking_part, sizeof a->taking_part);
}

bool experiment_beginning_suffices(struct experiment *e)
{
	const struct experiment_run *whole = experiment_run(e);
	struct experiment_run beginning = {.ran = true};
	struct arena *scratch = arena_new();
	struct profile_watch watch = beginning_of(watch_of(e));
	watch.cc = e->set->rules.cc;
	watch.checks = 0;
	const struct profile *profile = run_all(e, scratch, &watch);
	if (profile)
		keep_watched(&beginning, profile, e->watched.access);
	bool same = profile && same_pictures(whole, &beginning);
	arena_free(scratch);
	return same;
}

bool experiment_results_right(struct experiment *e, void *const *buffers, const char **wrong)
{
	const struct launch *launch = experiment_gpu_launch(e);
	return results_are_right(e, launch ? launch : e->launch, buffers, wrong);
}

/* --- a GPU -------------------------------------------------------------------------------------------------------- */

enum experiment_on_gpu experiment_on_gpu(struct experiment *e, const char **why)
{
	struct experiment_private *p = e->private;
	if (!p->knows_gpu && e->launch && e->kernel->module) {
		/* Whether a GPU might not run it to its end. */
		bool suspect = lesson_expects_defect(e->set->lesson, e->step, e->values) != NULL;
		if (e->set->rules.looks)
			suspect = experiment_run(e)->n_defects > 0 || experiment_run(e)->result.outcome != SIMT_OK;
		if (suspect) {
			struct arena *scratch = arena_new();
			struct diag faults = {0};
			const struct profile *profile = profile_on_gpu(scratch, e->kernel->module, e->launch,
				(struct profile_watch){
					.steps = e->set->rules.steps, .cc = e->set->rules.cc, .unread = true},
				&faults);
			enum experiment_on_gpu end = EXPERIMENT_ON_GPU_UNKNOWN;
			if (profile && profile->result.outcome == SIMT_OK)
				end = EXPERIMENT_ENDS_ON_GPU;
			else if (profile && profile->result.outcome == SIMT_DEFECT)
				end = EXPERIMENT_STOPS_ON_GPU;
			if (end != EXPERIMENT_ENDS_ON_GPU)
				p->on_gpu_why = arena_strdup(e->arena,
					profile                ? profile->result.message
						: faults.count ? faults.entries[0].message
							       : "");
			diag_free(&faults);
			arena_free(scratch);
			p->on_gpu = end;
		}
	}
	p->knows_gpu = true;
	if (why)
		*why = p->on_gpu_why;
	return p->on_gpu;
}

bool experiment_result(struct experiment *e, int argument, uint64_t element, double *out, const char **why)
{
	struct experiment_private *p = e->private;
	*why = e->all.n > 1 ? "results are of steps with one launch" : "the launch does not run to its end";
	if (!e->launch || !e->kernel->module || e->all.n > 1)
		return false;
	if (!p->has_outcome) {
		struct arena *scratch = arena_new();
		struct diag unheard = {0}; /* the run that counts reports the same */
		const struct profile_watch watch = {.steps = e->set->rules.steps, .cc = e->set->rules.cc};
		const struct profile *profile = profile_run(scratch, e->kernel->module, e->launch, watch, &unheard);
		if (profile && profile->result.outcome == SIMT_OK) {
			void *const *keep_buffers = profile->buffers;
			void **kept = arena_array(e->arena, void *, (size_t)e->launch->n_args + 1);
			for (int i = 0; i < e->launch->n_args; i++) {
				size_t size = launch_arg_bytes(&e->launch->args[i]);
				if (!keep_buffers[i])
					continue;
				kept[i] = arena_alloc(e->arena, size + 1);
				memcpy(kept[i], keep_buffers[i], size);
			}
			e->private->outcome = kept;
		}
		diag_free(&unheard);
		arena_free(scratch);
	}
	p->has_outcome = true;
	if (!p->outcome)
		return false;
	*why = "there is no such element";
	if (argument >= e->launch->n_args || !p->outcome[argument] || element >= e->launch->args[argument].count)
		return false;
	*out = launch_number(e->launch->args[argument].type, p->outcome[argument], (size_t)element);
	return true;
}
