/* machine/ptx/section.h: the debug sections of a module as bytes.
 *
 * PTX writes DWARF as .b8, .b16, .b32 and .b64 of numbers, of labels of code, of sections and labels in them, of their
 * differences, and of variables. A label of code becomes its address: that of a function here, from 1, in the high 32
 * bits, and the number of the instruction that follows it in the low ones. Where bytes are a variable's address they
 * are the number that is added to it, and a ptx_symbol has its name. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct ptx_kernel;
struct ptx_module;

struct ptx_symbol_at {
	size_t offset; /* of the 4 or 8 bytes */
	const char *name;
};

struct ptx_section {
	uint8_t *bytes;
	size_t size, cap;
	struct ptx_symbol_at *symbols; /* by offset */
	size_t n_symbols, cap_symbols;
};

enum ptx_section_kind {
	PTX_SECTION_INFO,
	PTX_SECTION_ABBREV,
	PTX_SECTION_LOC,
	PTX_SECTION_STR,
	PTX_SECTION_RANGES,
	PTX_SECTIONS
};

/* In `arena`. False: it has no .debug_info, or one that cannot be read. What is not there is empty. */
bool ptx_sections_read(struct arena *arena, const struct ptx_module *module, struct ptx_section out[PTX_SECTIONS]);

/* The address of an instruction of a function of the module with a body; 0: it is none of those. */
uint64_t ptx_code_address(const struct ptx_kernel *code, int instr);

/* The variable whose address is at that offset; NULL: there is none. */
const char *ptx_section_symbol(const struct ptx_section *section, size_t offset);
