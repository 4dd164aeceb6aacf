/* Commands that look at registers and memory. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "front/debug/keys.h"
#include "front/debug/line.h"

#define EXAMINED_A_ROW 8
#define EXAMINED_MAX 1024
#define EXAMINED_DEFAULT 8

/* --- registers -------------------------------------------------------------------------------------------------------- */

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

static bool find_register(struct debug_line *line, int *reg)
{
	const struct debug *debug = line->debug;
	bool function = debug->now.instr >= 0 && debug->program->instrs[debug->now.instr].part > 0;
	if (!debug_line_only(line, 2))
		return false;
	if (line->n < 2)
		return debug_line_fault(line, 1, "which register?");
	return named_register(line, 1, reg) ||
		debug_line_fault(
			line, 1, "the %s has no register '%s'", function ? "function" : "kernel", line->word[1]);
}

static bool set_displayed(struct debug_line *line, bool displayed)
{
	int reg;
	if (!find_register(line, &reg))
		return false;
	line->debug->registers[reg].displayed = displayed;
	line->debug->wishes.registers = true;
	return true;
}

bool debug_do_display(struct debug_line *line)
{
	return set_displayed(line, true);
}
bool debug_do_undisplay(struct debug_line *line)
{
	return set_displayed(line, false);
}

bool debug_do_format(struct debug_line *line)
{
	int number;
	if (!debug_line_only(line, 2) || !debug_line_choose(line, debug_number_names, DEBUG_NUMBERS, &number))
		return false;
	line->debug->number = (enum debug_number)number;
	return true;
}

/* --- memory ----------------------------------------------------------------------------------------------------------- */

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
		return debug_line_fault(line, index, "which address? A number, or a register");
	if (named_register(line, index, &reg)) {
		*out = debug->registers[reg].lanes[lane];
		return true;
	}
	errno = 0;
	*out = strtoull(line->word[index], &end, 0);
	return (line->word[index][0] >= '0' && line->word[index][0] <= '9' && !*end && !errno) ||
		debug_line_fault(
			line, index, "expected an address, a number or a register, not '%s'", line->word[index]);
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
	return debug_line_fault(line, index, "expected a type, such as s32, f32 or f16x2, not '%s'", line->word[index]);
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
			debug_line_fault(line, 2, "no buffer holds %zu bytes at 0x%" PRIx64, bytes, address);
		return at;
	}
	at = simt_session_shared(debug->private->session, debug->block, &size);
	if (!at)
		debug_line_fault(line, 1, "block %u has no shared memory now", debug->block);
	else if (address > size || bytes > size - address)
		debug_line_fault(
			line, 2, "shared memory has %zu bytes; these would be %zu at %" PRIu64, size, bytes, address);
	return at && address <= size && bytes <= size - address ? at + address : NULL;
}

static void write_elements(
	struct buf *out, struct element element, uint64_t address, const unsigned char *bytes, uint64_t n)
{
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

bool debug_do_examine(struct debug_line *line)
{
	static const char *const spaces[] = {"shared", "global"};
	struct debug_line head = *line;
	struct element element;
	uint64_t address = 0, n = EXAMINED_DEFAULT;
	int space;
	head.n = line->n < 2 ? line->n : 2;
	if (!debug_line_choose(&head, spaces, 2, &space) || !read_address(line, 2, &address))
		return false;
	if (line->n > 3 && !debug_line_number(line, 3, (struct debug_range){"count", 1, EXAMINED_MAX}, &n))
		return false;
	if (!read_element(line, 4, &element) || !debug_line_only(line, 5))
		return false;
	const void *bytes = find_memory(line, space, address, n * element_size(element));
	if (bytes)
		write_elements(&line->debug->said.output, element, address, bytes, n);
	return bytes != NULL;
}
