#include "front/debug/private.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Instructions at which a breakpoint stops: where its source line begins, or the first of its PTX line. */
static bool stops_at(const struct debug *debug, const struct debug_break *b, int instr)
{
	const struct debug_program *program = debug->program;
	if (b->text == DEBUG_SOURCE)
		return program->instrs[instr].line == b->line && program->instrs[instr].begins;
	return program->instrs[instr].code->line == b->line &&
		(instr == 0 || program->instrs[instr - 1].code->line != b->line);
}

static void mark_stops(struct debug *debug)
{
	for (int i = 0; i < debug->program->n_instrs; i++) {
		debug->private->stops[i] = 0;
		for (int b = 0; b < debug->breaks.n; b++)
			debug->private->stops[i] |= stops_at(debug, &debug->breaks.at[b], i);
	}
}

/* --- conditions of breakpoints, and what they log ----------------------------------------------------------------- */

#define LOG_MAX ((size_t)1 << 20) /* bytes that wait to be shown */

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

/* Whether a breakpoint, whose place this is, stops here: its condition, how often it was passed, whether it only
 * logs. */
static bool condition_holds(struct debug *debug, struct debug_break *b, const struct simt_point *point)
{
	struct debug_at at = {debug, point->block, point->warp, point->instr, point->active};
	uint32_t lanes = b->lane == DEBUG_ANY ? point->active : 1u << b->lane;

	if (*b->condition) {
		/* Whether an expression holds in some lane. One that cannot be evaluated holds, so that its breakpoint
		 * says why. */
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

	/* Whether so many passes count. */
	bool counted;
	switch (b->hit_op) {
	case '=': counted = b->passes == b->hit_n; break;
	case '>': counted = b->passes > b->hit_n; break;
	case '%': counted = b->passes % b->hit_n == 0; break;
	case '<': counted = b->passes < b->hit_n; break;
	default: counted = true; break;
	}

	if (!counted)
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

/* --- the list ----------------------------------------------------------------------------------------------------- */

static bool fits(uint32_t wanted, uint32_t is)
{
	return wanted == DEBUG_ANY || wanted == is;
}

struct debug_break *debug_break_pass(struct debug *debug, const struct simt_point *at)
{
	struct debug_break *first = NULL;
	if (!debug->private->stops[at->instr])
		return NULL;
	for (int i = 0; i < debug->breaks.n; i++) {
		struct debug_break *b = &debug->breaks.at[i];
		bool lane = b->lane == DEBUG_ANY || (at->active >> b->lane & 1);
		bool here = stops_at(debug, b, at->instr) && fits(b->block, at->block) && fits(b->warp, at->warp) &&
			lane;
		if (here && condition_holds(debug, b, at) && !first)
			first = b;
	}
	return first;
}

int debug_break_add(struct debug *debug, struct debug_break b)
{
	if (debug->breaks.n == DEBUG_BREAKS_MAX)
		return 0;
	b.number = debug->breaks.n ? debug->breaks.at[debug->breaks.n - 1].number + 1 : 1;
	debug->breaks.at[debug->breaks.n++] = b;
	mark_stops(debug);
	return b.number;
}

bool debug_break_delete(struct debug *debug, int number)
{
	int kept = 0, before = debug->breaks.n;
	for (int i = 0; i < before; i++)
		if (number && debug->breaks.at[i].number != number)
			debug->breaks.at[kept++] = debug->breaks.at[i];
	debug->breaks.n = kept;
	mark_stops(debug);
	return kept < before;
}

bool debug_has_break(const struct debug *debug, enum debug_text text, int line)
{
	for (int i = 0; i < debug->breaks.n; i++)
		if (debug->breaks.at[i].text == text && debug->breaks.at[i].line == line)
			return true;
	return false;
}

static const char *text_prefix(enum debug_text text)
{
	return text == DEBUG_PTX ? "PTX " : "";
}

void debug_break_toggle(struct debug *debug, enum debug_text text, int line)
{
	int at = debug_line_with_code(debug->program, text, line);
	if (!at) {
		debug_complain(debug, "There is no instruction from this line on.");
		return;
	}
	if (debug_has_break(debug, text, at)) {
		for (int i = debug->breaks.n - 1; i >= 0; i--)
			if (debug->breaks.at[i].text == text && debug->breaks.at[i].line == at)
				debug_break_delete(debug, debug->breaks.at[i].number);
		debug_say(debug, "Breakpoint at %sline %d deleted.", text_prefix(text), at);
		return;
	}
	int number = debug_break_add(debug,
		(struct debug_break){
			.text = text, .line = at, .block = DEBUG_ANY, .warp = DEBUG_ANY, .lane = DEBUG_ANY});
	if (!number)
		debug_complain(debug, "There are %d breakpoints already.", DEBUG_BREAKS_MAX);
	else
		debug_say(debug, "Breakpoint %d at %sline %d%s", number, text_prefix(text), at,
			at == line ? "." : ", the next one with an instruction.");
}

void debug_break_write(const struct debug_break *b, struct buf *out)
{
	buf_printf(out, "%d: %sline %d", b->number, text_prefix(b->text), b->line);
	if (b->lane != DEBUG_ANY)
		buf_printf(out, ", lane %u", b->lane);
	if (b->warp != DEBUG_ANY)
		buf_printf(out, ", warp %u", b->warp);
	if (b->block != DEBUG_ANY)
		buf_printf(out, ", block %u", b->block);
	if (*b->condition)
		buf_printf(out, ", if %s", b->condition);
	buf_printf(out, "; %llu stop%s", (unsigned long long)b->hits, b->hits == 1 ? "" : "s");
}

/* --- reading them ------------------------------------------------------------------------------------------------- */

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
