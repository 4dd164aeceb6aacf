/* The prompt's language: a line is a command's name and its words. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "front/debug/keys.h"
#include "front/debug/private.h"

#define WORDS_MAX 12

struct debug_line {
	struct debug *debug;
	struct diag *diag;
	struct diag_pos at; /* of the line's first character */
	const char *text;
	char *word[WORDS_MAX]; /* the command's name is the first */
	size_t offset[WORDS_MAX];
	int n;
	char copy[DEBUG_PROMPT_MAX];
};

/* --- errors and numbers ------------------------------------------------------------------------------------------- */

/* False, with the error at word `index`, or after the last one. */
__attribute__((format(printf, 3, 4))) static bool line_fault(
	struct debug_line *line, int index, const char *format, ...)
{
	char message[300];
	struct diag_pos at = line->at;
	va_list args;
	va_start(args, format);
	vsnprintf(message, sizeof message, text_translate(format), args);
	va_end(args);
	at.col = 1 + (int)(index < line->n ? line->offset[index] : strlen(line->text));
	diag_error(line->diag, at, "%s", message);
	return false;
}

/* What a number counts, and the least and greatest there is. */
struct debug_range {
	const char *what;
	uint64_t low, high;
};

/* The word as a number of the range. */
static bool line_number(struct debug_line *line, int index, struct debug_range range, uint64_t *out)
{
	char *end = NULL;
	if (index >= line->n)
		return line_fault(line, index, "%s is missing", range.what);
	const char *word = line->word[index];
	errno = 0;
	*out = strtoull(word, &end, 10);
	if (word[0] < '0' || word[0] > '9' || *end || errno)
		return line_fault(line, index, "expected a number, the %s, not '%s'", range.what, word);
	if (*out < range.low || *out > range.high)
		return line_fault(line, index, "there is no %s %" PRIu64 "; they go from %" PRIu64 " to %" PRIu64,
			range.what, *out, range.low, range.high);
	return true;
}

/* How often, 1 when it is not said. */
static bool times(struct debug_line *line, uint64_t *out)
{
	*out = 1;
	return line->n == 1 || line_number(line, 1, (struct debug_range){"count", 1, UINT32_MAX}, out);
}

/* No more words than so many. */
static bool line_only(struct debug_line *line, int words)
{
	return line->n <= words || line_fault(line, words, "'%s' is a word too many", line->word[words]);
}

/* The second word as one of `n` names; false with an error that lists them. */
static bool line_choose(struct debug_line *line, const char *const *names, int n, int *out)
{
	struct buf list = {0};
	for (*out = 0; line->n == 2 && *out < n; ++*out)
		if (strcmp(names[*out], line->word[1]) == 0)
			return true;
	for (int i = 0; i < n; i++)
		buf_printf(&list, i ? ", %s" : "%s", names[i]);
	line_fault(line, 1, "expected one of %s", buf_str(&list));
	buf_free(&list);
	return false;
}

/* --- running ------------------------------------------------------------------------------------------------------ */

static bool begin_job(
	struct debug_line *line, void (*begin)(struct debug *, enum debug_goal, uint64_t), enum debug_goal goal)
{
	uint64_t n;
	if (!line_only(line, 2) || !times(line, &n))
		return false;
	begin(line->debug, goal, n);
	return true;
}

/* --- breakpoints -------------------------------------------------------------------------------------------------- */

static bool read_conditions(struct debug_line *line, struct debug_break *b)
{
	const struct debug *debug = line->debug;
	const struct {
		const char *name;
		uint64_t last;
		uint32_t *out;
	} conditions[] = {{"lane", WARP_SIZE - 1, &b->lane}, {"warp", debug->extent.warps - 1, &b->warp},
		{"block", debug->extent.blocks - 1, &b->block}};
	for (int i = 2; i < line->n; i += 2) {
		uint64_t value;
		size_t c = 0;
		if (strcmp(line->word[i], "if") == 0)
			return i + 1 < line->n || line_fault(line, i + 1, "which condition?");
		while (c < 3 && strcmp(conditions[c].name, line->word[i]) != 0)
			c++;
		if (c == 3)
			return line_fault(line, i, "expected lane, warp, block or if, not '%s'", line->word[i]);
		if (!line_number(line, i + 1, (struct debug_range){conditions[c].name, 0, conditions[c].last}, &value))
			return false;
		*conditions[c].out = (uint32_t)value;
	}
	return true;
}

static bool add_break(struct debug_line *line, enum debug_text text)
{
	struct debug_break b = {.text = text, .block = DEBUG_ANY, .warp = DEBUG_ANY, .lane = DEBUG_ANY};
	uint64_t wanted;
	if (!line_number(line, 1, (struct debug_range){"line", 1, INT32_MAX}, &wanted) || !read_conditions(line, &b))
		return false;
	b.line = debug_line_with_code(line->debug->program, text, (int)wanted);
	if (!b.line)
		return line_fault(line, 1, "there is no instruction from line %" PRIu64 " on", wanted);

	/* What stands after "if" is the condition. */
	int word = 2;
	while (word + 1 < line->n && strcmp(line->word[word], "if") != 0)
		word++;
	if (word + 1 < line->n) {
		struct diag diag = {0};
		bool ok = debug_break_condition(line->debug, &b, line->text + line->offset[word + 1], &diag) ||
			line_fault(line, word + 1, "%s", diag.entries[0].message);
		diag_free(&diag);
		if (!ok)
			return false;
	}

	int n = debug_break_add(line->debug, b);
	if (!n)
		return line_fault(line, 0, "there are %d breakpoints already", DEBUG_BREAKS_MAX);
	debug_say(line->debug, "Breakpoint %d at %sline %d%s", n, text == DEBUG_PTX ? "PTX " : "", b.line,
		b.line == (int)wanted ? "." : ", the next one with an instruction.");
	return true;
}

/* Commands that print and change what names of the source and of PTX mean. */

#define LANES_A_ROW 8
#define LISTED_MAX 200

/* --- print -------------------------------------------------------------------------------------------------------- */

/* A path that is all of the text: r1 is %r1 unless the source has such a variable. */
static bool find_object(const struct debug_at *at, const char *text, struct debug_object *o)
{
	const char *rest = text, *why;
	return debug_object_find(at, &rest, o, &why) && !rest[strspn(rest, " \t\r\n")];
}

static bool all_equal(const struct debug_at *at, const struct debug_object *o, uint32_t present)
{
	struct buf first = {0}, other = {0};
	bool same = true;
	for (uint32_t left = present; left && same; left &= left - 1) {
		buf_clear(&other);
		debug_object_write(at, o, __builtin_ctz(left), left == present ? &first : &other);
		same = left == present || strcmp(buf_str(&first), buf_str(&other)) == 0;
	}
	buf_free(&first);
	buf_free(&other);
	return same;
}

static void print_object(struct debug *debug, const char *name, const struct debug_object *o)
{
	struct debug_at at = debug_at_now(debug);
	struct buf *out = &debug->said.output;
	uint32_t present = debug_lanes(debug, debug->warp);
	if (o->kind == DEBUG_OBJECT_REGISTER)
		name = debug->program->regs[o->reg].name;
	buf_puts(out, name);
	if (o->lost || all_equal(&at, o, present)) {
		buf_puts(out, " = ");
		debug_object_write(&at, o, present ? __builtin_ctz(present) : 0, out);
		buf_puts(out, o->lost ? "\n" : " in all lanes\n");
		return;
	}
	buf_putc(out, '\n');
	if (debug_object_is_number(&at, o)) {
		for (int lane = 0; lane < WARP_SIZE; lane++) {
			if (lane % LANES_A_ROW == 0)
				buf_printf(out, "%s  lane %2d ", lane ? "\n" : "", lane);
			buf_putc(out, ' ');
			if (present >> lane & 1)
				debug_object_write(&at, o, lane, out);
			else
				buf_putc(out, '-');
		}
		buf_putc(out, '\n');
	} else {
		/* One that is more than a number takes a row of its own in each lane, of which equal ones are put
		 * together. */
		struct buf value = {0}, next = {0};
		while (present) {
			uint32_t same = 0;
			buf_clear(&value);
			debug_object_write(&at, o, __builtin_ctz(present), &value);
			for (uint32_t left = present; left; left &= left - 1) {
				buf_clear(&next);
				debug_object_write(&at, o, __builtin_ctz(left), &next);
				same |= strcmp(buf_str(&next), buf_str(&value)) == 0 ? left & -left : 0;
			}
			buf_puts(out, "  ");
			simt_write_lanes(same, out);
			buf_printf(out, ": %s\n", buf_str(&value));
			present &= ~same;
		}
		buf_free(&value);
		buf_free(&next);
	}
}

/* A warp that is not running has nothing to look at. */
static bool is_there(struct debug_line *line)
{
	const struct debug *debug = line->debug;
	return debug->now.n_paths > 0 ||
		line_fault(line, 0, "warp %u of block %u %s: its registers are not there", debug->warp, debug->block,
			debug->now.state == DEBUG_WARP_AWAITED ? "has not begun" : "has ended");
}

static bool do_print(struct debug_line *line)
{
	struct debug_at at = debug_at_now(line->debug);
	struct debug_object o;
	if (line->n < 2)
		return line_fault(line, 1, "which register, variable or expression?");
	const char *text = line->text + line->offset[1];
	bool found = find_object(&at, text, &o);
	if (!is_there(line))
		return false;
	if (!found) {
		/* A name alone is no expression: it was to be a register or a variable. */
		const char *end = text + (*text == '%');
		while ((*end >= '0' && *end <= '9') || ((*end | 32) >= 'a' && (*end | 32) <= 'z') || *end == '_')
			end++;
		if (!end[strspn(end, " \t")])
			return line_fault(line, 1, "the %s has no register '%s', and %s",
				at.instr >= 0 && line->debug->program->instrs[at.instr].part > 0 ? "function"
												 : "kernel",
				line->word[1],
				line->debug->program->dwarf
					? "no variable of that name is seen here"
					: "without debug information (see --debug-info) no variables");

		struct debug *debug = line->debug;
		struct debug_at numbers_at = debug_at_now(debug);
		struct diag diag = {0};
		struct buf out = {0};
		bool ok = debug_write_numbers(&numbers_at, text, debug_lanes(debug, debug->warp), &out, &diag);
		if (ok)
			buf_printf(&debug->said.output, "%s = %s\n", text, buf_str(&out));
		else
			line_fault(line, 1, "%s", diag.count ? diag.entries[0].message : "it has no value");
		diag_free(&diag);
		buf_free(&out);
		return ok;
	}
	print_object(line->debug, text, &o);
	return true;
}

/* --- variables ---------------------------------------------------------------------------------------------------- */

static bool do_variables(struct debug_line *line)
{
	struct debug *debug = line->debug;
	struct debug_at at = debug_at_now(debug);
	const struct debug_dwarf *dwarf = debug->program->dwarf;
	struct buf *out = &debug->said.output;
	int list[LISTED_MAX];
	if (!line_only(line, 1) || !is_there(line))
		return false;
	if (!dwarf)
		return line_fault(line, 0, "the PTX names no variables; --debug-info compiles so that it does");
	int n = debug_variables(&at, list, LISTED_MAX);
	for (int i = 0; i < n; i++) {
		struct debug_object o;
		debug_object_of(&at, list[i], &o);
		debug_object_write_type(&at, &o, out);
		buf_printf(out, " %s = ", debug_dwarf_name(dwarf, list[i]));
		debug_object_write_lanes(&at, &o, debug_lanes(debug, debug->warp), out);
		buf_putc(out, '\n');
	}
	if (!n)
		buf_puts(out, "there are no variables here\n");
	return true;
}

/* --- changes ------------------------------------------------------------------------------------------------------ */

/* NAME = EXPR; the '=' is the first that is none of ==, <=, >= and !=. */
static const char *find_equals(const char *text)
{
	for (const char *c = text; *c; c++)
		if (*c == '=' && c > text && c[1] != '=' && !strchr("=<>!", c[-1]))
			return c;
	return NULL;
}

static bool do_set(struct debug_line *line)
{
	struct debug *debug = line->debug;
	char path[DEBUG_PROMPT_MAX];
	struct diag diag = {0};
	const char *text = line->n > 1 ? line->text + line->offset[1] : "", *equals = find_equals(text);
	if (!equals)
		return line_fault(line, 1, "expected NAME = EXPR");
	size_t len = (size_t)(equals - text);
	while (len && strchr(" \t", text[len - 1]))
		len--;
	snprintf(path, sizeof path, "%.*s", (int)len, text);
	bool ok = debug_assign(debug, path, equals + 1 + strspn(equals + 1, " \t"), debug_chosen_lanes(debug), &diag);
	struct debug_at at = debug_at_now(debug);
	struct debug_object o;
	if (!ok)
		line_fault(line, 1, "%s", diag.count ? diag.entries[0].message : "it cannot be changed");
	else if (find_object(&at, path, &o))
		print_object(debug, path, &o);
	diag_free(&diag);
	return ok;
}

/* --- inspect ------------------------------------------------------------------------------------------------------ */

/* Commands that look at registers and memory. */

#define EXAMINED_A_ROW 8
#define EXAMINED_MAX 1024
#define EXAMINED_DEFAULT 8

/* --- registers ---------------------------------------------------------------------------------------------------- */

/* Of the kernel, or of the function that the followed warp is in. */
static bool named_register(const struct debug_line *line, int index, int *reg)
{
	const struct debug_program *program = line->debug->program;
	int part = line->debug->now.instr >= 0 ? program->instrs[line->debug->now.instr].part : 0;
	for (*reg = 0; *reg < program->n_regs; ++*reg) {
		const struct debug_reg *r = &program->regs[*reg];
		if (r->part == part &&
			(strcmp(r->name, line->word[index]) == 0 || strcmp(r->name + 1, line->word[index]) == 0))
			return true;
	}
	return false;
}

static bool set_displayed(struct debug_line *line, bool displayed)
{
	int reg;
	const struct debug *debug = line->debug;
	bool function = debug->now.instr >= 0 && debug->program->instrs[debug->now.instr].part > 0;
	if (!line_only(line, 2))
		return false;
	if (line->n < 2)
		return line_fault(line, 1, "which register?");
	if (!named_register(line, 1, &reg) &&
		!line_fault(line, 1, "the %s has no register '%s'", function ? "function" : "kernel", line->word[1]))
		return false;

	line->debug->registers[reg].displayed = displayed;
	line->debug->wishes.registers = true;
	return true;
}

/* --- memory ------------------------------------------------------------------------------------------------------- */

/* A number, or a register: its value in the followed lane, or in the first active one. */
static bool read_address(struct debug_line *line, int index, uint64_t *out)
{
	const struct debug *debug = line->debug;
	int reg,
		lane = debug->lane != DEBUG_ANY ? (int)debug->lane
		: debug->now.active             ? __builtin_ctz(debug->now.active)
						: 0;
	char *end = NULL;
	if (index >= line->n)
		return line_fault(line, index, "which address? A number, or a register");
	if (named_register(line, index, &reg)) {
		*out = debug->registers[reg].lanes[lane];
		return true;
	}
	errno = 0;
	*out = strtoull(line->word[index], &end, 0);
	return (line->word[index][0] >= '0' && line->word[index][0] <= '9' && !*end && !errno) ||
		line_fault(line, index, "expected an address, a number or a register, not '%s'", line->word[index]);
}

/* What memory is shown as: elements of a type, or packed halves. */
struct element {
	enum launch_type type;
	enum debug_number halves; /* DEBUG_NUMBER_F16X2 or BF16X2: in words of 4 bytes; else DEBUG_NUMBER_AUTO */
};

static size_t element_size(struct element element)
{
	return element.halves == DEBUG_NUMBER_AUTO ? launch_type_size(element.type) : 4;
}

static bool read_element(struct debug_line *line, int index, struct element *out)
{
	*out = (struct element){LAUNCH_S32, DEBUG_NUMBER_AUTO};
	if (index >= line->n)
		return true;
	for (int i = DEBUG_NUMBER_F16X2; i <= DEBUG_NUMBER_BF16X2; i++) {
		if (strcmp(debug_number_names[i], line->word[index]) == 0) {
			out->halves = (enum debug_number)i;
			return true;
		}
	}
	for (int type = 0; type < LAUNCH_TYPES; type++) {
		if (strcmp(launch_type_name((enum launch_type)type), line->word[index]) == 0) {
			out->type = (enum launch_type)type;
			return true;
		}
	}
	return line_fault(line, index, "expected a type, such as s32, f32 or f16x2, not '%s'", line->word[index]);
}

/* The most that a buffer has from there on. */
static size_t bytes_from(const struct simt_memory *memory, uint64_t address, size_t asked)
{
	size_t have = 0, not = asked;
	if (simt_memory_at(memory, address, asked))
		return asked;
	while (not -have > 1) {
		size_t middle = have + (not -have) / 2;
		if (simt_memory_at(memory, address, middle))
			have = middle;
		else
			not = middle;
	}
	return have;
}

const void *debug_memory(const struct debug *debug, enum mem_space space, uint64_t address, size_t *bytes)
{
	const struct simt_memory *memory = debug->private->device->memory;
	size_t size = 0;
	if (space == SPACE_GLOBAL) {
		*bytes = *bytes ? bytes_from(memory, address, *bytes) : 0;
		return *bytes ? simt_memory_at(memory, address, *bytes) : NULL;
	}
	const char *at = simt_session_shared(debug->private->session, debug->block, &size);
	if (!at || address >= size)
		return NULL;
	*bytes = *bytes < size - address ? *bytes : size - address;
	return at + address;
}

const void *debug_local(const struct debug *debug, uint32_t lane, uint64_t address, size_t *bytes)
{
	size_t size = 0;
	const char *at = simt_session_local(debug->private->session, debug->block, debug->warp, lane, &size);
	if (!at || address >= size)
		return NULL;
	*bytes = *bytes < size - address ? *bytes : size - address;
	return at + address;
}

const void *debug_params(const struct debug *debug)
{
	return debug->private->machine.params;
}

const struct source *debug_ptx(const struct debug *debug)
{
	return &debug->private->ptx;
}

/* NULL, with an error, when not all of it is there. */
static const void *find_memory(struct debug_line *line, int space, uint64_t address, size_t bytes)
{
	const struct debug *debug = line->debug;
	const char *at;
	size_t size = 0;
	if (space == 1) {
		at = simt_memory_at(debug->private->device->memory, address, bytes);
		if (!at)
			line_fault(line, 2, "no buffer holds %zu bytes at 0x%" PRIx64, bytes, address);
		return at;
	}
	at = simt_session_shared(debug->private->session, debug->block, &size);
	if (!at)
		line_fault(line, 1, "block %u has no shared memory now", debug->block);
	else if (address > size || bytes > size - address)
		line_fault(
			line, 2, "shared memory has %zu bytes; these would be %zu at %" PRIu64, size, bytes, address);
	return at && address <= size && bytes <= size - address ? at + address : NULL;
}

static bool do_examine(struct debug_line *line)
{
	static const char *const spaces[] = {"shared", "global"};
	struct debug_line head = *line;
	struct element element;
	uint64_t address = 0, n = EXAMINED_DEFAULT;
	int space;
	head.n = line->n < 2 ? line->n : 2;
	if (!line_choose(&head, spaces, 2, &space) || !read_address(line, 2, &address))
		return false;
	if (line->n > 3 && !line_number(line, 3, (struct debug_range){"count", 1, EXAMINED_MAX}, &n))
		return false;
	if (!read_element(line, 4, &element) || !line_only(line, 5))
		return false;
	const unsigned char *bytes = find_memory(line, space, address, n * element_size(element));
	if (bytes) {
		struct buf *out = &line->debug->said.output;
		size_t size = element_size(element);
		for (uint64_t i = 0; i < n; i++) {
			if (i % EXAMINED_A_ROW == 0)
				buf_printf(out, "%s0x%" PRIx64 ":", i ? "\n" : "", address + i * size);
			buf_putc(out, ' ');
			if (element.halves == DEBUG_NUMBER_AUTO) {
				launch_format(element.type, bytes, i, out);
				continue;
			}
			uint32_t word;
			memcpy(&word, bytes + i * size, sizeof word);
			debug_write_halves(word, sizeof word, element.halves, DEBUG_DIGITS_ALL, out);
		}
		buf_putc(out, '\n');
	}
	return bytes != NULL;
}

/* --- the commands ------------------------------------------------------------------------------------------------- */

enum command {
#define COMMAND(id, name, brief, arguments, help) COMMAND_##id,
#include "front/debug/commands.def"
#undef COMMAND
};

/* A number that a command needs as its second word, and no more. */
static bool line_one_number(struct debug_line *line, struct debug_range range, uint64_t *out)
{
	return line_only(line, 2) && line_number(line, 1, range, out);
}

static bool obey(struct debug_line *line, enum command command)
{
	struct debug *debug = line->debug;
	struct buf *out = &debug->said.output;
	uint64_t n = 0;
	switch (command) {
	case COMMAND_step: return begin_job(line, debug_job_begin, GOAL_STEP);
	case COMMAND_next: return begin_job(line, debug_job_begin, GOAL_LINE);
	case COMMAND_any: return begin_job(line, debug_job_begin, GOAL_ANY);
	case COMMAND_continue: return line_only(line, 1) && begin_job(line, debug_job_begin, GOAL_BREAK);
	case COMMAND_finish: return line_only(line, 1) && begin_job(line, debug_job_begin, GOAL_BLOCK);
	case COMMAND_reverse_step: return begin_job(line, debug_job_begin_back, GOAL_STEP);
	case COMMAND_reverse_next: return begin_job(line, debug_job_begin_back, GOAL_ENTRY);
	case COMMAND_reverse_continue: return line_only(line, 1) && begin_job(line, debug_job_begin_back, GOAL_BREAK);
	case COMMAND_goto:
		if (!line_one_number(line, (struct debug_range){"step", 0, INT64_MAX}, &n))
			return false;
		debug_job_goto(debug, n);
		return true;
	case COMMAND_restart:
		if (!line_only(line, 1))
			return false;
		debug_job_goto(debug, 0);
		return true;

	case COMMAND_break: return add_break(line, debug->program->file ? DEBUG_SOURCE : DEBUG_PTX);
	case COMMAND_breakptx: return add_break(line, DEBUG_PTX);
	case COMMAND_delete:
		if (!line_only(line, 2) ||
			(line->n == 2 && !line_number(line, 1, (struct debug_range){"breakpoint", 1, INT32_MAX}, &n)))
			return false;
		return debug_break_delete(debug, (int)n) || n == 0 ||
			line_fault(line, 1, "there is no breakpoint %" PRIu64, n);
	case COMMAND_breaks:
		for (int i = 0; i < debug->breaks.n; i++) {
			debug_break_write(&debug->breaks.at[i], out);
			buf_putc(out, '\n');
		}
		if (!debug->breaks.n)
			buf_puts(out, "no breakpoints\n");
		return line_only(line, 1);

	case COMMAND_warp:
		if (!line_one_number(line, (struct debug_range){"warp", 0, debug->extent.warps - 1}, &n))
			return false;
		debug_follow(debug, debug->block, (uint32_t)n);
		debug_look(debug);
		return true;
	case COMMAND_block:
		if (!line_one_number(line, (struct debug_range){"block", 0, debug->extent.blocks - 1}, &n))
			return false;
		debug_follow(debug, (uint32_t)n, debug->warp);
		debug_look(debug);
		return true;
	case COMMAND_lane: {
		bool all = line->n == 2 && strcmp(line->word[1], "all") == 0;
		if (!line_only(line, 2) ||
			(!all && !line_number(line, 1, (struct debug_range){"lane", 0, WARP_SIZE - 1}, &n)))
			return false;
		debug->lane = all ? DEBUG_ANY : (uint32_t)n;
		debug->wishes.lane = true;
		if (all)
			debug_say(debug, "Following the whole warp.");
		else
			debug_say(debug,
				"Following lane %" PRIu64
				": steps and lines count where it is active. `lane all` ends this.",
				n);
		return true;
	}

	case COMMAND_print: return do_print(line);
	case COMMAND_variables: return do_variables(line);
	case COMMAND_set: return do_set(line);
	case COMMAND_changes: debug_changes_write(debug, out); return line_only(line, 1);
	case COMMAND_undo:
		return line_only(line, 1) &&
			(debug_change_undo(debug) || line_fault(line, 0, "nothing has been changed"));
	case COMMAND_examine: return do_examine(line);
	case COMMAND_display: return set_displayed(line, true);
	case COMMAND_undisplay: return set_displayed(line, false);
	case COMMAND_format: {
		int number;
		if (!line_only(line, 2) || !line_choose(line, debug_number_names, DEBUG_NUMBERS, &number))
			return false;
		debug->number = (enum debug_number)number;
		return true;
	}

	case COMMAND_find:
		if (line->n < 2)
			return line_fault(line, 1, "which word?");
		snprintf(debug->prompt.searched, sizeof debug->prompt.searched, "%s", line->text + line->offset[1]);
		return debug_cursor_find(debug, debug->prompt.searched) ||
			line_fault(line, 1, "'%s' is nowhere in the %s", debug->prompt.searched,
				debug->cursor.in_ptx ? "PTX" : "source");
	case COMMAND_show: {
		int pane = DEBUG_SHOW_SCREEN;
		if (!line_only(line, 2) ||
			(line->n == 2 && !line_choose(line, debug_pane_names, DEBUG_PANE_COUNT, &pane)))
			return false;
		debug->wishes.show = (enum debug_show)pane;
		return true;
	}
	case COMMAND_where: debug_where(debug, out); return line_only(line, 1);
	case COMMAND_help: debug->wishes.help = true; return line_only(line, 1);
	case COMMAND_quit: debug->quit = true; return line_only(line, 1);
	}
	return false;
}

/* By its name, its short name, or the beginning of one name only. -1 with an error. */
static int find_command(struct debug_line *line)
{
	const char *word = line->word[0];
	int found = -1, fits = 0;
	for (int i = 0; i < debug_command_count; i++) {
		const struct debug_command_row *row = &debug_commands[i];
		if (strcmp(row->name, word) == 0 || strcmp(row->brief, word) == 0)
			return i;
		if (strncmp(row->name, word, strlen(word)) == 0) {
			found = i;
			fits++;
		}
	}
	if (fits == 1)
		return found;
	line_fault(line, 0, fits ? "'%s' may be several commands" : "there is no command '%s'; help lists them", word);
	return -1;
}

bool debug_command(struct debug *debug, const char *text, struct diag_pos at, struct diag *diag)
{
	struct debug_line line = {.debug = debug, .diag = diag, .at = at, .text = text};
	debug->said.notice[0] = '\0';
	if (strlen(text) >= DEBUG_PROMPT_MAX)
		return line_fault(&line, 0, "a command has at most %d characters", DEBUG_PROMPT_MAX - 1);

	char *p = line.copy;
	snprintf(line.copy, sizeof line.copy, "%s", line.text);
	while (line.n < WORDS_MAX) {
		p += strspn(p, " \t\r\n");
		if (!*p)
			break;
		line.offset[line.n] = (size_t)(p - line.copy);
		line.word[line.n++] = p;
		p += strcspn(p, " \t\r\n");
		if (!*p)
			break;
		*p++ = '\0';
	}

	if (line.n == 0 || line.word[0][0] == '#')
		return true;
	int command = find_command(&line);
	return command >= 0 && obey(&line, (enum command)command);
}
