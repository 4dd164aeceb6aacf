#include "lesson/substitute.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/expr.h"
#include "lesson/limits.h"

#define SHARED_MAX (1 << 20)    /* far above any GPU; the machine and the worker know theirs */

/* One text with its expressions being replaced. */
struct substitution {
	struct arena *arena;
	const char *const *names;
	const int64_t *values;
	int n;
	struct buf out;
	struct diag diag;       /* of the expressions */
	const char *fault;      /* NULL: none */
};

static bool replace(struct substitution *s, const char *text, size_t len)
{
	const char *why = NULL;
	int64_t value;
	char *copy = arena_strndup(s->arena, text, len);
	const struct expr *e = expr_parse(s->arena, NULL, copy, s->names, s->n, &s->diag);
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

static bool replace_all(struct substitution *s, const char *text)
{
	for (const char *p = text; *p;) {
		size_t plain = strcspn(p, "{}");
		buf_append(&s->out, p, plain);
		p += plain;
		if (!*p)
			break;
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
static const char *substitute(struct arena *arena, const struct lesson *lesson, const char *text, const int64_t *values,
	const char **why)
{
	const char *names[LESSON_PARAMETERS_MAX];
	struct substitution s = {.arena = arena, .names = names, .values = values, .n = lesson->n_parameters};

	for (int i = 0; i < lesson->n_parameters; i++)
		names[i] = lesson->parameters[i].name;
	const char *result = replace_all(&s, text) ? arena_strdup(arena, buf_str(&s.out)) : NULL;
	*why = s.fault;
	buf_free(&s.out);
	diag_free(&s.diag);
	return result;
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

static bool make_arg(struct arena *arena, const char *text, struct launch_arg *out, const char **why)
{
	struct diag diag = {0};
	if (launch_arg_parse(arena, NULL, text, out, &diag))
		return true;
	*why = said(arena, text, &diag);
	return false;
}

struct launch *launch_make(struct arena *arena, const struct lesson *lesson, const struct step *step,
	const int64_t *values, struct launch_fault *fault)
{
	struct launch *launch = arena_alloc(arena, sizeof *launch);
	const char *text;

	*fault = (struct launch_fault){.part = LAUNCH_PART_GRID};
	text = substitute(arena, lesson, step->grid, values, &fault->message);
	if (!text || !make_dim(arena, text, launch->grid, &fault->message))
		return NULL;
	fault->part = LAUNCH_PART_BLOCK;
	text = substitute(arena, lesson, step->block, values, &fault->message);
	if (!text || !make_dim(arena, text, launch->block, &fault->message))
		return NULL;
	fault->part = LAUNCH_PART_SHARED;
	text = substitute(arena, lesson, step->shared, values, &fault->message);
	if (!text || !make_shared(arena, text, &launch->shared, &fault->message))
		return NULL;
	launch->kernel = step->kernel;
	launch->n_args = step->n_args;
	launch->args = arena_array(arena, struct launch_arg, (size_t)step->n_args);
	fault->part = LAUNCH_PART_ARG;
	for (int i = 0; i < step->n_args; i++) {
		fault->arg = i;
		text = substitute(arena, lesson, step->args[i], values, &fault->message);
		if (!text || !make_arg(arena, text, &launch->args[i], &fault->message))
			return NULL;
	}
	return launch;
}

struct launch *lesson_launch(struct arena *arena, const struct lesson *lesson, const struct step *step,
	const int64_t *values, struct diag *diag)
{
	static const char *const part[] = {[LAUNCH_PART_GRID] = "grid",
		[LAUNCH_PART_BLOCK] = "block", [LAUNCH_PART_SHARED] = "shared", [LAUNCH_PART_ARG] = "argument"};
	struct launch_fault fault;

	if (!step->has_experiment) {
		diag_error(diag, step->pos, "step '%s' has no experiment", step->id);
		return NULL;
	}
	struct launch *launch = launch_make(arena, lesson, step, values, &fault);
	if (!launch && fault.part == LAUNCH_PART_ARG)
		diag_error(diag, step->pos, "argument %d: %s", fault.arg, fault.message);
	else if (!launch)
		diag_error(diag, step->pos, "%s: %s", part[fault.part], fault.message);
	return launch;
}
