#include "config.h"
#include "cmd/run.h"

#include "cmd/json.h"
#include "cmd/picture.h"
#include "cmd/show_json.h"
#include "front/view/views.h"
#include "model/profile/times.h"

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
	struct view_input input = {.cc = run->cc, .source = run_view_source(run), .times = run->times};
	if (run->views >> VIEW_ROOFLINE & 1)
		input.roofline = roofline_of(run, &work);
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

static json_t *activity_json(const struct activity_timeline *a)
{
	json_t *samples = json_array();
	for (size_t i = 0; i < a->n; i++) {
		const struct activity_sample *s = &a->samples[i];
		json_array_append_new(samples,
			json_pack("{s:I, s:o, s:o}", "time", (json_int_t)s->time, "warps",
				s->warps < 0 ? json_null() : json_real(s->warps), "issued",
				s->issued < 0 ? json_null() : json_real(s->issued)));
	}
	return with_origin(
		json_pack("{s:I, s:o}", "max_warps", (json_int_t)a->max_warps, "samples", samples), &a->origin);
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
	if (run->views >> VIEW_BLOCKS & 1 && t->activity && t->activity->origin.witness == WITNESS_LIVE)
		json_object_set_new(json, "activity", activity_json(t->activity));
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
