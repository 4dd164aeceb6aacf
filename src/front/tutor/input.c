/* What the views draw of the experiment shown, from what its witnesses say. */
#include <string.h>

#include "base/text.h"
#include "front/tutor/private.h"
#include "front/view/subjects.h"
#include "model/hardware/metrics.h"

struct view_source tutor_input_source(struct arena *arena, const struct experiment *e, const struct experiment_run *run)
{
	const struct experiment_kernel *kernel = e->kernel;
	struct view_source_line *lines = arena_array(arena, struct view_source_line, (size_t)kernel->n_lines + 1);
	const char *path = kernel->file->source_path, *slash = strrchr(path, '/');
	for (int i = 0; i < kernel->n_lines; i++)
		lines[i] = (struct view_source_line){.line = i + 1, .text = kernel->line_texts[i]};
	for (int i = 0; i < run->n_lines; i++) {
		const struct experiment_line *counted = &run->lines[i];
		if (counted->line < 1 || counted->line > kernel->n_lines)
			continue;
		struct view_source_line *line = &lines[counted->line - 1];
		line->executed = counted->executed;
		line->requests = counted->requests;
		line->wavefronts = counted->wavefronts;
		line->sectors = counted->sectors;
		line->active_lanes = counted->active_lanes;
	}
	return (struct view_source){
		.file = slash ? slash + 1 : path,
		.lines = lines,
		.n_lines = kernel->n_lines,
		.watched = e->watched.line,
	};
}

static struct view_side side_of(struct arena *arena, const struct experiment *e, const struct simt_side *side)
{
	int line = side->place.line;
	bool known = line >= 1 && line <= e->kernel->n_lines;
	int thread = (int)side->warp * WARP_SIZE + side->lane;
	return (struct view_side){
		.line = line,
		.text = known ? e->kernel->line_texts[line - 1] : "",
		.who = arena_printf(arena, _("block %u, warp %u, thread %d"), side->block, side->warp, thread),
		.does = side->accesses ? warp_op_verb(side->op) : "",
		.block = side->block,
		.warp = side->warp,
		.lanes = side->lanes,
	};
}

static struct view_defects defects_of(struct arena *arena, const struct experiment *e, const struct experiment_run *run)
{
	struct view_defect *all = arena_array(arena, struct view_defect, run->n_defects + 1);
	for (uint32_t i = 0; i < run->n_defects; i++) {
		const struct simt_defect *d = &run->defects[i];
		all[i] = (struct view_defect){
			.kind = simt_defect_name(d->kind),
			.message = d->message,
			.here = side_of(arena, e, &d->here),
		};
		if (d->other.instr >= 0)
			all[i].other = side_of(arena, e, &d->other);
	}
	return (struct view_defects){.looked = run->ran && run->looked, .at = all, .n = (int)run->n_defects};
}

/* Where a reader chooses the access, also which of how many it is. */
static const char *watched_place(struct arena *arena, const struct experiment *e, const struct experiment_run *run)
{
	const struct step_watched *w = &e->watched;
	if (e->all.n > 1)
		return arena_printf(
			arena, _("launch %d · line %d · warp %u:%u"), e->all.watched + 1, w->line, w->block, w->warp);
	if (!e->step->watch.by)
		return arena_printf(arena, _("line %d · block %u warp %u"), w->line, w->block, w->warp);
	if (run->n_watched < 2)
		return arena_printf(arena, _("line %d · warp %u:%u"), w->line, w->block, w->warp);
	return arena_printf(arena, _("line %d · warp %u:%u · %d of %d%s"), w->line, w->block, w->warp, w->access + 1,
		run->n_watched, run->n_watched == PROFILE_WATCHED_MAX ? "+" : "");
}

static void fill_numbers(struct tutor *tutor, const struct step *step, const struct experiment_run *run)
{
	struct tutor_private *p = tutor->private;
	tutor->private->full->numbers = (struct view_numbers){.rows = p->numbers};
	for (int i = 0; i < step->n_metrics && tutor->private->full->numbers.n_rows < METRICS; i++) {
		enum metric_id metric = metric_find(step->metrics[i]);
		if (metric == METRIC_NONE)
			continue;
		p->numbers[tutor->private->full->numbers.n_rows++] = (struct view_number){
			.metric = metric,
			.predicted = metric_value(metric, &run->counts),
		};
	}
}

static struct view_program program_of(struct arena *arena, struct experiment *e)
{
	struct view_program out = {.to_scale = hostlog_costs_are_measured()};
	const struct experiment_program *recorded = experiment_is_program(e) ? experiment_program(e, NULL) : NULL;
	if (!experiment_is_program(e))
		return out;
	out.log = recorded ? recorded->log : NULL;
	out.why = _("What this program asks for is not recorded.");
	out.file = arena_printf(arena, "%s.cu", e->kernel->file->name);
	out.lines = e->kernel->line_texts;
	out.n_lines = e->kernel->n_lines;
	return out;
}

static uint32_t offered_by(const struct step *step)
{
	uint32_t views = 0;
	for (int i = 0; i < step->n_views; i++)
		views |= (uint32_t)1 << view_find(step->views[i]);
	return views;
}

void tutor_input_fill(struct tutor *tutor, const struct step *step, struct experiment *e)
{
	struct tutor_private *p = tutor->private;
	const struct experiment_run *run = experiment_run(e);
	arena_free(p->input);
	p->input = arena_new();
	*p->full = (struct view_subjects){
		.source = tutor_input_source(p->input, e, run),
		.defects = defects_of(p->input, e, run),
		.occupancy = {run->block, run->occupancy},
		.program = program_of(p->input, e),
	};
	p->input_full = (struct view_input){
		.access = run->has_access ? &run->access : NULL,
		.shuffle = run->has_shuffle ? &run->shuffle : NULL,
		.tiles = run->tiles.n ? &run->tiles : NULL,
		.cluster = run->cluster.n > 1 ? &run->cluster : NULL,
		.cc = p->rules.cc,
		.place = watched_place(p->input, e, run),
		.offered = offered_by(step),
	};
	if (e->launch && e->kernel->module) {
		struct view_launch shape = {.watched_block = e->watched.block, .watched_warp = e->watched.warp};
		memcpy(shape.grid, e->launch->grid, sizeof shape.grid);
		memcpy(shape.block, e->launch->block, sizeof shape.block);
		memcpy(shape.taking_part, run->taking_part, sizeof shape.taking_part);
		tutor->private->full->launch = shape;
	}
	fill_numbers(tutor, step, run);
}

/* --- timelines ------------------------------------------------------------------------------------------------------ */
void tutor_input_note_gpu(struct tutor *tutor)
{
	const struct wire_gpu *info = gpu_info(tutor->gpu);
	bool known = info && info->sms > 0;
	experiments_set_gpu(tutor->private->experiments, known ? info->name : NULL, known ? (uint32_t)info->sms : 0);
}

void tutor_input_choose_times(struct tutor *tutor)
{
	struct experiment *e = tutor->private->shown;
	tutor->shown.live_times = e && tutor_stamps_there(tutor);
	if (!e || !view_is_of(tutor->shown.view, VIEW_OF_TIMES))
		return;
	const struct timelines *model = experiment_times(e), *live = &experiment_live(e)->times;
	struct timelines *shown = &tutor->private->full->times;
	*shown = model ? *model : (struct timelines){0};
	if (tutor->shown.model_times)
		return;
	shown->schedule = live->schedule ? live->schedule : shown->schedule;
	shown->mask = live->mask ? live->mask : shown->mask;
	if (live->blocks) {
		shown->blocks = live->blocks;
		shown->activity = live->activity;
	}
}

const struct engine_estimate *tutor_estimate(struct tutor *tutor)
{
	return tutor->private->shown ? experiment_estimate(tutor->private->shown) : NULL;
}

void tutor_input_fill_times(struct tutor *tutor)
{
	tutor->shown.live_times = false;
	if (!view_is_of(tutor->shown.view, VIEW_OF_TIMES))
		return;
	if (tutor->private->shown)
		tutor_input_note_gpu(tutor);
	tutor_input_choose_times(tutor);
}

bool tutor_launch(const struct tutor *tutor, struct tutor_launch *out)
{
	const struct experiment *e = tutor->private->shown;
	if (!e || !e->launch || !e->kernel->module)
		return false;
	struct diag unheard = {0};
	const struct kernel_file *file = e->kernel->file;
	const struct ptx_kernel *kernel = profile_find_kernel(e->kernel->module, e->launch, &unheard);
	diag_free(&unheard);
	*out = (struct tutor_launch){.module = e->kernel->module,
		.launch = e->launch,
		.ptx = {.file = file->ptx_path, .text = file->ptx_text, .len = file->ptx_len},
		.watched = e->watched,
		.trusted = tutor->explored && !tutor->private->rules.looks,
		.cc = tutor->private->rules.cc};
	if (kernel && profile_file(kernel) && file->source_len)
		out->source = (struct source){
			.file = file->source_path, .text = file->source_text, .len = file->source_len};
	return kernel != NULL;
}
