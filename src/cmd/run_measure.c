#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/json.h"
#include "cmd/measure.h"
#include "cmd/picture.h"
#include "cmd/run.h"
#include "course/experiment/recordings.h"
#include "front/view/numbers.h"
#include "front/view/source.h"
#include "front/view/views.h"
#include "model/hardware/roofs.h"
#include "model/probe/timeline.h"
#include "model/profile/profile.h"
#include "model/profile/times.h"

/* --- timelines ---------------------------------------------------------------------------------------------------- */

#define ESTIMATE_STEPS PROFILE_STEPS_MAX /* of a launch that is run once more for its time */
#define TIMES_ROWS 30
#define TIMES_ROWS_LARGE 48 /* in a file: a row for each warp of a full SM */

bool run_read_view(struct run *run, const char *value)
{
	view_id view = view_find(value);
	bool roofs = run->entry == &cmd_run_entry; /* and machine code: which stamps know nothing of */
	if (view != VIEW_NONE && (view_is_of(view, VIEW_OF_TIMES) || (roofs && view == VIEW_ROOFLINE))) {
		run->views |= 1u << view;
		return true;
	}
	if (view == VIEW_SASS && roofs)
		return run->shows_code = true;
	return cmd_bad_value(run->ctx, "--view", value,
		roofs ? "schedule, blocks, mask, roofline or sass" : "schedule, blocks or mask");
}

void run_time(struct run *run)
{
	struct cmd_ctx *ctx = run->ctx;
	const struct value *counted = &run->measured.counts.c[COUNTER_INSTRUCTIONS];
	const struct times_request request = {.block = run->watch.block,
		.warp = run->watch.warp,
		.sms = (uint32_t)run->measured.sms,
		.gpu = run->measured.gpu,
		.registers = run->occupancy.block.registers,
		.instructions = counted->state == VALUE_OK ? counted->v : 0,
		.code = run->occupancy.code,
		.cc = run->occupancy.cc,
		.steps = run->watch.steps,
		.cores = run->watch.cores};
	profile_times_model(ctx->arena, run->module, &run->launch, &request, &run->times);
	if (run->profile->result.outcome == SIMT_OK && run->times.not_started)
		diag_warn(&ctx->diag, (struct diag_pos){0},
			"The launch cannot be started again: there is no memory for it, so its time is not estimated");
}

void run_estimate(struct run *run)
{
	bool alone = run->n_steps == 1 && run->profile->result.outcome == SIMT_OK;
	if (!run->views && alone && run->profile->result.steps <= ESTIMATE_STEPS)
		run_time(run);
}

struct view_source run_view_source(const struct run *run)
{
	int n = run->source.n_lines;
	struct view_source_line *lines = arena_array(run->ctx->arena, struct view_source_line, (size_t)n + 1);
	for (int i = 0; i < n; i++) {
		size_t len = 0;
		const char *text = run_line_text(run, i + 1, &len);
		lines[i] = (struct view_source_line){
			.line = i + 1, .text = text ? arena_strndup(run->ctx->arena, text, len) : ""};
	}
	return (struct view_source){.file = run->source_name, .lines = lines, .n_lines = n, .watched = run->watch.line};
}

/* Where the launch is under the roofs of the GPU that measured it, or of the model's. */
struct run_roofline {
	struct roof_work predicted, measured;
};

static struct view_roofline roofline_of(const struct run *run, struct run_roofline *work)
{
	struct counts counts = run->profile->counts;
	const char *gpu = run->measured.gpu ? run->measured.gpu : ROOFS_MODEL_GPU;
	profile_times_count(&run->times, &counts);
	work->predicted = roof_work_of(&counts);
	work->measured = roof_work_of(&run->measured.counts);
	return (struct view_roofline){.predicted = &work->predicted,
		.measured = &work->measured,
		.n = 1,
		.counted = true,
		.measured_by = run->measured.gpu ? WITNESS_LIVE : WITNESS_NONE,
		.gpu = gpu,
		.roofs = roofs_of(gpu)};
}

void run_write_times(const struct run *run, const struct picture_page *page)
{
	int rows = page->format == CANVAS_FORMAT_ANSI ? TIMES_ROWS : TIMES_ROWS_LARGE;
	struct run_roofline work;
	struct view_input input = view_input_none;
	const struct view_source source = run_view_source(run);
	struct view_roofline roofline = {0};
	if (run->views >> VIEW_ROOFLINE & 1)
		roofline = roofline_of(run, &work);
	input.cc = run->cc;
	input.source = &source;
	input.times = &run->times;
	input.roofline = &roofline;
	for (int i = 0; i < view_count; i++) {
		if (!(run->views >> i & 1))
			continue;
		picture_printf(page, "%s of %s:\n", view_table[i].title, run->launch.kernel);
		picture_view(page, (view_id)i, &input, rows);
	}
}

/* --- JSON --------------------------------------------------------------------------------------------------------- */

static const char *const units[] = {[TIMELINE_CYCLES] = "cycles", [TIMELINE_NS] = "ns"};

/* Where a timeline comes from and what its times mean. */
static json_t *with_origin(json_t *json, const struct timeline_origin *origin)
{
	json_object_set_new(json, "witness", json_string(witness_name(origin->witness)));
	json_object_set_new(json, "unit", json_string(units[origin->unit]));
	json_object_set_new(json, "resolution", json_integer(origin->resolution));
	json_object_set_new(json, "where", cmd_json_text(origin->where));
	json_object_set_new(json, "cut", cmd_json_text(origin->cut));
	return json;
}

static json_t *schedule_json(const struct schedule_timeline *t)
{
	uint64_t sums[PHASES] = {0};
	json_t *phases = json_object(), *issued = json_array(), *pipes = json_object();
	for (int i = 0; i < t->n_rows; i++)
		for (size_t k = 0; k < t->rows[i].n; k++)
			sums[t->rows[i].spans[k].phase] += t->rows[i].spans[k].end - t->rows[i].spans[k].start;
	for (int i = 0; i < PHASES; i++)
		if (sums[i])
			json_object_set_new(phases, phase_table[i].name, json_integer((json_int_t)sums[i]));
	for (int i = 0; i < PIPES; i++)
		if (t->pipe_busy[i])
			json_object_set_new(pipes, timeline_pipe_names[i], json_integer((json_int_t)t->pipe_busy[i]));
	for (int i = 0; i < TIMELINE_SCHEDULERS; i++)
		json_array_append_new(issued, json_integer((json_int_t)t->issued[i]));
	return with_origin(
		json_pack("{s:I, s:I, s:I, s:o, s:o, s:o}", "sm", (json_int_t)t->sm, "warps", (json_int_t)t->n_rows,
			"cycles", (json_int_t)t->end, "issued", issued, "warp_cycles", phases, "pipe_busy", pipes),
		&t->origin);
}

static json_t *spans_json(const struct blocks_timeline *b)
{
	json_t *spans = json_array();
	for (size_t i = 0; i < b->n; i++) {
		const struct block_span *s = &b->spans[i];
		json_array_append_new(spans,
			json_pack("{s:I, s:I, s:I, s:I, s:I, s:I}", "block", (json_int_t)s->block, "sm",
				(json_int_t)s->sm, "slot", (json_int_t)s->slot, "wave", (json_int_t)s->wave, "start",
				(json_int_t)s->start, "end", (json_int_t)s->end));
	}
	return spans;
}

static json_t *blocks_json(const struct blocks_timeline *b)
{
	return with_origin(
		json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:I, s:f, s:f, s:o}", "blocks", (json_int_t)b->launched,
			"sms", (json_int_t)b->sms, "resident", (json_int_t)b->resident, "sms_used", (json_int_t)b->used,
			units[b->origin.unit], (json_int_t)b->end, "waves", (json_int_t)b->waves, "full_waves",
			b->full_waves, "tail", (json_int_t)b->tail, "tail_idle", b->tail_idle, "idle", b->idle, "spans",
			b->origin.witness == WITNESS_LIVE ? spans_json(b) : json_null()),
		&b->origin);
}

static json_t *mask_json(const struct mask_timeline *m)
{
	static const char *const relations[] = {[MASK_SAME] = "same",
		[MASK_DIVERGED] = "diverged",
		[MASK_OTHER] = "other",
		[MASK_RECONVERGED] = "reconverged"};
	static const char *const whats[] = {
		[MASK_LINE] = "line", [MASK_ARRIVE] = "arrive", [MASK_LEAVE] = "leave", [MASK_EXIT] = "exit"};
	json_t *steps = json_array();
	for (size_t i = 0; i < m->n; i++) {
		const struct mask_step *s = &m->steps[i];
		json_array_append_new(steps,
			json_pack("{s:I, s:s, s:I, s:I, s:s, s:I, s:I}", "time", (json_int_t)s->time, "what",
				whats[s->what], "line", (json_int_t)s->line, "lanes", (json_int_t)s->lanes, "relation",
				relations[s->relation], "repeats", (json_int_t)s->repeats, "group",
				(json_int_t)s->group));
	}
	return with_origin(json_pack("{s:I, s:I, s:I, s:o}", "block", (json_int_t)m->block, "warp", (json_int_t)m->warp,
				   "lanes", (json_int_t)m->lanes, "steps", steps),
		&m->origin);
}

json_t *run_times_json(const struct run *run)
{
	const struct timelines *t = &run->times;
	const struct timeline_origin *origin = t->blocks ? &t->blocks->origin
		: t->schedule                            ? &t->schedule->origin
		: t->mask                                ? &t->mask->origin
							 : NULL;
	json_t *json = json_pack("{s:s}", "witness", witness_name(origin ? origin->witness : WITNESS_NONE));
	if (run->views >> VIEW_SCHEDULE & 1)
		json_object_set_new(json, "schedule", t->schedule ? schedule_json(t->schedule) : json_null());
	if (run->views >> VIEW_BLOCKS & 1)
		json_object_set_new(json, "blocks", t->blocks ? blocks_json(t->blocks) : json_null());
	if (run->views >> VIEW_BLOCKS & 1 && t->activity && t->activity->origin.witness == WITNESS_LIVE) {
		const struct activity_timeline *a = t->activity;
		json_t *samples = json_array();
		for (size_t i = 0; i < a->n; i++) {
			const struct activity_sample *s = &a->samples[i];
			json_array_append_new(samples,
				json_pack("{s:I, s:o, s:o}", "time", (json_int_t)s->time, "warps",
					s->warps < 0 ? json_null() : json_real(s->warps), "issued",
					s->issued < 0 ? json_null() : json_real(s->issued)));
		}
		json_object_set_new(json, "activity",
			with_origin(json_pack("{s:I, s:o}", "max_warps", (json_int_t)a->max_warps, "samples", samples),
				&a->origin));
	}
	if (run->views >> VIEW_MASK & 1)
		json_object_set_new(json, "mask", t->mask ? mask_json(t->mask) : json_null());
	if (run->views >> VIEW_ROOFLINE & 1) {
		struct run_roofline work;
		const struct view_roofline r = roofline_of(run, &work);
		json_object_set_new(json, "roofline", cmd_json_roofline(&r));
	}
	if (t->why)
		json_object_set_new(json, "missing", json_string(t->why));
	return json;
}

/* --- those of a GPU ----------------------------------------------------------------------------------------------- */

/* The timelines of a GPU's stamps, for run and probe. */

static const struct diag_pos nowhere;

/* A launch whose timelines are requested. */
struct timeline_query {
	struct run *run;
	struct gpu *gpu;
	struct probe_gpu where;
	struct probe_timeline_request request;
	int *changed;
};

static bool fetch_timeline(struct timeline_query *a, enum probe_timeline_kind what)
{
	struct run *run = a->run;
	struct cmd_ctx *ctx = run->ctx;
	struct probe_timeline_plan *plan = probe_timeline_plan(ctx->arena, what, &a->request, &ctx->diag);
	if (!plan)
		return false;
	struct wire_message question = probe_timeline_message(plan);
	const struct wire_error *error;
	const char *warning;
	const struct wire_message *answer = gpu_wait_answer(a->gpu, &question, &error);
	if (!answer) {
		const struct wire_job job = {buf_str(&run->ptx), run->ptx.len, run->launch};
		measure_report_job(ctx, a->gpu, &(struct measure_problem){"on the GPU", error, &job}, NULL);
		return false;
	}
	if (!probe_timeline_read(ctx->arena, &(struct probe_timeline_answer){plan, &answer->stamped, a->where},
		    &run->times, &warning, &ctx->diag))
		return false;
	if (answer->stamped.differs >= 0)
		*a->changed = answer->stamped.differs;
	if (warning)
		diag_warn(&ctx->diag, nowhere, "%s", warning);
	return true;
}

int run_time_live(struct run *run, int line, int *changed)
{
	struct cmd_ctx *ctx = run->ctx;
	struct gpu *gpu = run_gpu(run);
	if (!gpu)
		return EXIT_USAGE;
	const struct wire_gpu *info = measure_find(ctx, gpu);
	if (!info)
		return EXIT_MISSING;
	const struct ptx_kernel *kernel = ptx_find_kernel(run->module, run->launch.kernel, &ctx->diag);
	struct timeline_query a = {run, gpu,
		{arena_strdup(ctx->arena, info->name), info->sms > 0 ? (uint32_t)info->sms : 0, info->cc},
		{run->module, &run->launch, profile_file(kernel), run->watch.block, run->watch.warp, line}, changed};
	bool counters = info->counters;
	for (int i = 0; i < view_count; i++)
		if (run->views >> i & 1 && !fetch_timeline(&a, probe_timeline_find(view_table[i].name)))
			return EXIT_FAILED;
	if (run->views >> VIEW_BLOCKS & 1 && counters) {
		/* Samples accompany the blocks where counters are permitted; the picture does without them otherwise.
		 * */
		struct run *samples_run = a.run;
		const struct wire_job job = {buf_str(&samples_run->ptx), samples_run->ptx.len, samples_run->launch};
		struct wire_message question = probe_activity_message(&job);
		const struct wire_error *error;
		const struct wire_message *answer = gpu_wait_answer(a.gpu, &question, &error);
		if (answer)
			samples_run->times.activity = probe_activity_read(
				samples_run->ctx->arena, &answer->samples, &a.where);
		else
			diag_note(&samples_run->ctx->diag, nowhere, "no samples of the SMs' activity: %s",
				error->message);
	}
	return EXIT_OK;
}

/* --- counters and buffers ----------------------------------------------------------------------------------------- */

static double element_difference(enum launch_type type, const void *machine, const void *gpu, size_t index)
{
	double a = launch_number(type, machine, index), b = launch_number(type, gpu, index);
	if (isnan(a) && isnan(b))
		return 0;
	return isfinite(a) && isfinite(b) ? fabs(b - a) : (double)INFINITY;
}

bool run_differs(const struct run *run)
{
	return run->measured.n_differences > 0 || run->measured.memory.bytes > 0;
}

struct gpu *run_gpu(struct run *run)
{
	if (!run->gpu)
		run->gpu = gpu_new(cmd_gpu(run->ctx), run->ctx->paths.worker, &run->ctx->diag);
	return run->gpu;
}

void run_free(struct run *run)
{
	gpu_free(run->gpu);
	run->gpu = NULL;
	buf_free(&run->ptx);
}

int run_measure(struct run *run)
{
	struct gpu *gpu = run_gpu(run);
	if (!gpu)
		return EXIT_USAGE;

	/* Without permission to count, the kernel still runs on the GPU, and its buffers are compared. */
	const char *metrics[COUNTERS];
	const struct wire_gpu *info = measure_find(run->ctx, gpu);
	if (!info) {
		if (gpu_error(gpu))
			measure_fail(run->ctx, gpu_error(gpu), &run->measured.failure);
		return EXIT_MISSING;
	}
	if (run->placed_why && !info->addresses) {
		run_cannot_place(run, "this GPU's worker puts no memory at addresses");
		return EXIT_FAILED;
	}
	bool counters = info->counters;
	int cc = info->cc, sms = info->sms;
	const char *name = arena_strdup(run->ctx->arena, info->name);
	int n_metrics = counter_hardware_names(metrics);
	enum value_state missing = info->counters_error == WIRE_NO_PERMISSION ? VALUE_NO_PERMISSION : VALUE_FAILED;
	if (!counters) {
		diag_warn(&run->ctx->diag, (struct diag_pos){0}, "counters cannot be read: %s", info->counters_message);
		diag_note(&run->ctx->diag, (struct diag_pos){0}, "%s", wire_error_remedy(info->counters_error));
		measure_fail(run->ctx, &(struct wire_error){info->counters_error, info->counters_message},
			&run->measured.failure);
	}
	struct measure_request request = {buf_str(&run->ptx), run->ptx.len, &run->launch, metrics,
		counters ? n_metrics : 0, true, &run->measured.failure};
	const struct wire_measurement *m = measure_launch(run->ctx, gpu, "on the GPU", &request);
	if (!m && run->placed_why)
		diag_note(&run->ctx->diag, (struct diag_pos){0}, "its memory has to be where the machine has it, as %s",
			run->placed_why);

	if (!m)
		return EXIT_FAILED;
	/* Copies the returned buffers, which live only as long as the worker, and compares them. */
	for (int i = 0; i < run->launch.n_args; i++) {
		if (!run->launch.args[i].buffer)
			continue;
		size_t bytes = launch_arg_bytes(&run->launch.args[i]);
		if (i >= m->n_buffers || !m->buffers[i] || m->buffer_bytes[i] != bytes) {
			diag_error(&run->ctx->diag, (struct diag_pos){0},
				"the GPU's worker returned only part of argument %d", i);
			return EXIT_FAILED;
		}

		/* The first element that differs in a buffer, if one does. */
		const void *buffers_gpu = memcpy(arena_alloc(run->ctx->arena, bytes), m->buffers[i], bytes);
		const struct launch_arg *arg = &run->launch.args[i];
		const char *a = run->profile->buffers[i], *b = buffers_gpu;
		size_t size = launch_type_size(arg->type);
		struct run_difference *out = &run->measured.differences[run->measured.n_differences];
		*out = (struct run_difference){.argument = i, .machine = a, .gpu = b, .largest = -1};
		for (size_t j = arg->count; j-- > 0;) {
			if (memcmp(a + j * size, b + j * size, size) != 0) {
				out->index = j;
				out->count++;
				if (launch_type_is_float(arg->type))
					out->largest = fmax(out->largest, element_difference(arg->type, a, b, j));
			}
		}
		run->measured.n_differences += out->count > 0;
	}

	/* The launch's memory, whose answer the front end has checked. */
	struct snapshot_difference *d = &run->measured.memory;
	*d = (struct snapshot_difference){.first = -1};
	for (int i = 0; i < run->launch.n_memory && i < m->n_memory; i++) {
		const struct launch_memory *at = &run->launch.memory[i];
		const uint8_t *machine = simt_memory_at(run->memory, at->address, at->bytes);
		if (machine) {
			const uint8_t *memory_gpu = m->memory[i];
			size_t n = at->bytes;
			uint64_t before = d->bytes;
			for (size_t bytes_at = 0; bytes_at < n; bytes_at++) {
				if (machine[bytes_at] == memory_gpu[bytes_at])
					continue;
				if (d->first < 0) {
					d->first = i;
					d->at = bytes_at;
					d->now = memory_gpu[bytes_at];
					d->kept = machine[bytes_at];
				}
				d->bytes++;
			}
			d->buffers += d->bytes > before;
		}
	}

	run->measured.gpu = name;
	run->measured.counts = measure_counts(m, cc);
	run->measured.cc = cc;
	run->measured.sms = sms;
	run->measured.registers = m->registers;
	for (int i = 0; i < COUNTERS && !counters; i++)
		run->measured.counts.c[i] = value_missing(missing);
	if (counters) {
		/* A failure is only a warning: the other numbers are valid without it. */
		struct arena *arena = run->ctx->arena;
		const char *ptx = experiment_ptx_for_lines(arena, run->module, run->launch.kernel, &run->ctx->diag);
		const struct wire_error *error;
		const struct wire_line_counts *counts = ptx ? measure_lines(gpu, ptx, &run->launch, &error) : NULL;
		if (counts) {
			run->measured.lines = experiment_lines_read(arena, counts);
			run->measured.lines_passes = counts->passes;
			run->measured.lines_ms = counts->worker_ms;
		} else if (ptx) {
			diag_warn(&run->ctx->diag, (struct diag_pos){0}, "lines cannot be counted: %s", error->message);
		}
	}
	if (counters && run->shows_code) {
		/* Machine code is counted by its instructions, too. */
		struct arena *arena = run->ctx->arena;
		struct run_live *live = &run->measured;
		const char *ptx = experiment_ptx_for_code(arena, run->module, run->launch.kernel, &run->ctx->diag);
		const struct wire_error *error;
		const struct wire_line_counts *counts = ptx ? measure_code(gpu, ptx, &run->launch, &error) : NULL;
		if (counts) {
			const struct wire_line_counts instrs = experiment_lines_of_instrs(counts);
			live->executed = arena_array(arena, struct experiment_executed, (size_t)counts->n_lines + 1);
			live->n_executed = experiment_executed_of(counts, live->executed);
			live->instrs = experiment_lines_read(arena, &instrs);
			live->instrs_code = counts->code ? arena_strdup(arena, counts->code) : NULL;
		} else if (ptx) {
			diag_warn(&run->ctx->diag, (struct diag_pos){0}, "machine code cannot be counted: %s",
				error->message);
		}
	}
	return EXIT_OK;
}
