/* Breakpoints of the client: of source lines, of PTX, of instructions, and of what a kernel may do wrong. */
#include <stdlib.h>
#include <string.h>

#include "front/dap/private.h"

/* --- lines -------------------------------------------------------------------------------------------------------- */

static const char *last_part(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;
	const char *back = path ? strrchr(path, '\\') : NULL;
	const char *last = slash > back ? slash : back;
	return last ? last + 1 : path;
}

static void delete_breaks(struct debug *debug, enum debug_text text, bool by_instruction)
{
	for (int i = debug->breaks.n - 1; i >= 0; i--)
		if (debug->breaks.at[i].text == text && debug->breaks.at[i].by_instruction == by_instruction)
			debug_break_delete(debug, debug->breaks.at[i].number);
}

static json_t *unverified(const char *why)
{
	return json_pack("{s:b, s:s}", "verified", 0, "message", why);
}

/* "lane 3 warp 1": as after `break`. False: it is none. */
static bool read_condition(const struct debug *debug, const char *text, struct debug_break *b)
{
	char copy[100], *save = NULL;
	if (!text)
		return true;
	if (strlen(text) >= sizeof copy)
		return false;
	strcpy(copy, text);
	for (char *word = strtok_r(copy, " =,&", &save); word; word = strtok_r(NULL, " =,&", &save)) {
		const char *value = strtok_r(NULL, " =,&", &save);
		char *end;
		unsigned long number = value ? strtoul(value, &end, 10) : 0;
		if (!value || *end || *value < '0' || *value > '9')
			return false;
		if (strcmp(word, "lane") == 0 && number < WARP_SIZE)
			b->lane = (uint32_t)number;
		else if (strcmp(word, "warp") == 0 && number < debug->extent.warps)
			b->warp = (uint32_t)number;
		else if (strcmp(word, "block") == 0 && number < debug->extent.blocks)
			b->block = (uint32_t)number;
		else
			return false;
	}
	return true;
}

/* Whether one function ends between two lines of the source: at a brace in the first column, the other line is in
 * another one. */
static bool function_ends(const struct debug_program *program, int from, int to)
{
	for (int line = from; line < to && line <= program->source.n_lines; line++) {
		size_t len;
		const char *text = source_line_text(&program->source, line - 1, &len);
		if (len && *text == '}')
			return true;
	}
	return false;
}

static json_t *add_break(struct dap *dap, struct debug_break b, int wanted, const json_t *asked)
{
	struct debug *debug = dap->with.debug;
	b.line = debug_line_with_code(debug->program, b.text, wanted);
	if (!b.line || (b.text == DEBUG_SOURCE && function_ends(debug->program, wanted, b.line))) {
		/* A line that the machine never comes to: of the host, or of another kernel. */
		struct buf why = {0};
		if (*dap->with.where)
			buf_printf(&why,
				"this launch does not come here. Host code has run before the debugger stops: \"launch\": \"line=%d\" in "
				"the configuration debugs the launch that this line makes",
				wanted);
		else
			buf_puts(&why, "there is no instruction of this kernel, or of what it calls");
		json_t *out = unverified(buf_str(&why));
		buf_free(&why);
		return out;
	}

	/* What a client says besides the place: any member may be missing. NULL, or what is wrong with it. */
	const char *condition = dap_word(asked, "condition"), *count = dap_word(asked, "hitCondition");
	const char *log = dap_word(asked, "logMessage"), *why = NULL;
	struct debug_break narrowed = b;
	struct diag diag = {0};
	json_t *wrong = NULL;
	if (read_condition(dap->with.debug, condition, &narrowed))
		b = narrowed;
	else if (*condition && !debug_break_condition(dap->with.debug, &b, condition, &diag))
		wrong = unverified(diag.count ? diag.entries[0].message : "the condition is no expression");
	if (!wrong && count && *count && (why = debug_break_count(&b, count)))
		wrong = unverified(why);
	if (!wrong && log && strlen(log) >= sizeof b.log)
		wrong = unverified("the message is too long");
	if (!wrong && log)
		strcpy(b.log, log);
	diag_free(&diag);
	if (wrong)
		return wrong;
	int number = debug_break_add(debug, b);
	if (!number)
		return unverified("there are too many breakpoints");
	return json_pack("{s:i, s:b, s:i}", "id", number, "verified", 1, "line", b.line - dap->from_0);
}

void dap_set_breakpoints(struct dap *dap, const json_t *request)
{
	const json_t *arguments = dap_arguments(request), *wanted = json_object_get(arguments, "breakpoints");

	/* Which text a source of the client is; -1: none of ours. */
	const json_t *source = json_object_get(arguments, "source");
	const struct debug_program *program = dap->with.debug->program;
	json_int_t reference = dap_number(source, "sourceReference", 0);
	const char *path = last_part(dap_word(source, "path")), *name = dap_word(source, "name");
	const char *asked = path ? path : last_part(name);
	bool is_ptx = reference == DAP_PTX || (asked && strcmp(asked, "PTX") == 0);
	bool is_source = reference == DAP_SOURCE ||
		(asked && program->file && strcmp(asked, last_part(program->file)) == 0);
	int text = is_ptx ? DEBUG_PTX : is_source && program->file ? DEBUG_SOURCE : -1;

	json_t *out = json_array(), *one;
	size_t i;
	if (text >= 0)
		delete_breaks(dap->with.debug, (enum debug_text)text, false);
	json_array_foreach((json_t *)wanted, i, one)
	{
		json_int_t line = dap_number(one, "line", 0) + dap->from_0;
		struct debug_break b = {
			.text = (enum debug_text)text, .block = DEBUG_ANY, .warp = DEBUG_ANY, .lane = DEBUG_ANY};
		json_array_append_new(out,
			text < 0 ? unverified("no instruction of this kernel is from this file")
				: line < 1 || line > INT32_MAX ? unverified("there is no such line")
							       : add_break(dap, b, (int)line, one));
	}
	dap_answer(dap, request, json_pack("{s:o}", "breakpoints", out));
}

/* --- instructions ------------------------------------------------------------------------------------------------- */

void dap_set_instructions(struct dap *dap, const json_t *request)
{
	const json_t *wanted = json_object_get(dap_arguments(request), "breakpoints");
	const struct debug_program *program = dap->with.debug->program;
	json_t *out = json_array(), *one;
	size_t i;
	delete_breaks(dap->with.debug, DEBUG_PTX, true);
	json_array_foreach((json_t *)wanted, i, one)
	{
		int instr = dap_instruction(dap, dap_word(one, "instructionReference"), dap_number(one, "offset", 0));
		struct debug_break b = {.text = DEBUG_PTX,
			.by_instruction = true,
			.block = DEBUG_ANY,
			.warp = DEBUG_ANY,
			.lane = DEBUG_ANY};
		json_array_append_new(out,
			instr < 0 ? unverified("there is no such instruction")
				  : add_break(dap, b, program->instrs[instr].code->line, one));
	}
	dap_answer(dap, request, json_pack("{s:o}", "breakpoints", out));
}

/* --- what may be wrong -------------------------------------------------------------------------------------------- */

static const struct {
	const char *filter, *label;
	uint32_t check;
} filters[] = {
	{"bounds", "Accesses out of bounds", SIMT_CHECK_BOUNDS},
	{"align", "Misaligned accesses", SIMT_CHECK_ALIGN},
	{"race", "Data races", SIMT_CHECK_RACE},
	{"uninit", "Uninitialized reads", SIMT_CHECK_UNINIT},
	{"sync", "Barriers and masks", SIMT_CHECK_SYNC},
};
#define FILTERS (sizeof filters / sizeof *filters)

json_t *dap_exception_filters(void)
{
	json_t *out = json_array();
	for (size_t i = 0; i < FILTERS; i++)
		json_array_append_new(out,
			json_pack("{s:s, s:s, s:b}", "filter", filters[i].filter, "label", filters[i].label, "default",
				1));
	return out;
}

void dap_set_exceptions(struct dap *dap, const json_t *request)
{
	const json_t *wanted = json_object_get(dap_arguments(request), "filters");
	uint32_t checks = 0;
	json_t *one;
	size_t n;
	json_array_foreach((json_t *)wanted, n, one) for (size_t i = 0; i < FILTERS; i++) if (json_is_string(one) &&
		strcmp(json_string_value(one), filters[i].filter) == 0) checks |= filters[i].check;
	dap_answer(dap, request, NULL);
	debug_set_checks(dap->with.debug, checks ? checks : SIMT_CHECK_NONE);
}
