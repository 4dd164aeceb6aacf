/* Commands that print and change what names of the source and of PTX mean. */
#include <stdio.h>
#include <string.h>

#include "front/debug/keys.h"
#include "front/debug/line.h"
#include "front/debug/object.h"

#define LANES_A_ROW 8
#define LISTED_MAX 200

/* --- print ------------------------------------------------------------------------------------------------------------ */

/* A path that is all of the text: r1 is %r1 unless the source has such a variable. */
static bool find_object(const struct debug_at *at, const char *text, struct debug_object *o)
{
	const char *rest = text, *why;
	return debug_object_find(at, &rest, o, &why) && !rest[strspn(rest, " \t\r\n")];
}

/* One that is more than a number takes a row of its own in each lane, of which equal ones are put together. */
static void write_blocks(const struct debug_at *at, const struct debug_object *o, uint32_t present, struct buf *out)
{
	struct buf value = {0}, next = {0};
	while (present) {
		uint32_t same = 0;
		buf_clear(&value);
		debug_object_write(at, o, __builtin_ctz(present), &value);
		for (uint32_t left = present; left; left &= left - 1) {
			buf_clear(&next);
			debug_object_write(at, o, __builtin_ctz(left), &next);
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
		write_blocks(&at, o, present, out);
	}
}

/* A warp that is not running has nothing to look at. */
static bool is_there(struct debug_line *line)
{
	const struct debug *debug = line->debug;
	return debug->now.n_paths > 0 ||
		debug_line_fault(line, 0, "warp %u of block %u %s: its registers are not there", debug->warp,
			debug->block, debug->now.state == DEBUG_WARP_AWAITED ? "has not begun" : "has ended");
}

static bool is_name(const char *text)
{
	text += *text == '%';
	while ((*text >= '0' && *text <= '9') || ((*text | 32) >= 'a' && (*text | 32) <= 'z') || *text == '_')
		text++;
	return !text[strspn(text, " \t")];
}

bool debug_do_print(struct debug_line *line)
{
	struct debug_at at = debug_at_now(line->debug);
	struct debug_object o;
	if (line->n < 2)
		return debug_line_fault(line, 1, "which register, variable or expression?");
	const char *text = line->text + line->offset[1];
	bool found = find_object(&at, text, &o);
	if (!is_there(line))
		return false;
	if (!found && is_name(text))
		return debug_line_fault(line, 1, "the %s has no register '%s', and %s",
			at.instr >= 0 && line->debug->program->instrs[at.instr].part > 0 ? "function" : "kernel",
			line->word[1],
			line->debug->program->dwarf ? "no variable of that name is seen here"
						    : "without debug information (see --debug-info) no variables");
	if (!found) {
		struct debug *debug = line->debug;
		struct debug_at numbers_at = debug_at_now(debug);
		struct diag diag = {0};
		struct buf out = {0};
		bool ok = debug_write_numbers(&numbers_at, text, debug_lanes(debug, debug->warp), &out, &diag);
		if (ok)
			buf_printf(&debug->said.output, "%s = %s\n", text, buf_str(&out));
		else
			debug_line_fault(line, 1, "%s", diag.count ? diag.entries[0].message : "it has no value");
		diag_free(&diag);
		buf_free(&out);
		return ok;
	}
	print_object(line->debug, text, &o);
	return true;
}

/* --- variables -------------------------------------------------------------------------------------------------------- */

bool debug_do_variables(struct debug_line *line)
{
	struct debug *debug = line->debug;
	struct debug_at at = debug_at_now(debug);
	const struct debug_dwarf *dwarf = debug->program->dwarf;
	struct buf *out = &debug->said.output;
	int list[LISTED_MAX];
	if (!debug_line_only(line, 1) || !is_there(line))
		return false;
	if (!dwarf)
		return debug_line_fault(line, 0, "the PTX names no variables; --debug-info compiles so that it does");
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

/* --- changes ---------------------------------------------------------------------------------------------------------- */

/* NAME = EXPR; the '=' is the first that is none of ==, <=, >= and !=. */
static const char *find_equals(const char *text)
{
	for (const char *c = text; *c; c++)
		if (*c == '=' && c > text && c[1] != '=' && !strchr("=<>!", c[-1]))
			return c;
	return NULL;
}

bool debug_do_set(struct debug_line *line)
{
	struct debug *debug = line->debug;
	char path[DEBUG_PROMPT_MAX];
	struct diag diag = {0};
	const char *text = line->n > 1 ? line->text + line->offset[1] : "", *equals = find_equals(text);
	if (!equals)
		return debug_line_fault(line, 1, "expected NAME = EXPR");
	size_t len = (size_t)(equals - text);
	while (len && strchr(" \t", text[len - 1]))
		len--;
	snprintf(path, sizeof path, "%.*s", (int)len, text);
	bool ok = debug_assign(debug, path, equals + 1 + strspn(equals + 1, " \t"), debug_chosen_lanes(debug), &diag);
	struct debug_at at = debug_at_now(debug);
	struct debug_object o;
	if (!ok)
		debug_line_fault(line, 1, "%s", diag.count ? diag.entries[0].message : "it cannot be changed");
	else if (find_object(&at, path, &o))
		print_object(debug, path, &o);
	diag_free(&diag);
	return ok;
}

bool debug_do_changes(struct debug_line *line)
{
	debug_changes_write(line->debug, &line->debug->said.output);
	return debug_line_only(line, 1);
}

bool debug_do_undo(struct debug_line *line)
{
	return debug_line_only(line, 1) &&
		(debug_change_undo(line->debug) || debug_line_fault(line, 0, "nothing has been changed"));
}
