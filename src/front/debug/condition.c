/* Conditions of breakpoints, and what they log. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "front/debug/object_parts.h"
#include "front/debug/private.h"

#define LOG_MAX ((size_t)1 << 20) /* bytes that wait to be shown */

/* --- one place -------------------------------------------------------------------------------------------------------- */

static bool counts(const struct debug_break *b)
{
	switch (b->hit_op) {
	case '=': return b->passes == b->hit_n;
	case '>': return b->passes > b->hit_n;
	case '%': return b->passes % b->hit_n == 0;
	case '<': return b->passes < b->hit_n;
	default: return true;
	}
}

void debug_write_expression(const struct debug_at *at, const char *text, uint32_t lanes, struct buf *out)
{
	struct debug_object o;
	struct diag diag = {0};
	const char *rest = text, *why = "";
	if (debug_object_find(at, &rest, &o, &why) && !rest[strspn(rest, " \t")])
		debug_object_write_lanes(at, &o, lanes, out);
	else if (!debug_write_numbers(at, text, lanes, out, &diag))
		buf_printf(out, "<%s>", diag.count ? diag.entries[0].message : why);
	diag_free(&diag);
}

bool debug_break_holds(struct debug *debug, struct debug_break *b, const struct simt_point *point)
{
	struct debug_at at = debug_at_point(debug, point);
	uint32_t lanes = b->lane == DEBUG_ANY ? point->active : 1u << b->lane;

	if (*b->condition) {
		/* Whether an expression holds in some lane. One that cannot be evaluated holds, so that its breakpoint says
	 * why. */
		struct arena *arena = arena_new();
		struct diag diag = {0};
		const char *why = NULL;
		const struct debug_expression *e = debug_expression_parse(arena, &at, b->condition, &diag);
		bool any = false, known = false;
		for (uint32_t left = lanes; left && e && !any; left &= left - 1) {
			struct number n;
			bool ok = debug_expression_number(e, &at, __builtin_ctz(left), &n, &why);
			known |= ok;
			any = ok && number_is_true(n);
		}
		if (!known)
			snprintf(debug->private->condition_fault, sizeof debug->private->condition_fault, "%s",
				!e && diag.count ? diag.entries[0].message
					: why    ? why
						 : "it has no value");
		diag_free(&diag);
		arena_free(arena);
		if (!any && known)
			return false;
	}

	b->passes++;
	if (!counts(b))
		return false;
	if (!*b->log)
		return true;
	if (point->step >= debug->private->furthest) {
		/* What is between braces is an expression. */
		struct buf *out = &debug->said.output;
		char name[DEBUG_PROMPT_MAX];
		for (const char *c = b->log; *c && out->len < LOG_MAX;) {
			const char *end = *c == '{' ? strchr(c, '}') : NULL;
			if (!end) {
				buf_putc(out, *c++);
				continue;
			}
			snprintf(name, sizeof name, "%.*s", (int)(end - c - 1), c + 1);
			debug_write_expression(&at, name, lanes, out);
			c = end + 1;
		}
		if (out->len < LOG_MAX)
			buf_putc(out, '\n');
	}
	return false;
}

/* --- reading them ----------------------------------------------------------------------------------------------------- */

const char *debug_break_count(struct debug_break *b, const char *text)
{
	static const struct {
		const char *word;
		char op;
		int less; /* >= N is > N - 1 */
	} ops[] = {{">=", '>', 1}, {"==", '=', 0}, {"=", '=', 0}, {">", '>', 0}, {"<", '<', 0}, {"%", '%', 0},
		{"", '>', 1}};
	size_t i = 0;
	text += strspn(text, " ");
	while (strncmp(ops[i].word, text, strlen(ops[i].word)) != 0)
		i++;
	text += strlen(ops[i].word);
	text += strspn(text, " ");
	char *end;
	unsigned long long n = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || end[strspn(end, " ")] || n < 1 || n > INT64_MAX)
		return "a count is N, which stops from the Nth time on, or == N, > N, >= N, < N, or % N, each Nth time";
	b->hit_op = ops[i].op;
	b->hit_n = n - (uint64_t)ops[i].less;
	return NULL;
}

bool debug_break_condition(const struct debug *debug, struct debug_break *b, const char *text, struct diag *diag)
{
	struct debug_at at = {.debug = debug, .block = debug->block, .warp = debug->warp, .instr = -1};
	struct arena *arena = arena_new();
	struct diag own = {0};
	const char *why = strlen(text) >= sizeof b->condition ? "the condition is too long" : NULL;
	for (int i = debug->program->n_instrs; i-- > 0;) {
		const struct debug_instr *instr = &debug->program->instrs[i];
		if ((b->text == DEBUG_SOURCE ? instr->line : instr->code->line) == b->line)
			at.instr = i;
	}
	/* what an index is, is known only there */
	bool ok = !why && (debug_expression_parse(arena, &at, text, &own) || strchr(text, '['));
	if (!ok)
		diag_error(diag, (struct diag_pos){.file = "condition"}, "%s",
			why                 ? why
				: own.count ? own.entries[0].message
					    : "it is no expression");
	else
		strcpy(b->condition, text);
	diag_free(&own);
	arena_free(arena);
	return ok;
}
