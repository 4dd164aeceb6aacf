#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/paths.h"
#include "course/experiment/experiment.h"
#include "course/experiment/private.h"

#define KEEP_MIN 4 /* what is shown, what is measured, what is opened */

struct experiments *experiments_new(const struct lesson *lesson, const struct experiment_rules *rules)
{
	struct arena *arena = arena_new();
	struct experiments *set = arena_alloc(arena, sizeof *set);
	set->arena = arena;
	set->lesson = lesson;
	set->rules = *rules;
	if (!set->rules.cc)
		set->rules.cc = MODEL_CC_DEFAULT;
	if (set->rules.keep && set->rules.keep < KEEP_MIN)
		set->rules.keep = KEEP_MIN;
	set->kernels = arena_array(arena, struct experiment_kernel *, (size_t)lesson->n_kernels + 1);
	set->recorded = lesson->launcher.run
		? NULL /* nobody recorded a reader's kernel */
		: experiment_recordings_load(
			  arena, path_join(arena, lesson_folder(arena, lesson), "recorded.json"), &set->problems);
	set->measured = experiment_measured_load(
		arena, path_join(arena, lesson_folder(arena, lesson), "measured.tsv"), &set->problems);
	return set;
}

static void free_experiment(struct experiment *e)
{
	if (e->set->times.of == e)
		experiment_times_free(&e->set->times);
	diag_free(&e->problems);
	arena_free(e->arena);
}

void experiments_free(struct experiments *set)
{
	if (!set)
		return;
	for (int i = 0; i < set->n; i++)
		free_experiment(set->all[i]);
	free(set->all);
	for (int i = 0; i <= set->lesson->n_kernels; i++)
		experiment_kernel_free_problems(set->kernels[i]);
	experiment_times_free(&set->times);
	diag_free(&set->problems);
	arena_free(set->arena);
}

struct diag *experiments_problems(struct experiments *set)
{
	return &set->problems;
}

int experiments_count(const struct experiments *set)
{
	int n = 0;
	for (int i = 0; i < set->n; i++)
		n += set->all[i]->private->has_run && set->all[i]->launch;
	return n;
}

void experiments_set_gpu(struct experiments *set, const char *name, uint32_t sms)
{
	set->sms = sms;
	if (sms && (!set->gpu || strcmp(set->gpu, name) != 0))
		set->gpu = arena_strdup(set->arena, name);
}

const struct experiment_provenance *experiments_recorded_on(const struct experiments *set, int index)
{
	return set->recorded ? experiment_recordings_gpu(set->recorded, index) : NULL;
}

void experiments_prefer_recorded_on(struct experiments *set, int index)
{
	if (!set->recorded)
		return;
	set->preferred = index;
	experiment_recordings_prefer(set->recorded, index);
	for (int i = 0; i < set->n; i++) {
		set->all[i]->private->has_recording = false;
		set->all[i]->private->recording = (struct experiment_recording){0};
	}
}

/* --- opening ------------------------------------------------------------------------------------------------------ */

/* A place for one more; frees what has not been used for longest when all are taken. */
static struct experiment **room_for_one(struct experiments *set)
{
	if (set->n < set->rules.keep || set->rules.keep == 0)
		return vec_push(set->all, set->n, set->cap);
	struct experiment **oldest = NULL;
	for (int i = 0; i < set->n; i++) {
		struct experiment **at = &set->all[i];
		if ((*at)->private->pins == 0 && (!oldest || (*at)->private->used < (*oldest)->private->used))
			oldest = at;
	}
	free_experiment(*oldest);
	return oldest;
}

static struct experiment *find_opened(struct experiments *set, const struct step *step, const int64_t *values)
{
	size_t size = (size_t)set->lesson->n_parameters * sizeof *values;
	for (int i = 0; i < set->n; i++) {
		struct experiment *e = set->all[i];
		if (e->step == step && memcmp(e->values, values, size) == 0) {
			e->private->used = ++set->clock;
			return e;
		}
	}
	return NULL;
}

static bool expects_defect(const struct experiment *e)
{
	return lesson_expects_defect(e->set->lesson, e->step, e->values) != NULL;
}

/* Whether one run serves both. */
static bool is_the_same_run(const struct experiment *a, const struct experiment *b)
{
	const struct step *s = a->step, *t = b->step;
	bool watch = s->watch.line == t->watch.line && s->watch.block == t->watch.block &&
		s->watch.warp == t->watch.warp;
	bool times = profile_times_are_in(s->metrics, s->n_metrics) == profile_times_are_in(t->metrics, t->n_metrics);
	return watch && times && s->results == t->results && s->file == t->file && a->launch && b->launch &&
		experiment_same_launches(&a->all, &b->all) && expects_defect(a) == expects_defect(b);
}

struct experiment *experiment_open(struct experiments *set, const struct step *step, const int64_t *values)
{
	struct experiment *e = find_opened(set, step, values);
	if (e)
		return e;

	struct arena *arena = arena_new();
	e = arena_alloc(arena, sizeof *e);
	size_t n = (size_t)set->lesson->n_parameters;
	int64_t *copy = arena_array(arena, int64_t, n + 1);
	memcpy(copy, values, n * sizeof *copy);
	e->private = arena_alloc(arena, sizeof *e->private);
	e->private->used = ++set->clock;
	e->set = set;
	e->arena = arena;
	e->step = step;
	e->values = copy;

	/* Parsed when it is first needed: a lesson opens with one of them. */
	const struct kernel_file *kernel_file = step->file;
	int i = 0;
	while (i < set->lesson->n_kernels && set->lesson->kernels[i] != kernel_file)
		i++;
	/* the last place is for a kernel of the reader's, of which there is one at a time: see experiments_forget */
	if (!set->kernels[i])
		set->kernels[i] = experiment_kernel_new(set->arena, kernel_file);
	e->kernel = set->kernels[i];

	e->watched = lesson_watched(set->lesson, step, values);
	if (lesson_launches(arena, set->lesson, step, values, &e->all, &e->problems))
		e->launch = &e->all.at[e->all.watched];

	struct experiment *same = NULL;
	for (int j = 0; set->rules.care == EXPERIMENT_CHECKED && j < set->n; j++)
		if (is_the_same_run(set->all[j], e)) {
			same = set->all[j];
			break;
		}

	if (same) {
		free_experiment(e);
		return same;
	}
	*room_for_one(set) = e;
	return e;
}

struct experiment *experiment_find_run(struct experiments *set, const struct step *step, const int64_t *values)
{
	struct experiment *e = find_opened(set, step, values);
	return e && e->private->has_run ? e : NULL;
}

void experiment_pin(struct experiment *e)
{
	if (e)
		e->private->pins++;
}

void experiment_unpin(struct experiment *e)
{
	if (e && e->private->pins)
		e->private->pins--;
}

void experiments_forget(struct experiments *set, const struct step *step)
{
	int kept = 0;
	for (int i = 0; i < set->n; i++) {
		if (set->all[i]->step == step)
			free_experiment(set->all[i]);
		else
			set->all[kept++] = set->all[i];
	}
	set->n = kept;
	experiment_kernel_free_problems(set->kernels[set->lesson->n_kernels]);
	set->kernels[set->lesson->n_kernels] = NULL;
}

void experiment_report(struct experiment *e, struct diag *diag)
{
	if (e->launch) /* else the kernel is not at fault */
		diag_move(&e->kernel->problems, diag);
	diag_move(&e->problems, diag);
}
