
#include "front/debug/private.h"

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
		if (here && debug_break_holds(debug, b, at) && !first)
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
