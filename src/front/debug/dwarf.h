/* front/debug/dwarf.h: the variables of a module's debug information: DWARF of versions 2 to 4, of which nvcc -G and
 * clang -g write version 2.
 *
 * An entry (DIE) is known by its number here, in the order of the bytes; -1: none. Addresses of code are those of
 * machine/ptx/section.h. A register is numbered by its name: its letters as the bytes of a big-endian number, so that
 * %r1 is 0x257231. That is cuda-gdb's rule (cuda_check_dwarf2_reg_ptx_virtual_register in its cuda-tdep.c), which LLVM
 * follows (encodeRegisterForDwarf in NVPTXRegisterInfo.cpp). Address classes are NVIDIA's, too. Inside debug/ only.
 * Whatever the bytes are, reading them stays inside them. */
#pragma once
#include "base/buf.h"
#include "machine/ptx/section.h"

enum debug_tag {
	DEBUG_TAG_ARRAY = 0x01,
	DEBUG_TAG_CLASS = 0x02,
	DEBUG_TAG_ENUM = 0x04,
	DEBUG_TAG_PARAMETER = 0x05,
	DEBUG_TAG_BLOCK = 0x0b,
	DEBUG_TAG_MEMBER = 0x0d,
	DEBUG_TAG_POINTER = 0x0f,
	DEBUG_TAG_REFERENCE = 0x10,
	DEBUG_TAG_UNIT = 0x11,
	DEBUG_TAG_STRUCT = 0x13,
	DEBUG_TAG_TYPEDEF = 0x16,
	DEBUG_TAG_UNION = 0x17,
	DEBUG_TAG_INHERITANCE = 0x1c,
	DEBUG_TAG_INLINED = 0x1d,
	DEBUG_TAG_SUBRANGE = 0x21,
	DEBUG_TAG_BASE = 0x24,
	DEBUG_TAG_CONST = 0x26,
	DEBUG_TAG_ENUMERATOR = 0x28,
	DEBUG_TAG_FUNCTION = 0x2e,
	DEBUG_TAG_VARIABLE = 0x34,
	DEBUG_TAG_VOLATILE = 0x35,
	DEBUG_TAG_RESTRICT = 0x37,
	DEBUG_TAG_RVALUE = 0x42,
};

enum debug_encoding {
	DEBUG_ENCODING_BOOL = 2,
	DEBUG_ENCODING_FLOAT = 4,
	DEBUG_ENCODING_SIGNED = 5,
	DEBUG_ENCODING_SIGNED_CHAR = 6,
	DEBUG_ENCODING_UNSIGNED_CHAR = 8,
};

/* DW_AT_address_class on NVPTX. */
enum debug_class {
	DEBUG_CLASS_NONE,
	DEBUG_CLASS_REGISTER = 2,
	DEBUG_CLASS_CONST = 4,
	DEBUG_CLASS_GLOBAL = 5,
	DEBUG_CLASS_LOCAL = 6,
	DEBUG_CLASS_PARAM = 7,
	DEBUG_CLASS_SHARED = 8
};

struct debug_die {
	size_t at; /* in .debug_info */
	int parent, child, next;
	uint16_t tag;
	uint8_t encoding, address_class, has; /* has: DEBUG_HAS_... */
	const char *name;
	size_t type_at, origin_at;
	int type, origin; /* origin: what a concrete one is an instance of */
	uint64_t size, low, high, offset;
	uint64_t constant;               /* of an enumerator or a constant; of a subrange: how many elements */
	size_t location, location_bytes; /* in .debug_info; of a list in .debug_loc, without bytes */
};
enum {
	DEBUG_HAS_SIZE = 1,
	DEBUG_HAS_CONSTANT = 2,
	DEBUG_HAS_LOCATION = 4,
	DEBUG_HAS_LIST = 8,
	DEBUG_HAS_RANGE = 16,
	DEBUG_HAS_HIGH_OFFSET = 32, /* high counts from low */
	DEBUG_HAS_BITS = 64,        /* of a member: it is a bit field */
};

struct debug_dwarf {
	struct ptx_section sections[PTX_SECTIONS];
	struct debug_die *dies;
	int n, cap;
};

/* In `arena`. NULL: there is none that can be read. */
const struct debug_dwarf *debug_dwarf_read(struct arena *arena, const struct ptx_module *module);

/* The innermost entry whose code holds the address: a function, a block of it, or one inlined there; -1: none. */
int debug_dwarf_scope(const struct debug_dwarf *dwarf, uint64_t address);

/* Where a variable is, piece by piece. */
enum debug_piece_kind { DEBUG_PIECE_LOST, DEBUG_PIECE_REGISTER, DEBUG_PIECE_MEMORY, DEBUG_PIECE_VALUE };
struct debug_piece {
	enum debug_piece_kind kind;
	uint64_t bytes;     /* UINT64_MAX: all of it */
	const char *name;   /* of the register; of the variable in memory, NULL: `value` alone is the address */
	uint64_t value;     /* the value itself; from the variable's address on */
	bool from_register; /* MEMORY: the register named holds an address */
	char reg[9];        /* where `name` of a register lies */
};
#define DEBUG_PIECES_MAX 8

/* Its location at an address of code: how many pieces, 0: it has none there; -1: one that is not understood. */
int debug_dwarf_locate(
	const struct debug_dwarf *dwarf, int variable, uint64_t address, struct debug_piece out[DEBUG_PIECES_MAX]);

/* The type without typedef, const, volatile and restrict; -1: void. */
int debug_dwarf_type(const struct debug_dwarf *dwarf, int type);

/* The name and the type of an entry, or those of its origin. */
const char *debug_dwarf_name(const struct debug_dwarf *dwarf, int die);
int debug_dwarf_type_of(const struct debug_dwarf *dwarf, int die);

/* Bytes of a type, 0: not known, or void; elements of an array in its dimension `from`, and how many dimensions there
 * are. */
uint64_t debug_dwarf_size(const struct debug_dwarf *dwarf, int type);
uint64_t debug_dwarf_count(const struct debug_dwarf *dwarf, int type, int dimension, int *dimensions);

/* Appends how a declaration has it: "const float *", "float[4]", "P". */
void debug_dwarf_write_type(const struct debug_dwarf *dwarf, int type, struct buf *out);
