#include "lesson/experiment.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/paths.h"
#include "lesson/judgement.h"
#include "lesson/kernel.h"
#include "lesson/limits.h"
#include "lesson/names.h"
#include "lesson/question.h"
#include "lesson/results.h"
#include "lesson/substitute.h"

#define WARP_LANES 32

void experiment_init(struct experiment *e, struct arena *arena, struct lesson *lesson, const char *data_dir,
	const struct lesson_names *names)
{
	size_t n = (size_t)lesson->n_parameters;
	*e = (struct experiment){.lesson = lesson,
		.data_dir = data_dir,
		.names = names,
		.file = lesson->kernel,
		.shared.text = "0",
		.set = arena_array(arena, int64_t, n),
		.shown = arena_array(arena, bool, n)};
	for (size_t i = 0; i < n; i++) {
		e->set[i] = lesson->parameters[i].initial;
		e->shown[i] = true;
	}
}

int64_t *experiment_copy_set(struct arena *arena, const struct experiment *e)
{
	size_t n = (size_t)e->lesson->n_parameters;
	int64_t *set = arena_array(arena, int64_t, n + 1);
	if (n)
		memcpy(set, e->set, n * sizeof *set);
	return set;
}

void experiment_copy(struct experiment *out, const struct experiment *defaults, struct arena *arena)
{
	size_t n = (size_t)defaults->lesson->n_parameters;
	*out = *defaults;
	out->set = experiment_copy_set(arena, defaults);
	out->shown = arena_array(arena, bool, n);
	for (size_t i = 0; i < n; i++)
		out->shown[i] = defaults->shown[i];
}

/* --- the kernel --------------------------------------------------------------------------------------------------- */

/* Each file is read once; the lesson knows them all. */
static const struct kernel_file *find_kernel(
	struct reader *r, struct lesson *lesson, const char *folder, const struct told *name)
{
	const char *path = arena_printf(r->arena, "%s/%s.cu", folder, name->text);
	for (int i = 0; i < lesson->n_kernels; i++)
		if (strcmp(lesson->kernels[i]->source_path, path) == 0)
			return lesson->kernels[i];
	const struct kernel_file *file = kernel_load(r->arena, folder, name->text, name->pos, r->diag);
	if (file && lesson->n_kernels < LESSON_KERNELS_MAX)
		lesson->kernels[lesson->n_kernels++] = file;
	return file;
}

void experiment_read_file(struct reader *r, yaml_node_t *value, void *into)
{
	struct experiment *e = into;
	struct told told;
	if (reader_text(r, value, "kernel", LESSON_TEXT_MAX, &told) && kernel_name_check(told.text, told.pos, r->diag))
		e->file = find_kernel(r, e->lesson, path_join(r->arena, e->data_dir, "kernels"), &told);
}

static const char *lesson_folder(struct arena *arena, const struct lesson *lesson)
{
	const char *slash = strrchr(lesson->path, '/');
	return slash ? arena_strndup(arena, lesson->path, (size_t)(slash - lesson->path)) : ".";
}

/* An exercise is about the kernel in its own folder. */
static void read_exercise(struct reader *r, yaml_node_t *value, void *into)
{
	struct experiment *e = into;
	const struct told start = {"start", reader_pos(r, value)};
	e->exercise_node = value;
	e->exercise.dir = path_join(r->arena, lesson_folder(r->arena, e->lesson), "exercise");
	e->file = find_kernel(r, e->lesson, e->exercise.dir, &start);
}

const struct kernel_file *lesson_exercise_kernel(
	struct arena *arena, const struct lesson *lesson, const struct step *step, const char *name, struct diag *diag)
{
	(void)lesson;
	return kernel_load(arena, step->exercise.dir, name, step->pos, diag);
}

/* --- the launch --------------------------------------------------------------------------------------------------- */

static void read_kernel(struct reader *r, yaml_node_t *value, void *into)
{
	reader_text(r, value, "kernel", LESSON_TEXT_MAX, &((struct experiment *)into)->kernel);
}

static void read_grid(struct reader *r, yaml_node_t *value, void *into)
{
	reader_text(r, value, "grid", LESSON_TEXT_MAX, &((struct experiment *)into)->grid);
}

static void read_block(struct reader *r, yaml_node_t *value, void *into)
{
	reader_text(r, value, "block", LESSON_TEXT_MAX, &((struct experiment *)into)->block);
}

static void read_shared(struct reader *r, yaml_node_t *value, void *into)
{
	reader_text(r, value, "shared", LESSON_TEXT_MAX, &((struct experiment *)into)->shared);
}

static void read_launch(struct reader *r, yaml_node_t *value, void *into)
{
	static const struct reader_key keys[] = {
		{"kernel", false, read_kernel},
		{"grid", false, read_grid},
		{"block", false, read_block},
		{"shared", false, read_shared},
		{0},
	};
	reader_map(r, value, "a launch", keys, into);
}

static void read_args(struct reader *r, yaml_node_t *value, void *into)
{
	reader_texts(r, value, "args", LAUNCH_ARGS_MAX, &((struct experiment *)into)->args);
}

/* --- what is watched ---------------------------------------------------------------------------------------------- */

static void read_watch_line(struct reader *r, yaml_node_t *value, void *into)
{
	struct experiment *e = into;
	if (reader_text(r, value, "watch", LESSON_TEXT_MAX, &e->watch))
		e->watch_pos = e->watch.pos;
}

static void read_watch_block(struct reader *r, yaml_node_t *value, void *into)
{
	struct experiment *e = into;
	e->watch_pos = reader_pos(r, value);
	reader_int(r, value, "block", 0, UINT32_MAX, &e->watch_block);
}

static void read_watch_warp(struct reader *r, yaml_node_t *value, void *into)
{
	struct experiment *e = into;
	e->watch_pos = reader_pos(r, value);
	reader_int(r, value, "warp", 0, UINT32_MAX, &e->watch_warp);
}

static void read_watch(struct reader *r, yaml_node_t *value, void *into)
{
	static const struct reader_key keys[] = {
		{"line", false, read_watch_line},
		{"block", false, read_watch_block},
		{"warp", false, read_watch_warp},
		{0},
	};
	if (reader_is_map(value))
		reader_map(r, value, "watch", keys, into);
	else
		read_watch_line(r, value, into);
}

/* --- parameters, views, metrics ----------------------------------------------------------------------------------- */

static void read_set(struct reader *r, yaml_node_t *value, void *into)
{
	struct experiment *e = into;
	names_read_settings(r, value, e->lesson, e->set);
}

static void read_parameters(struct reader *r, yaml_node_t *value, void *into)
{
	struct experiment *e = into;
	struct told_list list;
	if (!reader_texts(r, value, "parameters", LESSON_PARAMETERS_MAX, &list))
		return;
	for (int i = 0; i < e->lesson->n_parameters; i++)
		e->shown[i] = false;
	for (int i = 0; i < list.n; i++) {
		int p = names_find_parameter(e->lesson, &list.items[i], r->diag);
		if (p >= 0)
			e->shown[p] = true;
	}
}

static void read_views(struct reader *r, yaml_node_t *value, void *into)
{
	struct experiment *e = into;
	if (!reader_texts(r, value, "views", LESSON_VIEWS_MAX, &e->views))
		return;
	for (int i = 0; i < e->views.n; i++)
		names_check_view(e->names, &e->views.items[i], r->diag);
}

static void read_metrics(struct reader *r, yaml_node_t *value, void *into)
{
	struct experiment *e = into;
	if (!reader_texts(r, value, "metrics", LESSON_METRICS_MAX, &e->metrics))
		return;
	for (int i = 0; i < e->metrics.n; i++)
		names_check_metric(e->names, &e->metrics.items[i], r->diag);
}

/* --- the sweep ---------------------------------------------------------------------------------------------------- */

static void read_sweep_metric(struct reader *r, yaml_node_t *value, void *into)
{
	struct experiment *e = into;
	struct told told;
	if (reader_text(r, value, "metric", LESSON_TEXT_MAX, &told) && names_check_metric(e->names, &told, r->diag))
		e->sweep_metric = told.text;
}

static void read_sweep_parameter(struct reader *r, yaml_node_t *value, void *into)
{
	struct experiment *e = into;
	struct told told;
	if (!reader_text(r, value, "parameter", LESSON_TEXT_MAX, &told))
		return;
	int p = names_find_parameter(e->lesson, &told, r->diag);
	if (p >= 0)
		e->sweep_parameter = e->lesson->parameters[p].name;
}

static void read_sweep_values(struct reader *r, yaml_node_t *value, void *into)
{
	(void)r;
	((struct experiment *)into)->sweep_values_node = value;
}

/* Those of a parameter with names are told by name. */
static void take_sweep_values(struct reader *r, const struct parameter *parameter, struct experiment *e)
{
	int n = parameter->names ? reader_list(r, e->sweep_values_node, "values", LESSON_VALUES_MAX) : 0;
	if (e->sweep_values) {
		reader_error(r, e->sweep_values_node, "a sweep has either values or a range");
	} else if (!parameter->names) {
		e->sweep_values = reader_numbers(
			r, e->sweep_values_node, "values", LESSON_VALUES_MAX, &e->n_sweep_values);
	} else if (n > 0) {
		e->sweep_values = arena_array(r->arena, int64_t, (size_t)n);
		for (int i = 0; i < n; i++)
			if (names_read_value(r, reader_item(r, e->sweep_values_node, i), parameter, "a value",
				    &e->sweep_values[i]))
				e->n_sweep_values++;
	}
}

static void read_sweep_range(struct reader *r, yaml_node_t *value, void *into)
{
	struct experiment *e = into;
	if (e->sweep_values_node)
		reader_error(r, value, "a sweep has either values or a range");
	else
		e->sweep_values = reader_range(r, value, "range", LESSON_VALUES_MAX, &e->n_sweep_values);
}

static void read_sweep(struct reader *r, yaml_node_t *value, void *into)
{
	static const struct reader_key keys[] = {
		{"metric", true, read_sweep_metric},
		{"parameter", true, read_sweep_parameter},
		{"values", false, read_sweep_values},
		{"range", false, read_sweep_range},
		{0},
	};
	struct experiment *e = into;
	e->sweep_values_node = NULL; /* the front matter's, if it has one */
	e->sweep_values = NULL;
	e->n_sweep_values = 0;
	reader_map(r, value, "a sweep", keys, e);
	int p = e->sweep_parameter ? names_parameter(e->lesson, e->sweep_parameter) : -1;
	if (p < 0)
		return;
	const struct parameter *parameter = &e->lesson->parameters[p];
	if (e->sweep_values_node)
		take_sweep_values(r, parameter, e);
	else if (!e->sweep_values) {
		e->sweep_values = parameter->values;
		e->n_sweep_values = parameter->n_values;
	}
	for (int i = 0; i < e->n_sweep_values; i++)
		if (!lesson_check_value(parameter, e->sweep_values[i], reader_pos(r, value), r->diag))
			return;
}

/* --- results, defects ---------------------------------------------------------------------------------------------- */

static void read_results(struct reader *r, yaml_node_t *value, void *into)
{
	results_read(r, value, into);
}

static void read_defect_kind(struct reader *r, yaml_node_t *value, void *into)
{
	struct experiment *e = into;
	struct told told;
	if (reader_text(r, value, "defect", LESSON_TITLE_MAX, &told) && names_check_defect(e->names, &told, r->diag))
		e->defect = told;
}

static void read_defect_when(struct reader *r, yaml_node_t *value, void *into)
{
	struct experiment *e = into;
	const struct judgement_scope scope = judgement_scope_of(e, e->set);
	struct judgement *when = arena_alloc(r->arena, sizeof *when);
	if (!judgement_read(r, value, "when", &scope, when))
		return;
	if (when->n_terms)
		reader_error(r, value, "whether there is a defect depends on parameters, not on metrics");
	e->defect_when = when;
}

static void read_defect(struct reader *r, yaml_node_t *value, void *into)
{
	static const struct reader_key keys[] = {
		{"kind", true, read_defect_kind},
		{"when", false, read_defect_when},
		{0},
	};
	((struct experiment *)into)->defect_when = NULL;
	if (reader_is_map(value))
		reader_map(r, value, "a defect", keys, into);
	else
		read_defect_kind(r, value, into);
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

/* Read last: its parameters start from the step's, wherever `set` stands. */
static void keep_question(struct reader *r, yaml_node_t *value, void *into)
{
	(void)r;
	((struct experiment *)into)->question_node = value;
}

static void keep_claim(struct reader *r, yaml_node_t *value, void *into)
{
	(void)r;
	((struct experiment *)into)->claim_node = value;
}

static bool id_valid(const char *id)
{
	return islower((unsigned char)*id) && strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(id);
}

static void read_id(struct reader *r, yaml_node_t *value, void *into)
{
	struct experiment *e = into;
	if (!reader_text(r, value, "id", LESSON_TITLE_MAX, &e->id))
		return;
	if (!id_valid(e->id.text)) {
		diag_error(r->diag, e->id.pos, "'%s' is no id: lower-case letters, digits and dashes, a letter first",
			e->id.text);
		e->id.text = NULL;
	}
}

#define SHARED_KEYS                                                                                                    \
	{"launch", false, read_launch}, {"args", false, read_args}, {"watch", false, read_watch},                      \
		{"set", false, read_set}, {"parameters", false, read_parameters}, {"views", false, read_views},        \
		{"metrics", false, read_metrics}, {"results", false, read_results},                                    \
	{                                                                                                              \
		"defect", false, read_defect                                                                           \
	}

static bool only_key(yaml_document_t *document, const yaml_node_pair_t *pair, const char *const *names)
{
	const yaml_node_t *key = yaml_document_get_node(document, pair->key);
	for (; *names; names++)
		if (reader_is_scalar(key) && strcmp((const char *)key->data.scalar.value, *names) == 0)
			return true;
	return false;
}

/* Whether a block says anything that needs a kernel. */
static bool says_more(struct reader *r, yaml_node_t *node)
{
	static const char *const text_only[] = {"id", "question", NULL};
	if (!reader_is_map(node))
		return false;
	const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
	for (; pair < node->data.mapping.pairs.top; pair++)
		if (!only_key(&r->document, pair, text_only))
			return true;
	return false;
}

void experiment_read_defaults(struct reader *r, yaml_node_t *node, struct experiment *e)
{
	static const struct reader_key keys[] = {SHARED_KEYS, {0}};
	e->given = true;
	reader_map(r, node, "the front matter's experiment", keys, e);
}

void experiment_read_step(struct reader *r, yaml_node_t *node, struct experiment *e)
{
	static const struct reader_key keys[] = {
		SHARED_KEYS,
		{"kernel", false, experiment_read_file},
		{"exercise", false, read_exercise},
		{"sweep", false, read_sweep},
		{"question", false, keep_question},
		{"claim", false, keep_claim},
		{"id", false, read_id},
		{0},
	};
	e->given = e->given || says_more(r, node);
	reader_map(r, node, "an experiment", keys, e);
	if (e->exercise_node)
		exercise_read(r, e);
	if (e->question_node)
		question_read(r, e);
	if (e->claim_node)
		claim_read(r, e);
}

/* --- into the step ------------------------------------------------------------------------------------------------ */

static bool require(bool there, const char *what, struct diag_pos pos, struct diag *diag)
{
	if (!there)
		diag_error(diag, pos, "no %s, neither here nor in the front matter's experiment", what);
	return there;
}

static struct diag_pos fault_pos(
	const struct experiment *e, const struct launch_fault *fault, struct diag_pos otherwise)
{
	switch (fault->part) {
	case LAUNCH_PART_KERNEL: return e->kernel.pos.file ? e->kernel.pos : otherwise;
	case LAUNCH_PART_GRID: return e->grid.pos;
	case LAUNCH_PART_BLOCK: return e->block.pos;
	case LAUNCH_PART_SHARED: return e->shared.pos.file ? e->shared.pos : otherwise;
	case LAUNCH_PART_ARG: return e->args.items[fault->arg].pos;
	}
	return otherwise;
}

/* Makes the launch once, with the step's own parameter values, so that its faults are told where they are written. */
static void check_launch(const struct experiment *e, const struct step *step, struct diag *diag)
{
	struct arena *arena = arena_new();
	struct launch_fault fault;
	const struct launch *launch = launch_make(arena, e->lesson, step, step->set, &fault);

	if (!launch) {
		diag_error(diag, fault_pos(e, &fault, step->pos), "%s", fault.message);
	} else if (e->watch.text) {
		uint64_t blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
		uint64_t threads = (uint64_t)launch->block[0] * launch->block[1] * launch->block[2];
		uint64_t warps = (threads + WARP_LANES - 1) / WARP_LANES;
		if ((uint64_t)e->watch_block >= blocks)
			diag_error(diag, e->watch_pos,
				"block %" PRId64 " is watched, but the grid has %" PRIu64 ", counted from 0",
				e->watch_block, blocks);
		else if ((uint64_t)e->watch_warp >= warps)
			diag_error(diag, e->watch_pos,
				"warp %" PRId64 " is watched, but a block has %" PRIu64 ", counted from 0",
				e->watch_warp, warps);
	}
	arena_free(arena);
}

void experiment_finish(const struct experiment *e, struct arena *arena, struct step *step, struct diag *diag)
{
	struct diag_pos pos = step->pos;
	size_t errors = diag->errors;

	step->set = e->set;
	step->shown = e->shown;
	step->question = e->question;
	step->has_experiment = e->given;
	if (!e->given)
		return;
	require(e->file, "kernel", pos, diag);
	require(e->grid.text, "launch with a grid", pos, diag);
	require(e->block.text, "launch with a block", pos, diag);
	require(e->views.n > 0, "views", pos, diag);
	step->file = e->file;
	step->kernel = e->kernel.text ? e->kernel.text : e->file ? e->file->name : NULL;
	step->grid = e->grid.text;
	step->block = e->block.text;
	step->shared = e->shared.text;
	step->args = told_texts(arena, &e->args);
	step->n_args = e->args.n;
	step->views = told_texts(arena, &e->views);
	step->n_views = e->views.n;
	step->metrics = told_texts(arena, &e->metrics);
	step->n_metrics = e->metrics.n;
	step->watch = e->watch.text;
	step->claim = e->claim;
	step->exercise = e->exercise;
	step->results = e->results;
	step->n_results = e->n_results;
	step->defect = e->defect.text;
	step->defect_when = e->defect_when;
	step->watch_block = (uint32_t)e->watch_block;
	step->watch_warp = (uint32_t)e->watch_warp;
	step->sweep_metric = e->sweep_metric;
	step->sweep_parameter = e->sweep_parameter;
	step->sweep_values = e->sweep_values;
	step->n_sweep_values = e->n_sweep_values;
	if (diag->errors == errors)
		check_launch(e, step, diag);
	if (diag->errors == errors && e->watch.text)
		watch_find_line(e->lesson, step, e->set, e->watch.pos, diag);
}
