#include "front/tutor/tutor.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "course/lesson/lesson.h"
#include "front/tutor/private.h"
#include "front/view/views.h"

struct explore_work {
	struct tutor_explored shown;
	struct tutor_explorer by;
	struct arena *arena;   /* as long as the session */
	struct arena *now;     /* of the lesson that is shown */
	struct arena *refused; /* of the message */
	struct lesson *lesson; /* the one shown */
	struct recompile files[EXPLORE_FILES_MAX];
	struct buf ptx[EXPLORE_FILES_MAX]; /* of the versions shown, and of those that will be */
};

static struct explore_work *work_of(const struct tutor *tutor)
{
	return tutor->private->explore;
}

static const struct step_watch_by *watch_of(const struct tutor *tutor)
{
	const struct step *step = tutor->private->explore ? tutor_step(tutor) : NULL;
	return step ? step->watch.by : NULL;
}

/* --- what is watched ---------------------------------------------------------------------------------------------- */

/* Index of the last value up to `most`; the first, where all are greater. */
static int last_up_to(const struct parameter *p, int64_t most)
{
	int last = 0;
	for (int i = 0; i < p->n_values && p->values[i] <= most; i++)
		last = i;
	return last;
}

static int64_t blocks_of(const struct launch *launch)
{
	return (int64_t)warp_dim_volume(launch->grid);
}

static int64_t warps_of(const struct launch *launch)
{
	return (int64_t)warp_count(warp_dim_volume(launch->block));
}

int tutor_parameter_last(const struct tutor *tutor, int index)
{
	const struct parameter *p = &tutor->at.lesson->parameters[index];
	const struct step_watch_by *by = watch_of(tutor);
	struct experiment *e = tutor->private->shown;
	if (!by || !e || !e->launch)
		return p->n_values - 1;
	if (index == by->block)
		return last_up_to(p, blocks_of(e->launch) - 1);
	if (index == by->warp)
		return last_up_to(p, warps_of(e->launch) - 1);
	if (index == by->access)
		return last_up_to(p, experiment_run(e)->n_watched);
	return p->n_values - 1;
}

static bool limit(struct tutor *tutor, int parameter, int64_t most)
{
	const struct parameter *p = &tutor->at.lesson->parameters[parameter];
	if (tutor->at.values[parameter] <= most)
		return false;
	tutor->at.values[parameter] = p->values[last_up_to(p, most)];
	return true;
}

bool tutor_explore_settle(struct tutor *tutor, const struct experiment *e)
{
	const struct step_watch_by *by = watch_of(tutor);
	if (!by || !e->launch)
		return false;
	bool block = limit(tutor, by->block, blocks_of(e->launch) - 1);
	return limit(tutor, by->warp, warps_of(e->launch) - 1) || block;
}

/* Another line, block or warp, or another launch, has other accesses. */
void tutor_explore_turned(struct tutor *tutor, int index)
{
	const struct step_watch_by *by = watch_of(tutor);
	if (by && index != by->access)
		tutor->at.values[by->access] = tutor->at.lesson->parameters[by->access].initial;
}

/* The sweep is over the parameter of the launch that was turned last. */
void tutor_explore_selected(struct tutor *tutor)
{
	struct explore_work *w = work_of(tutor);
	int index = tutor->at.parameter;
	if (!w || index < 0 || lesson_is_watch(tutor_step(tutor), index))
		return;
	const struct parameter *p = &w->lesson->parameters[index];
	for (int i = 0; i < w->lesson->n_steps; i++) {
		struct step_sweep *sweep = &w->lesson->steps[i].sweep;
		sweep->parameter = p->name;
		sweep->values = p->values;
		sweep->n = p->n_values;
	}
	tutor_sweep_begin(tutor);
	while (!tutor->background && !tutor_sweep_complete(tutor))
		tutor_sweep_predict(tutor);
	tutor_refresh_measured(tutor);
}

/* Of banks and sectors, the picture that the watched access has. */
void tutor_explore_follow(struct tutor *tutor)
{
	const struct warp_access *access = tutor->private->explore ? tutor->shown.input.access : NULL;
	if (!access)
		return;
	if (tutor->shown.view == VIEW_BANKS && access->space == SPACE_GLOBAL)
		tutor_turn_to_view(tutor, VIEW_SECTORS);
	else if (tutor->shown.view == VIEW_SECTORS && access->space == SPACE_SHARED)
		tutor_turn_to_view(tutor, VIEW_BANKS);
}

void tutor_watch_line(struct tutor *tutor, int line)
{
	const struct step_watch_by *by = watch_of(tutor);
	if (!by)
		return;
	const struct parameter *p = &tutor->at.lesson->parameters[by->line];
	int index = 0;
	while (index < p->n_values - 1 && p->values[index] < line)
		index++;
	tutor->at.values[by->line] = p->values[index];
	tutor_explore_turned(tutor, by->line);
	tutor_refresh(tutor);
	tutor_explore_follow(tutor);
}

void tutor_explore_version(struct tutor *tutor, int step)
{
	const struct step_watch_by *by = watch_of(tutor);
	if (!by || step < 0 || step >= tutor->at.lesson->n_steps || step == tutor->at.step)
		return;
	bool of_line = tutor->at.parameter == by->line;
	int line = tutor_compare_line(tutor, tutor->at.step, (int)tutor->at.values[by->line]);
	tutor->at.step = step;
	if (of_line)
		tutor->at.parameter = watch_of(tutor)->line;
	if (line)
		tutor_watch_line(tutor, line);
	else
		tutor_refresh(tutor);
}

/* --- lines that moved --------------------------------------------------------------------------------------------- */

static const char *line_at(const struct kernel_file *file, int line, size_t *len)
{
	const char *at = file->source_text, *end = at + file->source_len;
	for (int i = 1; i < line && at < end; i++) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		at = stop ? stop + 1 : end;
	}
	const char *stop = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
	*len = (size_t)((stop ? stop : end) - at);
	return at < end ? at : NULL;
}

static bool is_line(const struct kernel_file *file, int line, const char *text, size_t len)
{
	size_t n;
	const char *at = line >= 1 ? line_at(file, line, &n) : NULL;
	return at && n == len && memcmp(at, text, len) == 0;
}

/* The line's own text found again, the nearest to where it was; 0: it is gone. */
static int follow_line(const struct kernel_file *old, const struct kernel_file *new, int line)
{
	size_t len;
	const char *text = line >= 1 ? line_at(old, line, &len) : NULL;
	int most = text ? 1 + line : 0; /* and as many as the new text has */
	for (size_t i = 0; text && i < new->source_len; i++)
		most += new->source_text[i] == '\n';
	for (int away = 0; away <= most; away++) {
		if (is_line(new, line + away, text, len))
			return line + away;
		if (is_line(new, line - away, text, len))
			return line - away;
	}
	return 0;
}

/* --- a file has changed ------------------------------------------------------------------------------------------- */

/* Where the reader was, by names: the new lesson may have other lines. */
struct explore_place {
	int step, parameter;
	view_id view;
	int64_t *values;
	const struct lesson *lesson;
};

static int find_parameter(const struct lesson *lesson, const char *name)
{
	for (int i = 0; i < lesson->n_parameters; i++)
		if (strcmp(lesson->parameters[i].name, name) == 0)
			return i;
	return -1;
}

/* The nearest value of its list. */
static void restore_value(struct tutor *tutor, int index, int64_t value)
{
	const struct parameter *p = &tutor->at.lesson->parameters[index];
	int64_t best = p->values[0];
	for (int i = 0; i < p->n_values; i++)
		if (llabs(p->values[i] - value) < llabs(best - value))
			best = p->values[i];
	tutor->at.values[index] = best;
}

/* Shows another lesson where the reader is. */
static void replace_lesson(struct tutor *tutor, struct arena *arena, struct lesson *lesson)
{
	struct explore_work *w = work_of(tutor);
	const struct lesson *old = w->lesson;
	size_t n = (size_t)old->n_parameters;
	struct explore_place place = {tutor->at.step, tutor->at.parameter, tutor->shown.view, NULL, old};
	place.values = arena_array(arena, int64_t, n + 1);
	memcpy(place.values, tutor->at.values, n * sizeof *place.values);
	tutor->catalog->lessons[0] = w->lesson = lesson;
	tutor_begin_lesson(tutor, lesson);

	tutor->at.step = place.step < lesson->n_steps ? place.step : 0;

	for (int i = 0; i < old->n_parameters; i++) {
		int index = find_parameter(lesson, old->parameters[i].name);
		if (index >= 0)
			restore_value(tutor, index, place.values[i]);
	}
	for (int s = 0; s < lesson->n_steps && s < old->n_steps; s++) {
		const struct step *step = &lesson->steps[s], *before = &old->steps[s];
		if (!step->watch.by || !before->watch.by)
			continue;
		int line = follow_line(before->file, step->file, (int)place.values[before->watch.by->line]);
		if (line)
			restore_value(tutor, step->watch.by->line, line);
	}

	int index = place.parameter >= 0 ? find_parameter(lesson, place.lesson->parameters[place.parameter].name) : -1;
	tutor->at.parameter = index >= 0 ? index : tutor->at.parameter;
	tutor->shown.view = place.view;

	tutor_explore_selected(tutor);
	tutor_refresh(tutor);
	arena_free(w->now);
	w->now = arena;
	w->shown.loaded++;
	w->shown.state = EXPLORED_SHOWN;
}

static void refuse_explored(struct tutor *tutor, int file, const char *message, bool log)
{
	struct explore_work *w = work_of(tutor);
	arena_free(w->refused);
	w->refused = arena_new();
	w->shown.state = EXPLORED_REFUSED;
	w->shown.message = log ? recompile_log(&w->files[file], w->refused)
			       : recompile_message(&w->files[file], w->refused, message);
	if (tutor->playground)
		tutor_playground_refused(tutor, w->shown.message);
}

/* PTX that there is now; with the other version's, if there is one, it makes the next lesson. */
static void take_ptx(struct tutor *tutor, int file)
{
	struct explore_work *w = work_of(tutor);
	struct diag faults = {0};
	struct buf ptx = {0}, said = {0};
	struct arena *arena = arena_new();
	struct lesson *lesson = NULL;
	if (file_read(recompile_ptx(&w->files[file]), LESSON_PTX_MAX, &ptx, &faults)) {
		struct buf all[EXPLORE_FILES_MAX];
		memcpy(all, w->ptx, sizeof all);
		all[file] = ptx;
		lesson = w->by.make(w->by.ctx, arena, all, &faults);
	}
	if (lesson) {
		buf_free(&w->ptx[file]);
		w->ptx[file] = ptx;
		replace_lesson(tutor, arena, lesson);
		if (tutor->playground)
			tutor_playground_refused(tutor, NULL);
	} else {
		diag_format(&faults, &said);
		refuse_explored(tutor, file, said.len ? buf_str(&said) : _("it cannot be launched"), false);
		buf_free(&ptx);
		arena_free(arena);
	}
	buf_free(&said);
	diag_free(&faults);
	recompile_done(&w->files[file]);
}

static bool follow_file(struct tutor *tutor, int file)
{
	struct explore_work *w = work_of(tutor);
	const char *why = "";
	switch (recompile_step(&w->files[file], &w->by.compiler, &why)) {
	case RECOMPILE_NOTHING:
	case RECOMPILE_GONE: return false; /* editors write some files anew */
	case RECOMPILE_STARTED:
		w->shown.state = EXPLORED_COMPILING;
		if (tutor->playground)
			tutor_playground_reload(tutor);
		return true;
	case RECOMPILE_FAILED: refuse_explored(tutor, file, why, false); return true;
	case RECOMPILE_REFUSED:
		refuse_explored(tutor, file, NULL, true);
		recompile_done(&w->files[file]);
		return true;
	case RECOMPILE_COMPILED: take_ptx(tutor, file); return true;
	}
	return false;
}

bool tutor_explore_remake(struct tutor *tutor, struct diag *diag)
{
	struct explore_work *w = work_of(tutor);
	struct arena *arena = arena_new();
	struct lesson *lesson = w->by.make(w->by.ctx, arena, w->ptx, diag);
	if (lesson)
		replace_lesson(tutor, arena, lesson);
	else
		arena_free(arena);
	return lesson != NULL;
}

void tutor_explore_first_view(struct tutor *tutor)
{
	const struct step *step = tutor_step(tutor);
	tutor->events.steps_entered++;
	tutor_turn_to_view(tutor, step->n_views ? view_find(step->views[0]) : VIEW_NONE);
}

void tutor_explore_again(struct tutor *tutor)
{
	recompile_again(&work_of(tutor)->files[0]);
}

void tutor_explore_poll(struct tutor *tutor)
{
	work_of(tutor)->files[0].looked = 0;
}

bool tutor_explore_step(struct tutor *tutor)
{
	struct explore_work *w = work_of(tutor);
	bool changed = false;
	if (tutor->playground && !tutor_playground_follows(tutor))
		return false;
	for (int i = 0; w && i < w->by.n_paths; i++)
		changed |= w->by.paths[i] && follow_file(tutor, i);
	return changed;
}

int tutor_explore_timeout_ms(const struct tutor *tutor)
{
	const struct explore_work *w = work_of(tutor);
	int least = -1;
	if (tutor->playground && !tutor_playground_follows(tutor))
		return -1;
	for (int i = 0; w && i < w->by.n_paths; i++) {
		int ms = w->by.paths[i] ? recompile_timeout_ms(&w->files[i]) : -1;
		least = ms >= 0 && (least < 0 || ms < least) ? ms : least;
	}
	return least;
}

/* --- life --------------------------------------------------------------------------------------------------------- */

void tutor_explore_free(struct tutor *tutor)
{
	struct explore_work *w = work_of(tutor);
	if (!w)
		return;
	tutor_close_lesson(tutor);
	for (int i = 0; i < w->by.n_paths; i++) {
		recompile_end(&w->files[i]);
		buf_free(&w->ptx[i]);
	}
	arena_free(w->refused);
	arena_free(w->now);
	arena_free(w->arena);
	free(w);
	tutor->private->explore = NULL;
	tutor->explored = NULL;
}

struct tutor *tutor_explore(const struct tutor_explorer *explorer, const struct buf *ptx, const char *gpu_spec,
	const char *worker, struct diag *diag)
{
	struct arena *arena = arena_new();
	struct lesson *lesson = explorer->make(explorer->ctx, arena, ptx, diag);
	struct tutor *tutor = lesson ? tutor_new_with(lesson, gpu_spec, worker, diag) : NULL;
	if (!tutor) {
		arena_free(arena);
		return NULL;
	}

	struct explore_work *w = tutor->private->explore = base_calloc(1, sizeof *w);
	w->by = *explorer;
	w->lesson = lesson;
	w->now = arena;
	w->arena = arena_new();
	w->shown.versions = lesson->n_steps;
	tutor->explored = &w->shown;
	for (int i = 0; i < explorer->n_paths; i++) {
		recompile_begin(&w->files[i], w->arena, explorer->paths[i]);
		if (explorer->paths[i])
			recompile_skip(&w->files[i]);
	}

	for (int i = 0; i < explorer->n_paths; i++)
		buf_append(&tutor->private->explore->ptx[i], buf_str(&ptx[i]), ptx[i].len);
	tutor->keeps_progress = false;
	tutor->covers = false;
	tutor->private->rules.looks = !explorer->trusts;
	tutor->private->rules.steps = explorer->steps;
	tutor->private->rules.cc = explorer->cc;
	tutor->private->rules.assembler = explorer->assembler;
	tutor_open(tutor, lesson, 0);
	tutor_explore_selected(tutor);
	tutor_explore_follow(tutor);
	return tutor;
}
