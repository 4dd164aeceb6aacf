
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/expr.h"
#include "course/lesson/private.h"
#include "machine/warp/warp.h"

#define SHARED_MAX (1 << 20) /* far above any GPU; the machine and the worker know theirs */
#define CLUSTER_MAX 16       /* blocks: CC 9.0, a size that is not portable */

/* One text with its expressions being replaced. */
struct substitution {
	struct arena *arena;
	const struct lesson *lesson;
	int64_t values[LESSON_WORDS_MAX];
	bool as_names; /* a parameter alone whose values have names becomes the name */
	struct buf out;
	struct diag diag;  /* of the expressions */
	const char *fault; /* NULL: none */
};

static bool replace(struct substitution *s, const char *text, size_t len)
{
	const char *why = NULL;
	int64_t value;

	/* {version} as "tiled". */
	for (int i = 0; s->as_names && i < s->lesson->n_parameters; i++) {
		const struct parameter *p = &s->lesson->parameters[i];
		if (p->names && strlen(p->name) == len && memcmp(p->name, text, len) == 0) {
			lesson_write_value(p, s->values[i], &s->out);
			return true;
		}
	}

	char *copy = arena_strndup(s->arena, text, len);
	const struct expr_names names = {.names = s->lesson->words, .n = s->lesson->n_words};
	const struct expr *e = expr_parse(s->arena, NULL, copy, &names, &s->diag);
	if (!e) {
		s->fault = arena_printf(s->arena, "in {%s}: %s", copy, s->diag.count ? s->diag.entries[0].message : "");
		return false;
	}
	if (!expr_eval(e, s->values, &value, &why)) {
		s->fault = arena_printf(s->arena, "in {%s}: %s", copy, why);
		return false;
	}
	buf_printf(&s->out, "%" PRId64, value);
	return true;
}

/* Whether the brace at `p` belongs to an argument, as that of texture:{...}. */
static bool is_of_argument(const char *text, const char *p)
{
	static const char *const before[] = {"texture", "surface", "tensormap"};
	const char *word = p;
	if (p == text || p[-1] != ':')
		return false;
	while (word > text && !strchr(" ;(=,", word[-1]))
		word--;
	for (size_t i = 0; i < sizeof before / sizeof *before; i++)
		if (strncmp(word, before[i], strlen(before[i])) == 0)
			return true;
	return false;
}

/* The text with its expressions replaced, in the arena; NULL and why. */
static const char *substitute_with(
	struct arena *arena, struct substitution *s, const char *text, const int64_t *values, const char **why)
{
	s->arena = arena;
	lesson_names_word_values(s->lesson, values, s->values);

	bool ok = true;
	int kept = 0; /* braces that are open and stay */
	for (const char *p = text; *p;) {
		size_t plain = strcspn(p, "{}");
		buf_append(&s->out, p, plain);
		p += plain;
		if (!*p)
			break;
		bool stays = *p == '{' ? is_of_argument(text, p) : kept > 0;
		if (stays) {
			kept += *p == '{' ? 1 : -1;
			buf_putc(&s->out, *p++);
			continue;
		}
		const char *end = *p == '{' ? strchr(p, '}') : NULL;
		if (!end) {
			s->fault = *p == '{' ? "a '{' without its '}'" : "a '}' without its '{'";
			ok = false;
			break;
		}
		if (!replace(s, p + 1, (size_t)(end - p - 1))) {
			ok = false;
			break;
		}
		p = end + 1;
	}

	const char *result = ok ? arena_strdup(arena, buf_str(&s->out)) : NULL;
	*why = s->fault;
	buf_free(&s->out);
	diag_free(&s->diag);
	return result;
}

const char *lesson_substitute(
	struct arena *arena, const struct lesson *lesson, const char *text, const int64_t *values, const char **why)
{
	struct substitution s = {.lesson = lesson};
	return substitute_with(arena, &s, text, values, why);
}

/* The same for the name of something. */
static const char *substitute_name(
	struct arena *arena, const struct lesson *lesson, const char *text, const int64_t *values, const char **why)
{
	struct substitution s = {.lesson = lesson, .as_names = true};
	return substitute_with(arena, &s, text, values, why);
}

/* What a parser said, without a place: its text is not what the author wrote. */
static const char *said(struct arena *arena, const char *text, struct diag *diag)
{
	const char *message = diag->count ? diag->entries[0].message : "not understood";
	const char *result = arena_printf(arena, "'%s': %s", text, message);
	diag_free(diag);
	return result;
}

static bool make_dim(struct arena *arena, const char *text, uint32_t out[3], const char **why)
{
	struct diag diag = {0};
	if (launch_dim_parse(NULL, text, out, &diag))
		return true;
	*why = said(arena, text, &diag);
	return false;
}

/* What the launches of a step share. */
struct shared_buffers {
	bool several;
	size_t left;                /* the bytes that further buffers may have */
	const struct launch *first; /* of which the names of buffers are known */
	int n;                      /* launches so far, the one under way among them */
	int n_args;                 /* of the latter, so far */
};

static bool has_name(const struct shared_buffers *sharing, const char *name)
{
	for (int i = 0; i < sharing->n; i++) {
		const struct launch *launch = &sharing->first[i];
		for (int k = 0; k < (i == sharing->n - 1 ? sharing->n_args : launch->n_args); k++)
			if (launch->args[k].name && strcmp(launch->args[k].name, name) == 0)
				return true;
	}
	return false;
}

/* Addresses that a lesson may have: a buffer of this launch or of one before, as the whole argument. */
static bool check_addresses(struct arena *arena, const char *text, const struct shared_buffers *sharing,
	const struct launch_arg *arg, const char **why)
{
	const struct launch_pointer *p = arg->pointers;
	if (!arg->n_pointers && arg->name && has_name(sharing, arg->name)) {
		*why = arena_printf(arena, "'%s': a second buffer with the name %s", text, arg->name);
		return false;
	}
	if (!arg->n_pointers)
		return true;
	if (!sharing->several || arg->is_struct || arg->n_pointers > 1 || p->to != LAUNCH_TO_NAMED) {
		*why = arena_printf(
			arena, "'%s': arguments of lessons run on GPUs, too, and have no addresses in them", text);
		return false;
	}
	if (!has_name(sharing, p->name))
		*why = arena_printf(
			arena, "no buffer before this has the name %s, as %s=u32[64] gives it one", p->name, p->name);
	return has_name(sharing, p->name);
}

static const char *make_kernel(struct arena *arena, const struct lesson *lesson, const struct step *step,
	const struct step_launch *from, const int64_t *values, const char **why)
{
	const char *name = substitute_name(arena, lesson, from->kernel, values, why);
	if (!name || step->file->is_program || lesson_kernel_has_entry(step->file, name))
		return name;
	const char *renamed = lesson_kernel_renamed(arena, step->file, name);
	*why = renamed ? arena_printf(arena,
				 "no kernel '%s' in %s: extern \"C\" is missing before its __global__, so that the "
				 "compiler calls it %s",
				 name, step->file->ptx_path, renamed)
		       : arena_printf(arena, "no kernel '%s' in %s; it has %s", name, step->file->ptx_path,
				 lesson_kernel_entries(arena, step->file));
	return NULL;
}

/* What a launch is made for. */
struct making {
	struct arena *arena;
	const struct lesson *lesson;
	const struct step *step;
	const int64_t *values;
	struct shared_buffers sharing;
};

/* Of 16 blocks at most, and as many as the grid can be cut into. */
static bool make_cluster(struct making *m, const char *cluster, struct launch *launch, struct launch_fault *fault)
{
	fault->part = LAUNCH_PART_CLUSTER;
	const char *text = lesson_substitute(m->arena, m->lesson, cluster, m->values, &fault->message);
	if (!text || !make_dim(m->arena, text, launch->cluster, &fault->message))
		return false;
	bool divides = true;
	for (int i = 0; i < 3; i++)
		divides = divides && launch->grid[i] % launch->cluster[i] == 0;
	if (divides && warp_dim_volume(launch->cluster) <= CLUSTER_MAX)
		return true;
	fault->message = divides ? arena_printf(m->arena, "'%s': a cluster has at most %d blocks", text, CLUSTER_MAX)
				 : arena_printf(m->arena, "'%s': the grid is no multiple of it", text);
	return false;
}

static bool make_one(
	struct making *m, const struct step_launch *from, struct launch *launch, struct launch_fault *fault)
{
	const char *text;
	fault->part = LAUNCH_PART_KERNEL;
	launch->kernel = make_kernel(m->arena, m->lesson, m->step, from, m->values, &fault->message);
	if (!launch->kernel)
		return false;
	fault->part = LAUNCH_PART_GRID;
	text = lesson_substitute(m->arena, m->lesson, from->grid, m->values, &fault->message);
	if (!text || !make_dim(m->arena, text, launch->grid, &fault->message))
		return false;
	fault->part = LAUNCH_PART_BLOCK;
	text = lesson_substitute(m->arena, m->lesson, from->block, m->values, &fault->message);
	if (!text || !make_dim(m->arena, text, launch->block, &fault->message))
		return false;
	fault->part = LAUNCH_PART_SHARED;
	text = lesson_substitute(m->arena, m->lesson, from->shared, m->values, &fault->message);

	if (!text)
		return false;
	struct arena *shared_arena = m->arena;
	char *end;
	errno = 0;
	long long bytes = strtoll(text, &end, 10);
	if (end == text || *end || errno || bytes < 0 || bytes > SHARED_MAX) {
		fault->message = arena_printf(
			shared_arena, "'%s': shared memory must be 0 to %d bytes", text, SHARED_MAX);
		return false;
	}
	launch->shared = (uint32_t)bytes;

	launch->cooperative = from->cooperative;
	if (from->cluster && !make_cluster(m, from->cluster, launch, fault))
		return false;

	launch->n_args = from->n_args;
	launch->args = arena_array(m->arena, struct launch_arg, (size_t)from->n_args);
	m->sharing.n++;
	fault->part = LAUNCH_PART_ARG;
	for (int i = 0; i < from->n_args; i++) {
		m->sharing.n_args = fault->arg = i;
		const char *args_text = lesson_substitute(
			m->arena, m->lesson, from->args[i], m->values, &fault->message);

		if (!args_text)
			return false;
		struct launch_arg *out = &launch->args[i];

		struct diag diag = {0};
		if (!launch_arg_parse(m->arena, NULL, args_text, out, &diag)) {
			fault->message = said(m->arena, args_text, &diag);
			return false;
		}
		if (!check_addresses(m->arena, args_text, &m->sharing, out, &fault->message))
			return false;
		size_t arg_bytes = out->buffer ? launch_arg_bytes(out) : 0;
		if (arg_bytes > m->sharing.left) {
			fault->message = arena_printf(m->arena,
				"'%s': the buffers of a launch in a lesson hold at most %zu MiB together", args_text,
				LESSON_BUFFERS_MAX >> 20);
			return false;
		}
		m->sharing.left -= arg_bytes;
	}
	return true;
}

bool lesson_make_launches(struct arena *arena, const struct lesson *lesson, const struct step *step,
	const int64_t *values, struct lesson_launches *out, struct launch_fault *fault)
{
	int n = step->n_then + 1;
	struct launch *all = arena_array(arena, struct launch, (size_t)n);
	struct making m = {arena, lesson, step, values, {n > 1, LESSON_BUFFERS_MAX, all, 0, 0}};
	*fault = (struct launch_fault){.part = LAUNCH_PART_KERNEL};
	memset(all, 0, (size_t)n * sizeof *all);
	for (int i = 0; i < n; i++) {
		fault->launch = i;
		all[i].before = i ? &all[i - 1] : NULL;
		if (!make_one(&m, i ? &step->then[i - 1] : &step->launch, &all[i], fault))
			return false;
	}
	fault->launch = 0;
	*out = (struct lesson_launches){.at = all, .n = n};

	/* Which of `n` is watched, from 0. */
	const char *text = m.step->watch.launch;
	char *end;
	out->watched = n - 1;
	if (!text)
		return true;
	fault->part = LAUNCH_PART_WATCHED;
	text = lesson_substitute(m.arena, m.lesson, text, m.values, &fault->message);
	if (!text)
		return false;
	long number = strtol(text, &end, 10);
	out->watched = (int)number - 1;
	if (end > text && !*end && number >= 1 && number <= n)
		return true;
	fault->message = n > 1
		? arena_printf(m.arena, "launch '%s' is watched; they are numbered from 1 to %d", text, n)
		: arena_printf(m.arena, "launch '%s' is watched, but 'launch' is no list", text);
	return false;
}

static void report_launch(const struct step *step, const struct launch_fault *fault, struct diag *diag)
{
	static const char *const part[] = {[LAUNCH_PART_KERNEL] = "kernel",
		[LAUNCH_PART_GRID] = "grid",
		[LAUNCH_PART_BLOCK] = "block",
		[LAUNCH_PART_SHARED] = "shared",
		[LAUNCH_PART_CLUSTER] = "cluster",
		[LAUNCH_PART_ARG] = "argument",
		[LAUNCH_PART_WATCHED] = "watch"};
	char which[32] = "", number[16] = "";
	if (step->n_then && fault->part != LAUNCH_PART_WATCHED)
		snprintf(which, sizeof which, "launch %d, ", fault->launch + 1);
	if (fault->part == LAUNCH_PART_ARG)
		snprintf(number, sizeof number, " %d", fault->arg);
	diag_error(diag, step->pos, "%s%s%s: %s", which, part[fault->part], number, fault->message);
}

bool lesson_launches(struct arena *arena, const struct lesson *lesson, const struct step *step, const int64_t *values,
	struct lesson_launches *out, struct diag *diag)
{
	struct launch_fault fault;
	*out = (struct lesson_launches){0};
	if (!step->has_experiment) {
		diag_error(diag, step->pos, "step '%s' has no experiment", step->id);
		return false;
	}
	if (lesson->launcher.run) {
		out->at = lesson->launcher.run(lesson->launcher.ctx, arena, step, values, diag);
		out->n = out->at != NULL;
		return out->at;
	}
	bool made = lesson_make_launches(arena, lesson, step, values, out, &fault);
	if (!made)
		report_launch(step, &fault, diag);
	return made;
}

struct launch *lesson_launch(struct arena *arena, const struct lesson *lesson, const struct step *step,
	const int64_t *values, struct diag *diag)
{
	struct lesson_launches all;
	return lesson_launches(arena, lesson, step, values, &all, diag) ? &all.at[all.watched] : NULL;
}

int lesson_find_watch_line(const struct lesson *lesson, const struct step *step, const int64_t *values,
	struct diag_pos pos, struct diag *diag)
{
	struct arena *arena = arena_new();
	const char *why, *text = substitute_name(arena, lesson, step->watch.line, values, &why);
	int line = text ? lesson_kernel_find_line(step->file, text, pos, diag) : 0;
	if (!text)
		diag_error(diag, pos, "%s", why);
	arena_free(arena);
	return line;
}

struct step_watched lesson_watched(const struct lesson *lesson, const struct step *step, const int64_t *values)
{
	const struct step_watch_by *by = step->watch.by;
	if (by)
		return (struct step_watched){(int)values[by->line], (uint32_t)values[by->block],
			(uint32_t)values[by->warp], (int)values[by->access] - 1};
	struct diag unheard = {0};
	int line = step->watch.line ? lesson_find_watch_line(lesson, step, values, step->pos, &unheard) : 0;
	diag_free(&unheard);
	return (struct step_watched){.line = line, .block = step->watch.block, .warp = step->watch.warp};
}

bool lesson_is_watch(const struct step *step, int parameter)
{
	const struct step_watch_by *by = step->watch.by;
	return by &&
		(parameter == by->line || parameter == by->block || parameter == by->warp || parameter == by->access);
}

static bool holds_with(const struct lesson *lesson, const struct judgment *judgment, const int64_t *values)
{
	struct judgment when = *judgment;
	const char *why;
	double holds;
	int64_t now[LESSON_PARAMETERS_MAX];
	memcpy(now, values, (size_t)lesson->n_parameters * sizeof *now);
	when.set = now;
	bool known = lesson_judge(lesson, &when, (struct lesson_terms){NULL, NULL}, &holds, &why);
	return known && (holds < 0 || holds > 0);
}

const char *lesson_expects_defect(const struct lesson *lesson, const struct step *step, const int64_t *values)
{
	return !step->defect_when || holds_with(lesson, step->defect_when, values) ? step->defect : NULL;
}

bool lesson_expects_wrong(const struct lesson *lesson, const struct step *step, const int64_t *values)
{
	return step->program_wrong && holds_with(lesson, step->program_wrong, values);
}
