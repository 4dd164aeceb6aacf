#include "front/tutor/tutor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "front/tutor/private.h"
#include "front/tutor/keys.h"
#include "front/view/subjects.h"
#include "model/hardware/metrics.h"

/* --- life ------------------------------------------------------------------------------------------------------------- */
static bool is_metric(const char *name)
{
	return metric_find(name) != METRIC_NONE;
}

static bool is_view(const char *name)
{
	return view_find(name) != VIEW_NONE;
}

static const char *metric_at(int index)
{
	return index < METRICS ? metric_table[index].name : NULL;
}

static const char *view_at(int index)
{
	return index < view_count ? view_table[index].name : NULL;
}

static const char *roof_at(int index)
{
	return index < ROOF_KINDS ? roof_kind_table[index].name : NULL;
}

static bool is_roof(const char *name)
{
	return roof_find(name) < ROOF_KINDS;
}

/* Kinds of defect from SIMT_OUT_OF_BOUNDS to SIMT_UNINITIALIZED, by the names that run gives them. */
static const char *defect_at(int index)
{
	return index < SIMT_UNINITIALIZED ? simt_defect_name((enum simt_defect_kind)(index + 1)) : NULL;
}

static bool is_defect(const char *name)
{
	for (enum simt_defect_kind kind = SIMT_OUT_OF_BOUNDS; kind <= SIMT_UNINITIALIZED; kind++)
		if (simt_defect_is_named(kind, name))
			return true;
	return false;
}

const struct lesson_names tutor_lesson_names = {.metric = is_metric,
	.view = is_view,
	.metric_at = metric_at,
	.view_at = view_at,
	.defect = is_defect,
	.defect_at = defect_at,
	.roof = is_roof,
	.roof_at = roof_at};

static struct tutor *make(void)
{
	struct tutor *tutor = base_calloc(1, sizeof *tutor);
	tutor->private = base_calloc(1, sizeof *tutor->private);
	tutor->private->full = base_calloc(1, sizeof *tutor->private->full);
	tutor->private->bare = base_calloc(1, sizeof *tutor->private->bare);
	tutor->private->arena = arena_new();
	tutor->private->rules = (struct experiment_rules){
		.keep = TUTOR_EXPERIMENTS, .cc = MODEL_CC_DEFAULT, .stored = EXPERIMENT_STORED_LONG};
	tutor->at.parameter = -1;
	tutor->shown.view = VIEW_NONE;
	tutor->shown.input = view_input_none;
	tutor->covers = true;
	return tutor;
}

/* NULL, and the session freed, when a part of it is missing. */
static struct tutor *settle(struct tutor *tutor)
{
	if (!tutor->catalog || tutor->catalog->n_lessons == 0 || !tutor->gpu || !tutor->progress) {
		tutor_free(tutor);
		return NULL;
	}
	tutor_live_describe(tutor);
	return tutor;
}

struct catalog *tutor_catalog_load(struct arena *arena, const struct paths *paths, struct diag *diag)
{
	struct lesson_names *names = arena_alloc(arena, sizeof *names);
	*names = tutor_lesson_names;
	names->shared = paths->data;
	return lesson_catalog_load(arena, paths->course ? paths->course : paths->data, names, diag);
}

struct tutor *tutor_new(const struct paths *paths, const char *gpu_spec, struct diag *diag)
{
	struct tutor *tutor = make();
	struct arena *arena = tutor->private->arena;
	tutor->keeps_progress = true;
	tutor->exercise.dir = paths->own ? arena_strdup(arena, paths->own) : ".";
	tutor->catalog = tutor_catalog_load(arena, paths, diag);
	if (tutor->catalog && tutor->catalog->n_lessons == 0)
		diag_error(diag, (struct diag_pos){0}, "there is not a single lesson in %s/lessons", paths->data);
	tutor->gpu = gpu_new(gpu_spec, paths->worker, diag);
	tutor->progress = lesson_progress_load(paths->state, diag);
	return settle(tutor);
}

struct tutor *tutor_new_for(struct lesson *lesson, struct diag *diag)
{
	return tutor_new_with(lesson, "none", "", diag);
}

struct tutor *tutor_new_with(struct lesson *lesson, const char *gpu_spec, const char *worker, struct diag *diag)
{
	struct tutor *tutor = make();
	struct arena *arena = tutor->private->arena;
	tutor->exercise.dir = ".";
	tutor->catalog = arena_alloc(arena, sizeof *tutor->catalog);
	tutor->catalog->lessons = arena_array(arena, struct lesson *, 1);
	tutor->catalog->lessons[0] = lesson;
	tutor->catalog->n_lessons = 1;
	tutor->gpu = gpu_new(gpu_spec, worker, diag);
	tutor->progress = lesson_progress_load(NULL, diag);
	return settle(tutor);
}

void tutor_free(struct tutor *tutor)
{
	if (!tutor)
		return;
	struct diag unheard = {0};
	tutor_save(tutor, &unheard);
	diag_free(&unheard);
	tutor_playground_free(tutor);
	tutor_explore_free(tutor);
	tutor_present_free(tutor);
	tutor_close_lesson(tutor);
	tutor_reload_free(tutor);
	if (tutor->gpu)
		gpu_free(tutor->gpu);
	if (tutor->progress)
		lesson_progress_free(tutor->progress);
	buf_free(&tutor->private->reason);
	buf_free(&tutor->private->explain);
	buf_free(&tutor->private->claim);
	buf_free(&tutor->private->moved);
	buf_free(&tutor->private->measured_on);
	buf_free(&tutor->private->measured_short);
	arena_free(tutor->private->cover);
	arena_free(tutor->private->roofline);
	arena_free(tutor->private->input);
	arena_free(tutor->private->arena);
	free(tutor->private->full);
	free(tutor->private->bare);
	free(tutor->private);
	free(tutor);
}

void tutor_notice(struct tutor *tutor, const char *sentence)
{
	snprintf(tutor->notice, sizeof tutor->notice, "%s", sentence);
}

void tutor_dismiss_notice(struct tutor *tutor)
{
	tutor->notice[0] = '\0';
}

bool tutor_save(struct tutor *tutor, struct diag *diag)
{
	return !tutor->keeps_progress || !tutor->progress || lesson_progress_save(tutor->progress, diag);
}

const struct step *tutor_step(const struct tutor *tutor)
{
	return tutor->at.mode == TUTOR_LESSON && tutor->at.lesson && !tutor->at.ending
		? &tutor->at.lesson->steps[tutor->at.step]
		: NULL;
}

/* --- what is shown ---------------------------------------------------------------------------------------------------- */
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

/* Of two settings that were not measured in the same place, both, in the order of their columns. */
static void name_measured_on(struct tutor *tutor)
{
	struct tutor_private *p = tutor->private;
	const struct view_numbers *numbers = &p->full->numbers;
	struct measured_place of = place_measured(tutor, p->shown, p->numbers);
	struct measured_place other = numbers->other ? place_measured(tutor, p->other, p->others) : of;
	tutor->measured.on = tutor->measured.on_short = NULL;
	tutor_recorded_beside(tutor, p->shown, of.gpu);
	if (!of.on[0] && !other.on[0])
		return;
	buf_clear(&p->measured_on);
	buf_clear(&p->measured_short);
	bool same = strcmp(of.on, other.on) == 0;
	for (int side = 0; side < (same ? 1 : 2); side++) {
		const struct measured_place *place = same || side == numbers->shown ? &of : &other;
		const char *why = value_reason(view_numbers_of(numbers, side)[0].measured.state);
		const char *name = same ? "" : numbers->names[side], *colon = same ? "" : ": ";
		buf_printf(&p->measured_on, "%s%s%s%s", side ? "; " : "", name, colon, place->on[0] ? place->on : why);
		buf_printf(&p->measured_short, "%s%s%s%s", side ? "; " : "", name, colon,
			place->on[0] ? place->on_short : why);
	}
	tutor->measured.on = buf_str(&p->measured_on);
	tutor->measured.on_short = buf_str(&p->measured_short);
}

void tutor_refresh_measured(struct tutor *tutor)
{
	struct tutor_private *p = tutor->private;
	if (p->shown) {
		for (int i = 0; i < tutor->private->full->numbers.n_rows; i++)
			fill_measured(tutor, p->shown, &p->numbers[i]);
		for (int i = 0; p->full->numbers.other && i < p->full->numbers.n_rows; i++)
			fill_measured(tutor, p->other, &p->others[i]);
		name_measured_on(tutor);
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
			tutor_input_note_gpu(tutor);
			experiment_times(e);
		}
		tutor_input_fill(tutor, step, e);
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
	tutor_live_ask(tutor);
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
		tutor_live_ask(tutor);
	tutor_sweep_refresh(tutor);
	tutor_roofline_refresh(tutor);
	tutor_cover_apply(tutor);
	return view_is_of(tutor->shown.view, VIEW_OF_SWEEP) || view_is_of(tutor->shown.view, VIEW_OF_ROOFLINE);
}
