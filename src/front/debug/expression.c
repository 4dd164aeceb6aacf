/* Expressions over what names mean in a warp. */
#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "front/debug/private.h"

#define SHOWN 8         /* values of lanes */
#define WORK_MAX 100000 /* operations of one evaluation */

struct debug_expression {
	const struct expr *expr;
	struct debug_object *terms;
	size_t n, cap;
	struct arena *arena;
	const struct debug_at *at; /* while it is parsed */
	int depth;
};

static int take_term(void *ctx, const char *name, size_t len, const char **at, const char **why)
{
	struct debug_expression *e = ctx;
	(void)len;
	*at = name;
	struct debug_object *term = vec_push_in(e->arena, e->terms, e->n, e->cap);
	return debug_object_find_in(e->at, at, e->depth, term, why) ? (int)e->n - 1 : -1;
}

static struct debug_expression *parse(
	struct arena *arena, const struct debug_at *at, const char *text, int depth, struct diag *diag)
{
	struct debug_expression *e = arena_alloc(arena, sizeof *e);
	*e = (struct debug_expression){.arena = arena, .at = at, .depth = depth};
	struct expr_names names = {.term = take_term, .ctx = e, .starts = "%*$"};
	e->expr = expr_parse_numbers(arena, "expression", text, &names, diag);
	return e->expr ? e : NULL;
}

const struct debug_expression *debug_expression_parse(
	struct arena *arena, const struct debug_at *at, const char *text, struct diag *diag)
{
	return parse(arena, at, text, 0, diag);
}

struct lane_evaluation {
	const struct debug_expression *e;
	const struct debug_at *at;
	int lane;
};

static bool term_value(void *ctx, int term, struct number *out, const char **why)
{
	const struct lane_evaluation *v = ctx;
	return debug_object_number(v->at, &v->e->terms[term], v->lane, out, why);
}

bool debug_expression_number(
	const struct debug_expression *e, const struct debug_at *at, int lane, struct number *out, const char **why)
{
	struct lane_evaluation v = {e, at, lane};
	uint64_t work = WORK_MAX;
	struct expr_values values = {.term = term_value, .ctx = &v, .work = &work};
	return expr_number(e->expr, &values, out, why);
}

bool debug_expression_index(
	const struct debug_at *at, const char *text, size_t len, int depth, int64_t out[WARP_SIZE], const char **why)
{
	struct arena *arena = arena_new();
	struct diag diag = {0};
	const struct debug_expression *e = parse(arena, at, arena_strndup(arena, text, len), depth, &diag);
	const char *none = "it has no value";
	bool any = false;
	for (int lane = 0; lane < WARP_SIZE && e; lane++) {
		struct number n;
		bool ok = debug_expression_number(e, at, lane, &n, &none) && !n.real;
		out[lane] = ok ? n.i : INT64_MIN;
		any |= ok;
	}
	/* a lane without one has none of the elements, either: no memory is there */
	if (!any)
		*why = e ? "the index is no whole number here" : "the index is no expression";
	diag_free(&diag);
	arena_free(arena);
	return any;
}

/* --- text --------------------------------------------------------------------------------------------------------- */

bool debug_write_numbers(
	const struct debug_at *at, const char *text, uint32_t lanes, struct buf *out, struct diag *diag)
{
	struct arena *arena = arena_new();
	const struct debug_expression *e = debug_expression_parse(arena, at, text, diag);
	struct buf first = {0}, other = {0}, list = {0};
	bool same = true;
	int shown = 0;
	for (uint32_t left = e ? lanes : 0; left; left &= left - 1) {
		struct buf *value = left == lanes ? &first : &other;
		const char *why = "it has no value";
		struct number n;
		buf_clear(&other);
		if (debug_expression_number(e, at, __builtin_ctz(left), &n, &why)) {
			if (n.real)
				launch_format(LAUNCH_F64, &n.d, 0, value);
			else
				buf_printf(value, "%" PRId64, n.i);
		} else {
			buf_printf(value, "<%s>", why);
		}
		same &= strcmp(buf_str(value), buf_str(&first)) == 0;
		if (shown++ < SHOWN)
			buf_printf(&list, "%s%s", shown > 1 ? ", " : "", buf_str(value));
	}
	bool many = __builtin_popcount(lanes) > 1;
	if (e)
		buf_printf(out, "%s%s", same ? buf_str(&first) : buf_str(&list),
			same                    ? (many ? " in all lanes" : "")
				: shown > SHOWN ? ", ..."
						: "");
	buf_free(&first);
	buf_free(&other);
	buf_free(&list);
	arena_free(arena);
	return e != NULL;
}
