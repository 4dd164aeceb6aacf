#include "front/tutor/tutor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "front/tutor/private.h"
#include "front/tutor/keys.h"
#include "front/view/subjects.h"
#include "model/hardware/metrics.h"

/* --- life --------------------------------------------------------------------------------------------------------- */

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
