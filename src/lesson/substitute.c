#include "lesson/substitute.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/expr.h"
#include "lesson/kernel.h"
#include "lesson/limits.h"
#include "lesson/names.h"

#define SHARED_MAX (1 << 20) /* far above any GPU; the machine and the worker know theirs */

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

/* {version} as "tiled". */
static bool replace_by_name(struct substitution *s, const char *text, size_t len)
{
	for (int i = 0; s->as_names && i < s->lesson->n_parameters; i++) {
		const struct parameter *p = &s->lesson->parameters[i];
		if (p->names && strlen(p->name) == len && memcmp(p->name, text, len) == 0) {
			lesson_write_value(p, s->values[i], &s->out);
			return true;
		}
	}
	return false;
}

static bool replace(struct substitution *s, const char *text, size_t len)
{
	const char *why = NULL;
	int64_t value;
	if (replace_by_name(s, text, len))
		return true;
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

static bool replace_all(struct substitution *s, const char *text)
{
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
			return false;
		}
		if (!replace(s, p + 1, (size_t)(end - p - 1)))
			return false;
		p = end + 1;
	}
	return true;
}

/* The text with its expressions replaced, in the arena; NULL and why. */
static const char *substitute_with(
	struct arena *arena, struct substitution *s, const char *text, const int64_t *values, const char **why)
{
	s->arena = arena;
	lesson_names_word_values(s->lesson, values, s->values);
	const char *result = replace_all(s, text) ? arena_strdup(arena, buf_str(&s->out)) : NULL;
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

static bool make_shared(struct arena *arena, const char *text, uint32_t *out, const char **why)
{
	char *end;
	errno = 0;
	long long bytes = strtoll(text, &end, 10);
	if (end == text || *end || errno || bytes < 0 || bytes > SHARED_MAX) {
		*why = arena_printf(arena, "'%s': shared memory must be 0 to %d bytes", text, SHARED_MAX);
		return false;
	}
	*out = (uint32_t)bytes;
	return true;
}

/* `left`: the bytes that its buffer may have. */
static bool make_arg(struct arena *arena, const char *text, size_t *left, struct launch_arg *out, const char **why)
{
	struct diag diag = {0};
	if (!launch_arg_parse(arena, NULL, text, out, &diag)) {
		*why = said(arena, text, &diag);
		return false;
	}
	if (out->n_pointers) {
		*why = arena_printf(
			arena, "'%s': arguments of lessons run on GPUs, too, and have no addresses in them", text);
		return false;
	}
	size_t bytes = out->buffer ? launch_arg_bytes(out) : 0;
	if (bytes > *left) {
		*why = arena_printf(arena, "'%s': the buffers of a launch in a lesson hold at most %zu MiB together",
			text, LESSON_BUFFERS_MAX >> 20);
		return false;
	}
	*left -= bytes;
	return true;
}

static const char *make_kernel(struct arena *arena, const struct lesson *lesson, const struct step *step,
	const int64_t *values, const char **why)
{
	const char *name = substitute_name(arena, lesson, step->launch.kernel, values, why);
	if (!name || lesson_kernel_has_entry(step->file, name))
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

struct launch *lesson_make_launch(struct arena *arena, const struct lesson *lesson, const struct step *step,
	const int64_t *values, struct launch_fault *fault)
{
	struct launch *launch = arena_alloc(arena, sizeof *launch);
	const char *text;

	*fault = (struct launch_fault){.part = LAUNCH_PART_KERNEL};
	memset(launch, 0, sizeof *launch);
	launch->kernel = make_kernel(arena, lesson, step, values, &fault->message);
	if (!launch->kernel)
		return NULL;
	fault->part = LAUNCH_PART_GRID;
	text = lesson_substitute(arena, lesson, step->launch.grid, values, &fault->message);
	if (!text || !make_dim(arena, text, launch->grid, &fault->message))
		return NULL;
	fault->part = LAUNCH_PART_BLOCK;
	text = lesson_substitute(arena, lesson, step->launch.block, values, &fault->message);
	if (!text || !make_dim(arena, text, launch->block, &fault->message))
		return NULL;
	fault->part = LAUNCH_PART_SHARED;
	text = lesson_substitute(arena, lesson, step->launch.shared, values, &fault->message);
	if (!text || !make_shared(arena, text, &launch->shared, &fault->message))
		return NULL;
	launch->cooperative = step->launch.cooperative;
	launch->n_args = step->launch.n_args;
	launch->args = arena_array(arena, struct launch_arg, (size_t)step->launch.n_args);
	fault->part = LAUNCH_PART_ARG;
	size_t left = LESSON_BUFFERS_MAX;
	for (int i = 0; i < step->launch.n_args; i++) {
		fault->arg = i;
		text = lesson_substitute(arena, lesson, step->launch.args[i], values, &fault->message);
		if (!text || !make_arg(arena, text, &left, &launch->args[i], &fault->message))
			return NULL;
	}
	return launch;
}

struct launch *lesson_launch(struct arena *arena, const struct lesson *lesson, const struct step *step,
	const int64_t *values, struct diag *diag)
{
	static const char *const part[] = {[LAUNCH_PART_KERNEL] = "kernel",
		[LAUNCH_PART_GRID] = "grid",
		[LAUNCH_PART_BLOCK] = "block",
		[LAUNCH_PART_SHARED] = "shared",
		[LAUNCH_PART_ARG] = "argument"};
	struct launch_fault fault;

	if (!step->has_experiment) {
		diag_error(diag, step->pos, "step '%s' has no experiment", step->id);
		return NULL;
	}
	if (lesson->launcher.run)
		return lesson->launcher.run(lesson->launcher.ctx, arena, step, values, diag);
	struct launch *launch = lesson_make_launch(arena, lesson, step, values, &fault);
	if (!launch && fault.part == LAUNCH_PART_ARG)
		diag_error(diag, step->pos, "argument %d: %s", fault.arg, fault.message);
	else if (!launch)
		diag_error(diag, step->pos, "%s: %s", part[fault.part], fault.message);
	return launch;
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

const char *lesson_expects_defect(const struct lesson *lesson, const struct step *step, const int64_t *values)
{
	if (!step->defect || !step->defect_when)
		return step->defect;
	struct judgment when = *step->defect_when;
	const char *why;
	double holds;
	int64_t now[LESSON_PARAMETERS_MAX];
	memcpy(now, values, (size_t)lesson->n_parameters * sizeof *now);
	when.set = now;
	bool known = lesson_judge(lesson, &when, (struct lesson_terms){NULL, NULL}, &holds, &why);
	return known && (holds < 0 || holds > 0) ? step->defect : NULL;
}
