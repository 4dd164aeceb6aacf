#include "tutor/workbench.h"

#include <stdlib.h>
#include <string.h>

#include "profile/profile.h"
#include "profile/times.h"
#include "experiment/lines.h"
#include "tutor/private.h"

#define DEFECTS_MAX 8 /* that a lesson about them shows */

static char *recorded_path(struct arena *arena, const struct lesson *lesson)
{
	const char *slash = strrchr(lesson->path, '/');
	char *dir = slash ? arena_strndup(arena, lesson->path, (size_t)(slash - lesson->path))
			  : arena_strdup(arena, ".");
	return path_join(arena, dir, "recorded.json");
}

struct workbench *workbench_new(const struct lesson *lesson)
{
	struct arena *arena = arena_new();
	struct workbench *bench = arena_alloc(arena, sizeof *bench);
	bench->arena = arena;
	bench->lesson = lesson;
	bench->programs = arena_array(arena, struct program *, (size_t)lesson->n_kernels + 1);
	bench->recorded = recorded_load(arena, recorded_path(arena, lesson), &bench->problems);
	return bench;
}

/* Parsed when it is first needed: a lesson opens with one of them. */
static struct program *find_program(struct workbench *bench, const struct kernel_file *file)
{
	int i = 0;
	while (i < bench->lesson->n_kernels && bench->lesson->kernels[i] != file)
		i++;
	/* the last place is for a kernel of the reader's, of which there is one at a time: see workbench_forget */
	if (!bench->programs[i])
		bench->programs[i] = program_new(bench->arena, file);
	return bench->programs[i];
}

static void experiment_free(struct experiment *e)
{
	diag_free(&e->problems);
	arena_free(e->arena);
}

void workbench_free(struct workbench *bench)
{
	if (!bench)
		return;
	for (int i = 0; i < bench->n_experiments; i++)
		experiment_free(bench->experiments[i]);
	for (int i = 0; i <= bench->lesson->n_kernels; i++)
		program_free_problems(bench->programs[i]);
	model_times_free(&bench->times);
	diag_free(&bench->problems);
	arena_free(bench->arena);
}

/* --- one run ---------------------------------------------------------------------------------------------------------- */
static void report_line(struct view_source_line *out, const struct profile_line *line)
{
	out->executed = line->executions > 0;
	out->requests = line->shared_requests + line->global_requests;
	out->wavefronts = profile_wavefronts(line);
	out->sectors = profile_sectors(line);
	out->active_lanes = profile_lanes(line);
}

static void report_source(struct experiment *e, const struct profile *profile)
{
	const struct program *program = e->program;
	struct view_source_line *lines = arena_array(e->arena, struct view_source_line, (size_t)program->n_lines + 1);
	for (int i = 0; i < program->n_lines; i++) {
		lines[i].line = i + 1;
		lines[i].text = program->line_texts[i];
	}
	for (int i = 0; profile && i < profile->n_lines; i++)
		if (profile->lines[i].line >= 1 && profile->lines[i].line <= program->n_lines)
			report_line(&lines[profile->lines[i].line - 1], &profile->lines[i]);
	const char *slash = strrchr(program->file->source_path, '/');
	e->source = (struct view_source){
		.file = slash ? slash + 1 : program->file->source_path,
		.lines = lines,
		.n_lines = program->n_lines,
		.watched = e->watch_line,
	};
}

static struct diag_pos place_in(const struct experiment *e, const struct ptx_place *place)
{
	return (struct diag_pos){
		.file = e->source.file,
		.line = place->line,
		.text = e->program->file->source_text,
		.text_len = e->program->file->source_len,
	};
}

static void report_end(struct experiment *e, const struct profile *profile)
{
	if (profile->result.outcome != SIMT_OK)
		diag_error(&e->problems, place_in(e, &profile->result.place), "%s", profile->result.message);
}

/* What was counted up to where a run stopped predicts nothing. */
static void forget_counts(struct counts *counts)
{
	for (int i = 0; i < COUNTERS; i++)
		if (counts->c[i].state == VALUE_OK)
			counts->c[i] = value_missing(VALUE_FAILED);
}

static enum recorded_found find_recording(const struct workbench *bench, const struct program *program,
	const struct launch *launch, struct counts *counts, struct recorded_result *found)
{
	enum recorded_found how = bench->recorded ? recorded_find(bench->recorded, program->fingerprint, launch, found)
						  : RECORDED_NONE;
	if (how != RECORDED_OK)
		return how;
	for (int i = 0; i < found->n; i++) {
		enum counter_id id = counter_find(found->metrics[i]);
		if (id != COUNTER_NONE)
			counts->c[id] = value_ok(found->values[i]);
	}
	return RECORDED_OK;
}

static void look_up_recording(struct experiment *e, const struct workbench *bench)
{
	struct recorded_result found;
	e->found = find_recording(bench, e->program, e->launch, &e->recorded, &found);
	if (e->found != RECORDED_OK)
		return;
	e->provenance = found.provenance;
	e->recorded_lines = lines_read(e->arena, found.lines);
}

/* Whether the defects of a run were to be shown: then what it counted, to its end, stands. */
static bool shows_defect(const struct experiment *e, const struct workbench *bench, const struct profile *profile)
{
	return profile->result.outcome == SIMT_DEFECT && profile->result.ended &&
		lesson_expects_defect(bench->lesson, e->step, e->values);
}

/* --- what the detector found ------------------------------------------------------------------------------------------ */

static struct view_side side_of(const struct experiment *e, const struct simt_side *side)
{
	const struct program *program = e->program;
	int line = side->place.line;
	bool known = line >= 1 && line <= program->n_lines;
	int thread = (int)side->warp * WARP_SIZE + side->lane;
	return (struct view_side){
		.line = line,
		.text = known ? program->line_texts[line - 1] : "",
		.who = arena_printf(e->arena, "block %u, warp %u, thread %d", side->block, side->warp, thread),
		.does = side->accesses ? warp_op_verb(side->op) : "",
	};
}

static void keep_defects(struct experiment *e, const struct profile *profile)
{
	struct view_defect *all = arena_array(e->arena, struct view_defect, profile->report.n + 1);
	e->defects = (struct view_defects){.looked = true, .at = all, .n = (int)profile->report.n};
	for (uint32_t i = 0; i < profile->report.n; i++) {
		const struct simt_defect *d = &profile->report.defects[i];
		all[i] = (struct view_defect){
			.kind = simt_defect_name(d->kind),
			.message = arena_strdup(e->arena, d->message),
			.here = side_of(e, &d->here),
		};
		if (d->other.instr >= 0)
			all[i].other = side_of(e, &d->other);
	}
}

static struct view_launch shape_of(const struct experiment *e)
{
	struct view_launch shape = {.watched_block = e->step->watch_block, .watched_warp = e->step->watch_warp};
	memcpy(shape.grid, e->launch->grid, sizeof shape.grid);
	memcpy(shape.block, e->launch->block, sizeof shape.block);
	return shape;
}

/* Registers are known where a compiler for the GPU counted them: in a recording. */
static struct view_occupancy occupancy_of(const struct experiment *e)
{
	struct view_occupancy o = {.block = {.shared = e->launch->shared}};
	struct diag unheard = {0};
	const struct ptx_kernel *kernel = ptx_find_kernel(e->program->module, e->launch->kernel, &unheard);
	struct value registers = e->recorded.c[COUNTER_REGISTERS];
	uint64_t threads = (uint64_t)e->launch->block[0] * e->launch->block[1] * e->launch->block[2];
	if (kernel && threads <= BLOCK_THREADS_MAX) {
		o.block.threads = (uint32_t)threads;
		o.block.shared += ptx_shared_bytes(kernel);
		o.block.registers = registers.state == VALUE_OK ? (uint32_t)registers.v : 0;
		o.result = occupancy(MODEL_CC_DEFAULT, &o.block);
	}
	diag_free(&unheard);
	return o;
}

static void take_profile(struct experiment *e, const struct workbench *bench, const struct profile *profile)
{
	e->model = profile->counts;
	if (profile->result.outcome != SIMT_OK && !shows_defect(e, bench, profile))
		forget_counts(&e->model);
	e->has_access = profile->n_watched > 0;
	if (e->has_access)
		e->access = profile->watched[0];
	memcpy(e->shape.taking_part, profile->taking_part, sizeof e->shape.taking_part);
	e->has_shuffle = profile->has_shuffled;
	e->shuffle = profile->shuffled;
	if (e->step->defect)
		keep_defects(e, profile);
	if (!shows_defect(e, bench, profile))
		report_end(e, profile);
}

static void run(struct experiment *e, struct workbench *bench)
{
	const struct step *step = e->step;
	e->launch = lesson_launch(e->arena, bench->lesson, step, e->values, &e->problems);
	if (!e->launch || !e->program->module) {
		report_source(e, NULL);
		return;
	}
	look_up_recording(e, bench);
	e->shape = shape_of(e);
	e->occupancy = occupancy_of(e);
	struct profile_watch watch = {.line = e->watch_line, .block = step->watch_block, .warp = step->watch_warp};
	if (step->defect) {
		watch.checks = SIMT_CHECK_ALL;
		watch.defects = DEFECTS_MAX;
	}
	/* a run's buffers are many times what is kept of it */
	struct arena *scratch = arena_new();
	struct timing timing = timing_begin(bench, e, scratch);
	watch.also = timing.recorder ? times_listener(timing.recorder) : NULL;
	struct profile *profile = profile_run(
		scratch, e->program->module, e->launch, watch, MODEL_CC_DEFAULT, &e->problems);
	report_source(e, profile);
	if (profile)
		take_profile(e, bench, profile);
	if (e->model.c[COUNTER_OCCUPANCY_LIMIT].state == VALUE_OK) /* now with the registers */
		e->model.c[COUNTER_OCCUPANCY_LIMIT] = value_ok(e->occupancy.result.percent);
	timing_end(&timing, bench, e, profile);
	arena_free(scratch);
}

/* Asked only where a defect is to be expected, for it takes another run. */
static bool hangs_on_gpu(const struct workbench *bench, const struct experiment *e)
{
	if (!e->program->module || !e->launch || !lesson_expects_defect(bench->lesson, e->step, e->values))
		return false;
	struct arena *scratch = arena_new();
	struct diag unheard = {0};
	const struct profile *profile = profile_on_gpu(
		scratch, e->program->module, e->launch, PROFILE_STEPS_MAX, MODEL_CC_DEFAULT, &unheard);
	bool hangs = profile && profile->result.outcome != SIMT_OK;
	diag_free(&unheard);
	arena_free(scratch);
	return hangs;
}

void experiment_forget_live(struct experiment *e)
{
	enum value_state state = e->not_launched ? VALUE_NOT_LAUNCHED : VALUE_NONE;
	for (int i = 0; i < COUNTERS; i++)
		e->live.c[i] = value_missing(state);
	e->live_lines_state = state;
	e->live_times = (struct experiment_times){.activity = state};
	for (int i = 0; i < PROBE_TIMELINES; i++)
		e->live_times.state[i] = state;
}

static struct experiment *experiment_new(struct workbench *bench, const struct step *step, const int64_t *values)
{
	struct arena *arena = arena_new();
	struct experiment *e = arena_alloc(arena, sizeof *e);
	size_t n = (size_t)bench->lesson->n_parameters;
	int64_t *copy = arena_array(arena, int64_t, n + 1);
	memcpy(copy, values, n * sizeof *copy);
	e->arena = arena;
	e->used = e->serial = ++bench->clock;
	e->step = step;
	e->values = copy;
	e->program = find_program(bench, step->file);
	e->watch_line = lesson_watch_line(bench->lesson, step, values);
	e->place = arena_printf(
		arena, "line %d · block %u warp %u", e->watch_line, step->watch_block, step->watch_warp);
	run(e, bench);
	e->not_launched = hangs_on_gpu(bench, e);
	experiment_forget_live(e);
	return e;
}

/* --- those kept ------------------------------------------------------------------------------------------------------- */
struct experiment *workbench_peek(struct workbench *bench, const struct step *step, const int64_t *values)
{
	size_t size = (size_t)bench->lesson->n_parameters * sizeof *values;
	for (int i = 0; i < bench->n_experiments; i++) {
		struct experiment *e = bench->experiments[i];
		if (e->step == step && !memcmp(e->values, values, size)) {
			e->used = ++bench->clock;
			return e;
		}
	}
	return NULL;
}

/* The place for a new one; frees what has not been used for longest when all are taken. */
static struct experiment **make_room(struct workbench *bench)
{
	if (bench->n_experiments < WORKBENCH_EXPERIMENTS)
		return &bench->experiments[bench->n_experiments++];
	struct experiment **oldest = NULL;
	for (int i = 0; i < bench->n_experiments; i++) {
		struct experiment **at = &bench->experiments[i];
		if ((*at)->pinned || *at == bench->current)
			continue;
		if (!oldest || (*at)->used < (*oldest)->used)
			oldest = at;
	}
	experiment_free(*oldest);
	return oldest;
}

struct experiment *workbench_get(struct workbench *bench, const struct step *step, const int64_t *values)
{
	struct experiment *e = workbench_peek(bench, step, values);
	if (e)
		return e;
	e = experiment_new(bench, step, values);
	*make_room(bench) = e;
	return e;
}

enum recorded_found workbench_recorded(
	struct workbench *bench, const struct step *step, const int64_t *values, struct counts *out)
{
	struct arena *scratch = arena_new();
	struct diag unheard = {0};
	struct recorded_result found;
	*out = (struct counts){0};
	const struct program *program = find_program(bench, step->file);
	const struct launch *launch = lesson_launch(scratch, bench->lesson, step, values, &unheard);
	enum recorded_found how = launch ? find_recording(bench, program, launch, out, &found) : RECORDED_NONE;
	diag_free(&unheard);
	arena_free(scratch);
	return how;
}

const char *workbench_lines_ptx(struct workbench *bench, const struct experiment *e)
{
	struct program *program = e->program;
	if (!program->module || !e->launch)
		return NULL;
	if (!program->lines_of || strcmp(program->lines_of, e->launch->kernel) != 0) {
		program->lines_ptx = lines_ptx(bench->arena, program->module, e->launch->kernel, &program->problems);
		program->lines_of = arena_strdup(bench->arena, e->launch->kernel);
	}
	return program->lines_ptx;
}

void workbench_forget(struct workbench *bench, const struct step *step)
{
	int kept = 0;
	for (int i = 0; i < bench->n_experiments; i++) {
		struct experiment *e = bench->experiments[i];
		if (e->step != step) {
			bench->experiments[kept++] = e;
			continue;
		}
		if (bench->current == e)
			bench->current = NULL;
		experiment_free(e);
	}
	bench->n_experiments = kept;
	program_free_problems(bench->programs[bench->lesson->n_kernels]);
	bench->programs[bench->lesson->n_kernels] = NULL;
}
