/* What the views draw of the experiment shown, from what its witnesses say. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "front/tutor/keys.h"
#include "front/tutor/private.h"
#include "front/tutor/tutor.h"
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

/* --- timelines ---------------------------------------------------------------------------------------------------- */

/* The model's timelines are to be those of the GPU at hand. */
static void note_gpu(struct tutor *tutor)
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
		note_gpu(tutor);
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

/* --- what is shown ------------------------------------------------------------------------------------------------ */

static bool is_known(struct value v)
{
	return v.state == VALUE_OK || v.state == VALUE_UNDEFINED;
}

static void fill_measured(const struct tutor *tutor, struct experiment *e, struct view_number *row)
{
	const struct experiment_recording *recording = experiment_recording(e);
	struct value live = metric_value(row->metric, &experiment_live(e)->counts);
	struct value recorded = metric_value(row->metric, &recording->counts);
	row->measured_by = WITNESS_NONE;
	row->counted = is_known(live) ? &experiment_live(e)->counts : NULL;
	if (is_known(live)) {
		row->measured = live;
		row->measured_by = WITNESS_LIVE;
	} else if (recording->found == RECORDED_OK && is_known(recorded)) {
		row->measured = recorded;
		row->measured_by = WITNESS_RECORDED;
	} else if (live.state != VALUE_NONE) {
		row->measured = live;
	} else {
		row->measured = value_missing(
			recording->found == RECORDED_STALE ? VALUE_STALE : tutor_live_absence(tutor));
	}
}

/* Where the numbers of an experiment were measured; "": nowhere. */
struct measured_place {
	char on[192], on_short[96]; /* on: this and a date, and which of several; shorter: what the key shows of them */
	const char *gpu;            /* NULL: nowhere */
};

static struct measured_place place_measured(
	struct tutor *tutor, struct experiment *e, const struct view_number *numbers)
{
	const struct experiment_provenance *provenance = experiment_recording(e)->provenance;
	const struct wire_gpu *info = gpu_info(tutor->gpu);
	struct measured_place out = {0};
	bool live = false, recorded = false;
	for (int i = 0; i < tutor->private->full->numbers.n_rows; i++) {
		live |= numbers[i].measured_by == WITNESS_LIVE;
		recorded |= numbers[i].measured_by == WITNESS_RECORDED;
	}
	out.gpu = live && info ? info->name : recorded ? provenance->gpu : NULL;
	if (live && info) {
		/* between two passes of a measurement, or where the GPU does not count all */
		snprintf(out.on_short, sizeof out.on_short, _("%s, live%s"), info->name,
			recorded ? _(" and recorded") : "");
		snprintf(out.on, sizeof out.on, "%s", out.on_short);
	} else if (recorded) {
		int of = tutor_recorded_count(tutor), i = tutor_recorded_index(tutor, provenance);
		char which[40] = "";
		if (of > 1)
			snprintf(which, sizeof which, _(" (%d of %d)"), i + 1, of);
		snprintf(out.on_short, sizeof out.on_short, _("%s, recorded"), provenance->gpu);
		snprintf(out.on, sizeof out.on, "%s %.24s%s", out.on_short, provenance->date, which);
		if (of > 1) {
			/* "H200, recorded (W: H100)" */
			int next = (i + 1) % tutor_recorded_count(tutor);
			char here[48], there[48];
			tutor_gpu_short_name(tutor_recorded_on(tutor, i)->gpu, here, sizeof here);
			tutor_gpu_short_name(tutor_recorded_on(tutor, next)->gpu, there, sizeof there);
			snprintf(out.on_short, sizeof out.on_short, _("%s, recorded (%s: %s)"), here,
				key_label(tutor_key_of(ACTION_RECORDING)).text, there);
		}
	}
	return out;
}

void tutor_refresh_measured(struct tutor *tutor)
{
	struct tutor_private *p = tutor->private;
	if (p->shown) {
		for (int i = 0; i < tutor->private->full->numbers.n_rows; i++)
			fill_measured(tutor, p->shown, &p->numbers[i]);
		for (int i = 0; p->full->numbers.other && i < p->full->numbers.n_rows; i++)
			fill_measured(tutor, p->other, &p->others[i]);

		/* Of two settings that were not measured in the same place, both, in the order of their columns. */
		const struct view_numbers *numbers = &p->full->numbers;
		struct measured_place of = place_measured(tutor, p->shown, p->numbers);
		struct measured_place other = numbers->other ? place_measured(tutor, p->other, p->others) : of;
		tutor->measured.on = tutor->measured.on_short = NULL;
		tutor_recorded_beside(tutor, p->shown, of.gpu);
		if (of.on[0] || other.on[0]) {
			buf_clear(&p->measured_on);
			buf_clear(&p->measured_short);
			bool same = strcmp(of.on, other.on) == 0;
			for (int side = 0; side < (same ? 1 : 2); side++) {
				const struct measured_place *place = same || side == numbers->shown ? &of : &other;
				const char *why = value_reason(view_numbers_of(numbers, side)[0].measured.state);
				const char *name = same ? "" : numbers->names[side], *colon = same ? "" : ": ";
				buf_printf(&p->measured_on, "%s%s%s%s", side ? "; " : "", name, colon,
					place->on[0] ? place->on : why);
				buf_printf(&p->measured_short, "%s%s%s%s", side ? "; " : "", name, colon,
					place->on[0] ? place->on_short : why);
			}
			tutor->measured.on = buf_str(&p->measured_on);
			tutor->measured.on_short = buf_str(&p->measured_short);
		}

		tutor->private->full->numbers.measured_on = tutor->measured.on;

		/* Live counters of lines, or else recorded ones, or none. */
		struct experiment *e = p->shown;
		const struct experiment_live *measured = experiment_live(e);
		const struct experiment_recording *recording = experiment_recording(e);
		bool live = measured->lines_state == VALUE_OK;
		tutor->private->full->source.measured = live ? &measured->lines
			: recording->lines.n                 ? &recording->lines
							     : NULL;
		tutor->private->full->source.measured_by = live ? WITNESS_LIVE : WITNESS_RECORDED;

		tutor_sweep_refresh(tutor);
		tutor_roofline_refresh(tutor);
		tutor_input_choose_times(tutor);
	}
	tutor_live_describe(tutor);
	tutor_cover_apply(tutor);
}

static void show_experiment(struct tutor_private *p, struct experiment *e)
{
	experiment_pin(e);
	experiment_unpin(p->shown);
	p->shown = e;
}

void tutor_refresh(struct tutor *tutor)
{
	struct tutor_private *p = tutor->private;
	const struct step *step = tutor_step(tutor);
	tutor->private->problems = NULL;
	tutor->measured.on = tutor->measured.on_short = NULL;
	if (!step || !step->has_experiment) {
		*p->full = (struct view_subjects){0};
		p->input_full = (struct view_input){.cc = MODEL_CC_DEFAULT};
		show_experiment(p, NULL);
		tutor_sweep_begin(tutor);
	} else {
		struct experiment *e = experiment_open(p->experiments, tutor_step_to_run(tutor), tutor->at.values);
		if (tutor->explored && tutor_explore_settle(tutor, e))
			e = experiment_open(p->experiments, tutor_step_to_run(tutor), tutor->at.values);
		show_experiment(p, e);
		if (view_is_of(tutor->shown.view, VIEW_OF_TIMES)) { /* one run for both */
			note_gpu(tutor);
			experiment_times(e);
		}

		/* Fills private->full with all but timelines and what is measured. */
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
		};
		for (int i = 0; i < step->n_views; i++)
			p->input_full.offered |= (uint32_t)1 << view_find(step->views[i]);
		if (e->launch && e->kernel->module) {
			struct view_launch shape = {.watched_block = e->watched.block, .watched_warp = e->watched.warp};
			memcpy(shape.grid, e->launch->grid, sizeof shape.grid);
			memcpy(shape.block, e->launch->block, sizeof shape.block);
			memcpy(shape.taking_part, run->taking_part, sizeof shape.taking_part);
			p->full->launch = shape;
		}

		p->full->numbers = (struct view_numbers){.rows = p->numbers};
		for (int i = 0; i < step->n_metrics && p->full->numbers.n_rows < METRICS; i++) {
			enum metric_id metric = metric_find(step->metrics[i]);
			if (metric == METRIC_NONE)
				continue;
			p->numbers[p->full->numbers.n_rows++] = (struct view_number){
				.metric = metric,
				.predicted = metric_value(metric, &run->counts),
			};
		}

		tutor_compare(tutor);
		const struct diag *of_set = experiments_problems(p->experiments);
		tutor->private->problems = e->problems.count ? &e->problems
			: e->kernel->problems.count          ? &e->kernel->problems
			: of_set->count                      ? of_set
							     : NULL;
		tutor_sweep_begin(tutor);
		while (!tutor->background && !tutor_sweep_complete(tutor))
			tutor_sweep_predict(tutor);
	}
	tutor_input_fill_times(tutor);
	tutor_input_fill_code(tutor);
	tutor_live_request(tutor);
	tutor_refresh_measured(tutor);
}

bool tutor_has_work(const struct tutor *tutor)
{
	return tutor->private->blame || !tutor_sweep_complete(tutor);
}

bool tutor_work(struct tutor *tutor)
{
	if (tutor->private->blame)
		return tutor_blame_step(tutor);
	if (tutor_sweep_complete(tutor))
		return false;
	tutor_sweep_predict(tutor);
	if (tutor_sweep_complete(tutor))
		tutor_live_request(tutor);
	tutor_sweep_refresh(tutor);
	tutor_roofline_refresh(tutor);
	tutor_cover_apply(tutor);
	return view_is_of(tutor->shown.view, VIEW_OF_SWEEP) || view_is_of(tutor->shown.view, VIEW_OF_ROOFLINE);
}
