#include "tutor/workbench.h"

#include <stdlib.h>
#include <string.h>

#include "profile/profile.h"
#include "tutor/lines.h"
#include "tutor/private.h"

static void split_lines(struct workbench *bench)
{
	const char *text = bench->lesson->source_text, *end = text + bench->lesson->source_len;
	int n = 0;
	for (const char *p = text; p < end; p++)
		n += *p == '\n';
	bench->line_texts = arena_array(bench->arena, const char *, (size_t)n + 1);
	while (text < end) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));
		size_t len = (size_t)((stop ? stop : end) - text);
		bench->line_texts[bench->n_lines++] = arena_strndup(bench->arena, text, len);
		text += len + 1;
	}
}

static char *recorded_path(struct arena *arena, const struct lesson *lesson)
{
	const char *slash = strrchr(lesson->path, '/');
	char *dir = slash ? arena_strndup(arena, lesson->path, (size_t)(slash - lesson->path)) : arena_strdup(arena, ".");
	return path_join(arena, dir, "recorded.json");
}

struct workbench *workbench_new(const struct lesson *lesson)
{
	struct arena *arena = arena_new();
	struct workbench *bench = arena_alloc(arena, sizeof *bench);
	bench->arena = arena;
	bench->lesson = lesson;
	split_lines(bench);
	if (lesson->ptx_text) {
		bench->module = ptx_parse(arena, lesson->ptx_path, lesson->ptx_text, lesson->ptx_len, &bench->problems);
		recorded_fingerprint(lesson->ptx_text, lesson->ptx_len, bench->fingerprint);
	}
	bench->recorded = recorded_load(arena, recorded_path(arena, lesson), &bench->problems);
	return bench;
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

static void report_source(struct experiment *e, const struct workbench *bench, const struct profile *profile)
{
	struct view_source_line *lines = arena_array(e->arena, struct view_source_line, (size_t)bench->n_lines + 1);
	for (int i = 0; i < bench->n_lines; i++) {
		lines[i].line = i + 1;
		lines[i].text = bench->line_texts[i];
	}
	for (int i = 0; profile && i < profile->n_lines; i++)
		if (profile->lines[i].line >= 1 && profile->lines[i].line <= bench->n_lines)
			report_line(&lines[profile->lines[i].line - 1], &profile->lines[i]);
	const char *slash = bench->lesson->kernel_source ? strrchr(bench->lesson->kernel_source, '/') : NULL;
	e->source = (struct view_source){
		.file = slash ? slash + 1 : bench->lesson->kernel_source,
		.lines = lines,
		.n_lines = bench->n_lines,
		.watched = e->step->watch_line,
	};
}

static void report_end(struct experiment *e, const struct workbench *bench, const struct simt_result *r)
{
	if (r->outcome == SIMT_OK)
		return;
	struct diag_pos pos = {
		.file = e->source.file,
		.line = r->place.line,
		.text = bench->lesson->source_text,
		.text_len = bench->lesson->source_len,
	};
	diag_error(&e->problems, pos, "%s", r->message);
}

/* What was counted up to where a run stopped predicts nothing. */
static void forget_counts(struct counts *counts)
{
	for (int i = 0; i < COUNTERS; i++)
		if (counts->c[i].state == VALUE_OK)
			counts->c[i] = value_missing(VALUE_FAILED);
}

static void look_up_recording(struct experiment *e, const struct workbench *bench)
{
	struct recorded_result found;
	e->found = bench->recorded ? recorded_find(bench->recorded, bench->fingerprint, e->launch, &found) : RECORDED_NONE;
	if (e->found != RECORDED_OK)
		return;
	e->provenance = found.provenance;
	for (int i = 0; i < found.n; i++) {
		enum counter_id id = counter_find(found.metrics[i]);
		if (id != COUNTER_NONE)
			e->recorded.c[id] = value_ok(found.values[i]);
	}
	e->recorded_lines = lines_read(e->arena, found.lines);
}

static void run(struct experiment *e, struct workbench *bench)
{
	const struct step *step = e->step;
	e->launch = lesson_launch(e->arena, bench->lesson, step, e->values, &e->problems);
	if (!e->launch || !bench->module) {
		report_source(e, bench, NULL);
		return;
	}
	look_up_recording(e, bench);
	struct profile_watch watch = {.line = step->watch_line, .block = step->watch_block, .warp = step->watch_warp};
	/* a run's buffers are many times what is kept of it */
	struct arena *scratch = arena_new();
	struct profile *profile =
		profile_run(scratch, bench->module, e->launch, watch, MODEL_CC_DEFAULT, &e->problems);
	report_source(e, bench, profile);
	if (profile) {
		e->model = profile->counts;
		if (profile->result.outcome != SIMT_OK)
			forget_counts(&e->model);
		e->has_access = profile->n_watched > 0;
		if (e->has_access)
			e->access = profile->watched[0];
		report_end(e, bench, &profile->result);
	}
	arena_free(scratch);
}

static struct experiment *experiment_new(struct workbench *bench, const struct step *step, const int64_t *values)
{
	struct arena *arena = arena_new();
	struct experiment *e = arena_alloc(arena, sizeof *e);
	size_t n = (size_t)bench->lesson->n_parameters;
	int64_t *copy = arena_array(arena, int64_t, n + 1);
	memcpy(copy, values, n * sizeof *copy);
	e->arena = arena;
	e->step = step;
	e->values = copy;
	e->place = arena_printf(arena, "line %d · block %u warp %u", step->watch_line, step->watch_block, step->watch_warp);
	run(e, bench);
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
	e->used = e->serial = ++bench->clock;
	return e;
}

const char *workbench_lines_ptx(struct workbench *bench, const struct experiment *e)
{
	if (!bench->lines_ptx && bench->module && e->launch)
		bench->lines_ptx = lines_ptx(bench->arena, bench->module, e->launch->kernel, &bench->problems);
	return bench->lines_ptx;
}
