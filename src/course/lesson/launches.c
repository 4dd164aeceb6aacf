/* The launches of an experiment as its author writes them: one, or several that run one after the other. */
#include <string.h>

#include "course/lesson/draft.h"
#include "course/lesson/limits.h"
#include "course/lesson/substitute.h"

static void read_kernel(struct reader *r, yaml_node_t *value, void *into)
{
	lesson_reader_text(r, value, "kernel", LESSON_TEXT_MAX, &((struct draft_launch *)into)->kernel);
}

static void read_grid(struct reader *r, yaml_node_t *value, void *into)
{
	lesson_reader_text(r, value, "grid", LESSON_TEXT_MAX, &((struct draft_launch *)into)->grid);
}

static void read_block(struct reader *r, yaml_node_t *value, void *into)
{
	lesson_reader_text(r, value, "block", LESSON_TEXT_MAX, &((struct draft_launch *)into)->block);
}

static void read_shared(struct reader *r, yaml_node_t *value, void *into)
{
	lesson_reader_text(r, value, "shared", LESSON_TEXT_MAX, &((struct draft_launch *)into)->shared);
}

static void read_cluster(struct reader *r, yaml_node_t *value, void *into)
{
	lesson_reader_text(r, value, "cluster", LESSON_TEXT_MAX, &((struct draft_launch *)into)->cluster);
}

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
	{"kernel", false, read_kernel}, {"grid", false, read_grid}, {"block", false, read_block},                      \
		{"shared", false, read_shared}, {"cluster", false, read_cluster},                                      \
	{                                                                                                              \
		"cooperative", false, read_cooperative                                                                 \
	}

/* One of a list, which says all of itself; the arguments of the first may be those of the experiment. */
static void read_one(struct reader *r, yaml_node_t *value, struct draft_launch *launch)
{
	static const struct reader_key keys[] = {LAUNCH_KEYS, {"args", false, read_args}, {0}};
	*launch = (struct draft_launch){.pos = lesson_reader_pos(r, value), .shared.text = "0", .args = launch->args};
	lesson_reader_map(r, value, "a launch of a list", keys, launch);
}

void lesson_launches_read(struct reader *r, yaml_node_t *value, void *into)
{
	static const struct reader_key keys[] = {LAUNCH_KEYS, {0}};
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
		for (int i = 0; i < n; i++)
			read_one(r, lesson_reader_item(r, value, i), i ? &draft->then[i - 1] : &draft->launch);
	} else {
		lesson_reader_map(r, value, "a launch", keys, &draft->launch);
	}
}

void lesson_launches_read_args(struct reader *r, yaml_node_t *value, void *into)
{
	read_args(r, value, &((struct step_draft *)into)->launch);
}

static void require(const struct draft_launch *launch, const struct lesson_scalar *dim, const char *what,
	struct diag_pos pos, struct diag *diag)
{
	if (dim->text)
		return;
	if (launch->pos.file)
		diag_error(diag, launch->pos, "this launch has no %s", what);
	else
		diag_error(diag, pos, "no launch with a %s, neither here nor in the front matter's experiment", what);
}

void lesson_launches_finish(
	const struct step_draft *draft, struct arena *arena, const char *entry, struct step *step, struct diag *diag)
{
	struct step_launch *then = arena_array(arena, struct step_launch, (size_t)draft->n_then + 1);
	for (int i = 0; i <= draft->n_then; i++) {
		const struct draft_launch *launch = i ? &draft->then[i - 1] : &draft->launch;
		require(launch, &launch->grid, "grid", step->pos, diag);
		require(launch, &launch->block, "block", step->pos, diag);

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
}

struct diag_pos lesson_launches_fault_pos(
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
