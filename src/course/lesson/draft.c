#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/paths.h"
#include "course/lesson/private.h"
#include "machine/warp/warp.h"

static void read_cooperative(struct reader *r, yaml_node_t *value, void *into)
{
	struct draft_launch *launch = into;
	const char *text = lesson_reader_is_scalar(value) ? (const char *)value->data.scalar.value : "";
	launch->cooperative = strcmp(text, "true") == 0;
	if (!launch->cooperative && strcmp(text, "false") != 0)
		lesson_reader_error(r, value, "cooperative must be true or false");
}

static void read_args(struct reader *r, yaml_node_t *value, void *into)
{
	lesson_reader_texts(r, value, "args", LAUNCH_ARGS_MAX, &((struct draft_launch *)into)->args);
}

#define LAUNCH_KEYS                                                                                                    \
	READER_SCALAR("kernel", false, struct draft_launch, kernel, LESSON_TEXT_MAX),                                  \
		READER_SCALAR("grid", false, struct draft_launch, grid, LESSON_TEXT_MAX),                              \
		READER_SCALAR("block", false, struct draft_launch, block, LESSON_TEXT_MAX),                            \
		READER_SCALAR("shared", false, struct draft_launch, shared, LESSON_TEXT_MAX),                          \
		READER_SCALAR("cluster", false, struct draft_launch, cluster, LESSON_TEXT_MAX),                        \
		READER_CALL("cooperative", false, read_cooperative)

/* `launch`, a mapping or a list of them, each of which says all of itself; the arguments of the first may be those of
 * the experiment. */
static void read_launches(struct reader *r, yaml_node_t *value, void *into)
{
	static const struct reader_key keys[] = {LAUNCH_KEYS, {0}};
	static const struct reader_key keys_of_one[] = {LAUNCH_KEYS, READER_CALL("args", false, read_args), {0}};
	struct step_draft *draft = into;
	draft->n_then = 0;
	if (value->type == YAML_SEQUENCE_NODE) {
		int n = lesson_reader_list(r, value, "launch", LESSON_LAUNCHES_MAX);
		if (n == 0)
			lesson_reader_error(r, value, "a list of launches has at least one");
		if (n <= 0)
			return;
		draft->then = arena_array(r->arena, struct draft_launch, (size_t)n);
		draft->n_then = n - 1;
		for (int i = 0; i < n; i++) {
			struct draft_launch *launch = i ? &draft->then[i - 1] : &draft->launch;
			yaml_node_t *one = lesson_reader_item(r, value, i);
			*launch = (struct draft_launch){
				.pos = lesson_reader_pos(r, one), .shared.text = "0", .args = launch->args};
			lesson_reader_map(r, one, "a launch of a list", keys_of_one, launch);
		}
	} else {
		lesson_reader_map(r, value, "a launch", keys, &draft->launch);
	}
}

static void read_launch_args(struct reader *r, yaml_node_t *value, void *into)
{
	read_args(r, value, &((struct step_draft *)into)->launch);
}

static void require_size(const struct draft_launch *launch, const struct lesson_scalar *dim, const char *what,
	struct diag_pos pos, struct diag *diag)
{
	if (dim->text)
		return;
	if (launch->pos.file)
		diag_error(diag, launch->pos, "this launch has no %s", what);
	else
		diag_error(diag, pos, "no launch with a %s, neither here nor in the front matter's experiment", what);
}

/* Where the text is that a fault is in; `otherwise` where the author wrote none. */
static struct diag_pos find_fault_pos(
	const struct step_draft *draft, const struct launch_fault *fault, struct diag_pos otherwise)
{
	const struct draft_launch *launch = fault->launch ? &draft->then[fault->launch - 1] : &draft->launch;
	switch (fault->part) {
	case LAUNCH_PART_KERNEL: return launch->kernel.pos.file ? launch->kernel.pos : otherwise;
	case LAUNCH_PART_GRID: return launch->grid.pos;
	case LAUNCH_PART_BLOCK: return launch->block.pos;
	case LAUNCH_PART_SHARED: return launch->shared.pos.file ? launch->shared.pos : otherwise;
	case LAUNCH_PART_CLUSTER: return launch->cluster.pos;
	case LAUNCH_PART_ARG: return launch->args.items[fault->arg].pos;
	case LAUNCH_PART_WATCHED: return draft->watch.launch.pos.file ? draft->watch.launch.pos : otherwise;
	}
	return otherwise;
}

void lesson_draft_init(struct step_draft *draft, struct arena *arena, struct lesson *lesson, const char *data_dir,
	const struct lesson_names *names)
{
	size_t n = (size_t)lesson->n_parameters;
	*draft = (struct step_draft){.lesson = lesson,
		.data_dir = data_dir,
		.names = names,
		.file = lesson->kernel,
		.launch.shared.text = "0",
		.set = arena_array(arena, int64_t, n),
		.shown = arena_array(arena, bool, n)};
	for (size_t i = 0; i < n; i++) {
		draft->set[i] = lesson->parameters[i].initial;
		draft->shown[i] = true;
	}
}

int64_t *lesson_draft_copy_set(struct arena *arena, const struct step_draft *draft)
{
	size_t n = (size_t)draft->lesson->n_parameters;
	int64_t *set = arena_array(arena, int64_t, n + 1);
	if (n)
		memcpy(set, draft->set, n * sizeof *set);
	return set;
}

void lesson_draft_copy(struct step_draft *out, const struct step_draft *defaults, struct arena *arena)
{
	size_t n = (size_t)defaults->lesson->n_parameters;
	*out = *defaults;
	out->set = lesson_draft_copy_set(arena, defaults);
	out->shown = arena_array(arena, bool, n);
	for (size_t i = 0; i < n; i++)
		out->shown[i] = defaults->shown[i];
}

/* --- the kernel --------------------------------------------------------------------------------------------------- */

/* Each file is read once; the lesson knows them all. */
static const struct kernel_file *find_kernel(
	struct reader *r, struct lesson *lesson, const struct kernel_place *place, const struct lesson_scalar *name)
{
	const char *path = arena_printf(r->arena, "%s/%s.cu", place->folder, name->text);
	for (int i = 0; i < lesson->n_kernels; i++)
		if (strcmp(lesson->kernels[i]->source_path, path) == 0)
			return lesson->kernels[i];
	const struct kernel_file *file = lesson_kernel_load(r->arena, place, name->text, name->pos, r->diag);
	if (file && lesson->n_kernels < LESSON_KERNELS_MAX)
		lesson->kernels[lesson->n_kernels++] = file;
	return file;
}

/* The course's own folder, and for a kernel that is not there the folder that courses share. */
static struct kernel_place find_place(struct reader *r, const struct step_draft *draft, const char *name)
{
	const char *shared = draft->names ? draft->names->shared : NULL;
	const char *own = path_join(r->arena, draft->data_dir, "kernels");
	if (shared && !file_is_named(arena_printf(r->arena, "%s/%s.cu", own, name)) &&
		!file_is_named(arena_printf(r->arena, "%s/%s.ptx", own, name)) &&
		file_is_named(arena_printf(r->arena, "%s/kernels/%s.cu", shared, name)))
		return (struct kernel_place){path_join(r->arena, shared, "kernels"), shared, shared, false};
	return (struct kernel_place){own, draft->data_dir, shared, false};
}

void lesson_draft_read_file(struct reader *r, yaml_node_t *value, void *into)
{
	struct step_draft *draft = into;
	struct lesson_scalar scalar;
	if (!lesson_reader_text(r, value, "kernel", LESSON_TEXT_MAX, &scalar) ||
		!lesson_kernel_name_check(scalar.text, scalar.pos, r->diag))
		return;
	const struct kernel_place place = find_place(r, draft, scalar.text);
	draft->file = find_kernel(r, draft->lesson, &place, &scalar);
}

const char *lesson_folder(struct arena *arena, const struct lesson *lesson)
{
	const char *slash = strrchr(lesson->path, '/');
	return slash ? arena_strndup(arena, lesson->path, (size_t)(slash - lesson->path)) : ".";
}

static bool only_key(yaml_document_t *document, const yaml_node_pair_t *pair, const char *const *names);

/* Whether it is a whole program, with which the step's experiment has nothing to do. */
static bool is_program(struct reader *r, const yaml_node_t *exercise)
{
	static const char *const program[] = {"program", NULL};
	if (!lesson_reader_is_map(exercise))
		return false;
	const yaml_node_pair_t *pair = exercise->data.mapping.pairs.start;
	for (; pair < exercise->data.mapping.pairs.top; pair++)
		if (only_key(&r->document, pair, program))
			return true;
	return false;
}

/* An exercise is about the kernel in its own folder. */
static void read_exercise(struct reader *r, yaml_node_t *value, void *into)
{
	struct step_draft *draft = into;
	const struct lesson_scalar start = {"start", lesson_reader_pos(r, value)};
	draft->nodes.exercise = value;
	draft->exercise.dir = path_join(r->arena, lesson_folder(r->arena, draft->lesson), "exercise");
	struct kernel_place place = {draft->exercise.dir, draft->data_dir, draft->names->shared, is_program(r, value)};
	if (place.is_program)
		draft->exercise.start = lesson_kernel_load(r->arena, &place, start.text, start.pos, r->diag);
	else
		draft->exercise.start = draft->file = find_kernel(r, draft->lesson, &place, &start);
	draft->of_program = place.is_program;
}

const struct kernel_file *lesson_exercise_kernel(
	struct arena *arena, const struct step *step, const char *name, struct diag *diag)
{
	const struct exercise *e = &step->exercise;
	const struct kernel_place place = {e->dir, e->start->root, e->start->shared, e->n_runs > 0};
	return lesson_kernel_load(arena, &place, name, step->pos, diag);
}

/* --- a program ---------------------------------------------------------------------------------------------------- */

static void read_program_file(struct reader *r, yaml_node_t *value, void *into)
{
	struct step_draft *draft = into;
	struct lesson_scalar scalar;
	draft->shows_program = true;
	draft->file = NULL;
	if (!lesson_reader_text(r, value, "program", LESSON_TEXT_MAX, &scalar) ||
		!lesson_kernel_name_check(scalar.text, scalar.pos, r->diag))
		return;
	const struct kernel_place place = {
		path_join(r->arena, lesson_folder(r->arena, draft->lesson), LESSON_PROGRAM_FOLDER), draft->data_dir,
		draft->names->shared, true};
	draft->file = find_kernel(r, draft->lesson, &place, &scalar);
}

/* Words, each a whole number or an expression in braces. */
static void read_program_arguments(struct reader *r, yaml_node_t *value, void *into)
{
	struct step_draft *draft = into;
	struct lesson_scalar scalar;
	if (!lesson_reader_text(r, value, "arguments", LESSON_TEXT_MAX, &scalar))
		return;
	struct lesson_scalar_list *list = &draft->launch.args;
	*list = (struct lesson_scalar_list){.items = arena_array(r->arena, struct lesson_scalar, LESSON_ARGUMENTS_MAX)};
	for (const char *at = scalar.text; *at; at += strspn(at, " ")) {
		size_t len = *at == '{' ? strcspn(at, "}") + 1 : strcspn(at, " ");
		len = strnlen(at, len);
		if (list->n == LESSON_ARGUMENTS_MAX) {
			lesson_reader_error(r, value, "at most %d arguments", LESSON_ARGUMENTS_MAX);
			return;
		}
		list->items[list->n++] = (struct lesson_scalar){
			arena_printf(r->arena, LESSON_PROGRAM_ARGUMENT "%.*s", (int)len, at), scalar.pos};
		at += len;
	}
}

static void read_program_wrong(struct reader *r, yaml_node_t *value, void *into)
{
	struct step_draft *draft = into;
	const struct judgment_scope scope = lesson_judgment_scope_of(draft, draft->set);
	struct judgment *wrong = arena_alloc(r->arena, sizeof *wrong);
	if (!lesson_judgment_read(r, value, "wrong", &scope, wrong))
		return;
	if (wrong->n_terms)
		lesson_reader_error(r, value, "whether a program is wrong depends on parameters, not on metrics");
	draft->program_wrong = wrong;
}

/* What the step, or the front matter, has for kernels is not the program's. */
static void read_program(struct reader *r, yaml_node_t *value, void *into)
{
	static const struct reader_key keys[] = {READER_CALL("file", true, read_program_file),
		READER_CALL("arguments", false, read_program_arguments),
		READER_CALL("wrong", false, read_program_wrong), {0}};
	struct step_draft *draft = into;
	draft->launch = (struct draft_launch){
		.kernel.text = LESSON_PROGRAM_ENTRY, .grid.text = "1", .block.text = "1", .shared.text = "0"};
	draft->n_then = 0;
	draft->program_wrong = NULL;
	if (lesson_reader_is_map(value))
		lesson_reader_map(r, value, "a program", keys, into);
	else
		read_program_file(r, value, into);
}

/* --- what is watched ---------------------------------------------------------------------------------------------- */

static void read_watch_line(struct reader *r, yaml_node_t *value, void *into)
{
	struct step_draft *draft = into;
	if (lesson_reader_text(r, value, "watch", LESSON_TEXT_MAX, &draft->watch.line))
		draft->watch.pos = draft->watch.line.pos;
}

static void read_watch_block(struct reader *r, yaml_node_t *value, void *into)
{
	struct step_draft *draft = into;
	draft->watch.pos = lesson_reader_pos(r, value);
	lesson_reader_int(r, value, (struct lesson_range){"block", 0, UINT32_MAX}, &draft->watch.block);
}

static void read_watch_warp(struct reader *r, yaml_node_t *value, void *into)
{
	struct step_draft *draft = into;
	draft->watch.pos = lesson_reader_pos(r, value);
	lesson_reader_int(r, value, (struct lesson_range){"warp", 0, UINT32_MAX}, &draft->watch.warp);
}

static void read_watch(struct reader *r, yaml_node_t *value, void *into)
{
	static const struct reader_key keys[] = {
		READER_CALL("line", false, read_watch_line),
		READER_SCALAR("launch", false, struct step_draft, watch.launch, LESSON_TEXT_MAX),
		READER_CALL("block", false, read_watch_block),
		READER_CALL("warp", false, read_watch_warp),
		{0},
	};
	if (lesson_reader_is_map(value))
		lesson_reader_map(r, value, "watch", keys, into);
	else
		read_watch_line(r, value, into);
}

/* --- parameters, views, metrics ----------------------------------------------------------------------------------- */

static void read_set(struct reader *r, yaml_node_t *value, void *into)
{
	struct step_draft *draft = into;
	lesson_names_read_settings(r, value, draft->lesson, draft->set);
}

static void read_parameters(struct reader *r, yaml_node_t *value, void *into)
{
	struct step_draft *draft = into;
	struct lesson_scalar_list list;
	if (!lesson_reader_texts(r, value, "parameters", LESSON_PARAMETERS_MAX, &list))
		return;
	for (int i = 0; i < draft->lesson->n_parameters; i++)
		draft->shown[i] = false;
	for (int i = 0; i < list.n; i++) {
		int p = lesson_names_find_parameter(draft->lesson, &list.items[i], r->diag);
		if (p >= 0)
			draft->shown[p] = true;
	}
}

static void read_views(struct reader *r, yaml_node_t *value, void *into)
{
	struct step_draft *draft = into;
	if (!lesson_reader_texts(r, value, "views", LESSON_VIEWS_MAX, &draft->views))
		return;
	for (int i = 0; i < draft->views.n; i++)
		lesson_names_check_view(draft->names, &draft->views.items[i], r->diag);
}

static void read_metrics(struct reader *r, yaml_node_t *value, void *into)
{
	struct step_draft *draft = into;
	if (!lesson_reader_texts(r, value, "metrics", LESSON_METRICS_MAX, &draft->metrics))
		return;
	for (int i = 0; i < draft->metrics.n; i++)
		lesson_names_check_metric(draft->names, &draft->metrics.items[i], r->diag);
}

/* --- the sweep ---------------------------------------------------------------------------------------------------- */

static void read_sweep_metric(struct reader *r, yaml_node_t *value, void *into)
{
	struct step_draft *draft = into;
	struct lesson_scalar scalar;
	if (lesson_reader_text(r, value, "metric", LESSON_TEXT_MAX, &scalar) &&
		lesson_names_check_metric(draft->names, &scalar, r->diag))
		draft->sweep.metric = scalar.text;
}

static void read_sweep_parameter(struct reader *r, yaml_node_t *value, void *into)
{
	struct step_draft *draft = into;
	struct lesson_scalar scalar;
	if (!lesson_reader_text(r, value, "parameter", LESSON_TEXT_MAX, &scalar))
		return;
	int p = lesson_names_find_parameter(draft->lesson, &scalar, r->diag);
	if (p >= 0)
		draft->sweep.parameter = draft->lesson->parameters[p].name;
}

static void read_sweep_range(struct reader *r, yaml_node_t *value, void *into)
{
	struct step_draft *draft = into;
	if (draft->nodes.sweep_values)
		lesson_reader_error(r, value, "a sweep has either values or a range");
	else
		draft->sweep.values = lesson_reader_range(r, value, "range", LESSON_VALUES_MAX, &draft->sweep.n);
}

static void read_sweep(struct reader *r, yaml_node_t *value, void *into)
{
	static const struct reader_key keys[] = {
		READER_CALL("metric", true, read_sweep_metric),
		READER_CALL("parameter", true, read_sweep_parameter),
		READER_KEEP("values", false, struct step_draft, nodes.sweep_values),
		READER_CALL("range", false, read_sweep_range),
		{0},
	};
	struct step_draft *draft = into;
	draft->nodes.sweep_values = NULL; /* the front matter's, if it has one */
	draft->sweep.values = NULL;
	draft->sweep.n = 0;
	lesson_reader_map(r, value, "a sweep", keys, draft);
	int p = draft->sweep.parameter ? lesson_names_parameter(draft->lesson, draft->sweep.parameter) : -1;
	if (p < 0)
		return;
	const struct parameter *parameter = &draft->lesson->parameters[p];
	if (draft->nodes.sweep_values) {
		/* Those of a parameter with names are given by name. */
		int n = parameter->names ? lesson_reader_list(r, draft->nodes.sweep_values, "values", LESSON_VALUES_MAX)
					 : 0;
		if (draft->sweep.values) {
			lesson_reader_error(r, draft->nodes.sweep_values, "a sweep has either values or a range");
		} else if (!parameter->names) {
			draft->sweep.values = lesson_reader_numbers(
				r, draft->nodes.sweep_values, "values", LESSON_VALUES_MAX, &draft->sweep.n);
		} else if (n > 0) {
			draft->sweep.values = arena_array(r->arena, int64_t, (size_t)n);
			for (int i = 0; i < n; i++)
				if (lesson_names_read_value(r, lesson_reader_item(r, draft->nodes.sweep_values, i),
					    parameter, "a value", &draft->sweep.values[i]))
					draft->sweep.n++;
		}
	} else if (!draft->sweep.values) {
		draft->sweep.values = parameter->values;
		draft->sweep.n = parameter->n_values;
	}
	for (int i = 0; i < draft->sweep.n; i++)
		if (!lesson_check_value(parameter, draft->sweep.values[i], lesson_reader_pos(r, value), r->diag))
			return;
}

/* --- results, defects --------------------------------------------------------------------------------------------- */

static void read_defect_kind(struct reader *r, yaml_node_t *value, void *into)
{
	struct step_draft *draft = into;
	struct lesson_scalar scalar;
	if (lesson_reader_text(r, value, "defect", LESSON_TITLE_MAX, &scalar) &&
		lesson_names_check_defect(draft->names, &scalar, r->diag))
		draft->defect = scalar;
}

static void read_defect_when(struct reader *r, yaml_node_t *value, void *into)
{
	struct step_draft *draft = into;
	const struct judgment_scope scope = lesson_judgment_scope_of(draft, draft->set);
	struct judgment *when = arena_alloc(r->arena, sizeof *when);
	if (!lesson_judgment_read(r, value, "when", &scope, when))
		return;
	if (when->n_terms)
		lesson_reader_error(r, value, "whether there is a defect depends on parameters, not on metrics");
	draft->defect_when = when;
}

static void read_defect(struct reader *r, yaml_node_t *value, void *into)
{
	static const struct reader_key keys[] = {
		READER_CALL("kind", true, read_defect_kind),
		READER_CALL("when", false, read_defect_when),
		{0},
	};
	((struct step_draft *)into)->defect_when = NULL;
	if (lesson_reader_is_map(value))
		lesson_reader_map(r, value, "a defect", keys, into);
	else
		read_defect_kind(r, value, into);
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

static void read_none(struct reader *r, yaml_node_t *value, void *into)
{
	struct lesson_scalar scalar;
	if (!lesson_reader_text(r, value, "experiment", LESSON_TEXT_MAX, &scalar))
		return;
	if (strcmp(scalar.text, "none") == 0)
		((struct step_draft *)into)->refused = true;
	else
		diag_error(r->diag, scalar.pos,
			"'experiment' of a step can be 'none' only; this block is the experiment otherwise");
}

static void read_id(struct reader *r, yaml_node_t *value, void *into)
{
	struct step_draft *draft = into;
	if (!lesson_reader_text(r, value, "id", LESSON_TITLE_MAX, &draft->id))
		return;
	const char *id = draft->id.text;
	bool valid = islower((unsigned char)*id) && strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(id);
	if (!valid) {
		diag_error(r->diag, draft->id.pos,
			"'%s' is not an id: lower-case letters, digits and dashes, a letter first", draft->id.text);
		draft->id.text = NULL;
	}
}

#define SHARED_KEYS                                                                                                    \
	READER_CALL("launch", false, read_launches), READER_CALL("args", false, read_launch_args),                     \
		READER_CALL("watch", false, read_watch), READER_CALL("set", false, read_set),                          \
		READER_CALL("parameters", false, read_parameters), READER_CALL("views", false, read_views),            \
		READER_CALL("metrics", false, read_metrics), READER_CALL("results", false, lesson_results_read),       \
		READER_CALL("defect", false, read_defect), READER_CALL("program", false, read_program)

static bool only_key(yaml_document_t *document, const yaml_node_pair_t *pair, const char *const *names)
{
	const yaml_node_t *key = yaml_document_get_node(document, pair->key);
	for (; *names; names++)
		if (lesson_reader_is_scalar(key) && strcmp((const char *)key->data.scalar.value, *names) == 0)
			return true;
	return false;
}

/* The first key of a block that is none of these; NULL: there is none. */
static const yaml_node_pair_t *find_other(struct reader *r, const yaml_node_t *node, const char *const *names)
{
	if (!lesson_reader_is_map(node))
		return NULL;
	const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
	for (; pair < node->data.mapping.pairs.top; pair++)
		if (!only_key(&r->document, pair, names))
			return pair;
	return NULL;
}

/* An error at the first key of the step that is not `known`. */
static void refuse_others(struct reader *r, const yaml_node_t *node, const char *const *known, const char *why)
{
	const yaml_node_pair_t *other = find_other(r, node, known);
	if (other)
		lesson_reader_error(r, yaml_document_get_node(&r->document, other->key), "%s", why);
}

void lesson_draft_read_defaults(struct reader *r, yaml_node_t *node, struct step_draft *draft)
{
	static const struct reader_key keys[] = {SHARED_KEYS, {0}};
	draft->given = true;
	lesson_reader_map(r, node, "the front matter's experiment", keys, draft);
}

void lesson_draft_read_step(struct reader *r, yaml_node_t *node, struct step_draft *draft)
{
	static const struct reader_key keys[] = {
		SHARED_KEYS,
		READER_CALL("kernel", false, lesson_draft_read_file),
		READER_CALL("exercise", false, read_exercise),
		READER_CALL("sweep", false, read_sweep),
		READER_KEEP("compare", false, struct step_draft, nodes.compare),
		READER_KEEP("question", false, struct step_draft, nodes.question),
		READER_KEEP("claim", false, struct step_draft, nodes.claim),
		READER_CALL("id", false, read_id),
		READER_CALL("experiment", false, read_none),
		{0},
	};
	static const char *const needs_no_kernel[] = {"id", "question", NULL};
	static const char *const of_program[] = {"id", "question", "exercise", NULL};
	static const char *const of_none[] = {"id", "question", "experiment", NULL};
	static const char *const of_shown[] = {
		"id", "question", "program", "set", "parameters", "views", "claim", NULL};
	draft->given = draft->given || find_other(r, node, needs_no_kernel);
	lesson_reader_map(r, node, "an experiment", keys, draft);
	if (draft->of_program) {
		/* The launches are the program's: nothing of a step's experiment is there. */
		draft->given = false;
		refuse_others(r, node, of_program,
			"the exercise is a whole program, which makes its own launches: the step has no experiment");
	}
	if (draft->refused) {
		/* The step does without the experiment of the front matter. */
		draft->given = false;
		refuse_others(r, node, of_none,
			"the step says that it has no experiment; beside that it can have an id and a question");
	}
	if (draft->shows_program && !draft->refused && !draft->of_program) {
		/* It has no launch of its own, and nothing that is counted in one. */
		draft->watch = (struct draft_watch){0};
		draft->metrics.n = draft->n_results = 0;
		draft->defect.text = NULL;
		draft->defect_when = NULL;
		refuse_others(r, node, of_shown,
			"the step shows a program, which makes its own launches: it has no such key");
	}
	if (draft->nodes.exercise)
		lesson_exercise_read(r, draft);
	if (draft->nodes.compare)
		lesson_compare_read(r, draft);
	if (draft->nodes.question)
		lesson_question_read(r, draft);
	if (draft->nodes.claim)
		lesson_claim_read(r, draft);
}

/* --- into the step ------------------------------------------------------------------------------------------------ */

static bool require(bool there, const char *what, struct diag_pos pos, struct diag *diag)
{
	if (!there)
		diag_error(diag, pos, "no %s, neither here nor in the front matter's experiment", what);
	return there;
}

void lesson_draft_finish(const struct step_draft *draft, struct arena *arena, struct step *step, struct diag *diag)
{
	struct diag_pos pos = step->pos;
	size_t errors = diag->errors;

	step->set = draft->set;
	step->shown = draft->shown;
	step->question = draft->question;
	step->exercise = draft->exercise;
	step->has_experiment = draft->given;
	if (!draft->given)
		return;
	require(draft->file, "kernel", pos, diag);

	/* The launches. Where one names no kernel, it is of the entry that is called as the file; of an exercise, whose
	 * files are called start and solution, the only one. */
	const char *only = draft->exercise.start && draft->file ? lesson_kernel_only_entry(arena, draft->file) : NULL;
	const char *entry = only ? only : draft->file ? draft->file->name : NULL;
	struct step_launch *then = arena_array(arena, struct step_launch, (size_t)draft->n_then + 1);
	for (int i = 0; i <= draft->n_then; i++) {
		const struct draft_launch *launch = i ? &draft->then[i - 1] : &draft->launch;
		require_size(launch, &launch->grid, "grid", step->pos, diag);
		require_size(launch, &launch->block, "block", step->pos, diag);

		*(i ? &then[i - 1] : &step->launch) = (struct step_launch){
			.kernel = launch->kernel.text ? launch->kernel.text : entry,
			.grid = launch->grid.text,
			.block = launch->block.text,
			.shared = launch->shared.text,
			.cluster = launch->cluster.text,
			.cooperative = launch->cooperative,
			.args = lesson_scalar_texts(arena, &launch->args),
			.n_args = launch->args.n,
		};
	}
	step->then = then;
	step->n_then = draft->n_then;
	step->watch.launch = draft->watch.launch.text;
	if (draft->n_then && draft->exercise.timed)
		diag_error(diag, step->pos, "an exercise of several launches cannot be timed: a GPU is given one");

	require(draft->views.n > 0, "views", pos, diag);
	lesson_compare_check_views(draft, diag);
	step->file = draft->file;
	step->views = lesson_scalar_texts(arena, &draft->views);
	step->n_views = draft->views.n;
	step->metrics = lesson_scalar_texts(arena, &draft->metrics);
	step->n_metrics = draft->metrics.n;
	step->watch.line = draft->watch.line.text;
	step->claim = draft->claim;
	step->results = draft->results;
	step->n_results = draft->n_results;
	step->defect = draft->defect.text;
	step->defect_when = draft->defect_when;
	step->program_wrong = draft->program_wrong;
	step->watch.block = (uint32_t)draft->watch.block;
	step->watch.warp = (uint32_t)draft->watch.warp;
	step->sweep = draft->sweep;
	step->compare = draft->compare;
	if (diag->errors == errors) {
		/* Makes the launch once, with the step's own parameter values, so that its faults are reported where
		 * they are written. */
		struct arena *launch_arena = arena_new();
		struct launch_fault fault;
		struct lesson_launches all;
		const struct launch *launch = NULL;

		if (lesson_make_launches(launch_arena, draft->lesson, step, step->set, &all, &fault))
			launch = &all.at[all.watched];
		if (!launch) {
			diag_error(diag, find_fault_pos(draft, &fault, step->pos), "%s", fault.message);
		} else if (draft->watch.line.text) {
			uint64_t blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
			uint64_t threads = (uint64_t)launch->block[0] * launch->block[1] * launch->block[2];
			uint64_t warps = warp_count(threads);
			if ((uint64_t)draft->watch.block >= blocks)
				diag_error(diag, draft->watch.pos,
					"block %" PRId64 " is watched, but the grid has %" PRIu64 ", counted from 0",
					draft->watch.block, blocks);
			else if ((uint64_t)draft->watch.warp >= warps)
				diag_error(diag, draft->watch.pos,
					"warp %" PRId64 " is watched, but a block has %" PRIu64 ", counted from 0",
					draft->watch.warp, warps);
		}
		arena_free(launch_arena);
	}
	if (diag->errors == errors && draft->watch.line.text)
		lesson_find_watch_line(draft->lesson, step, draft->set, draft->watch.line.pos, diag);
}
