/* Where variables are: location expressions and lists. */
#include <string.h>

#include "front/debug/dwarf.h"
#include "front/debug/dwarf_bytes.h"

enum {
	OP_ADDR = 0x03,
	OP_CONST1U = 0x08,
	OP_CONST1S = 0x09,
	OP_CONST2U = 0x0a,
	OP_CONST2S = 0x0b,
	OP_CONST4U = 0x0c,
	OP_CONST4S = 0x0d,
	OP_CONST8U = 0x0e,
	OP_CONST8S = 0x0f,
	OP_CONSTU = 0x10,
	OP_CONSTS = 0x11,
	OP_LIT0 = 0x30,
	OP_LIT31 = 0x4f,
	OP_REGX = 0x90,
	OP_BREGX = 0x92,
	OP_PIECE = 0x93,
	OP_IMPLICIT_VALUE = 0x9e,
	OP_STACK_VALUE = 0x9f,
};

/* A register's name is its number, letter by letter; false: it is none. */
static bool take_register(uint64_t number, struct debug_piece *piece)
{
	int n = 0;
	for (int shift = 56; shift >= 0; shift -= 8) {
		char c = (char)(number >> shift);
		if (c)
			piece->reg[n++] = c;
		else if (n)
			return false;
	}
	piece->reg[n] = '\0';
	piece->name = NULL;
	return n > 0;
}

static bool take_constant(struct dwarf_bytes *b, uint8_t op, uint64_t *value)
{
	static const struct {
		uint8_t op, bytes;
		bool is_signed;
	} fixed[] = {{OP_CONST1U, 1, false}, {OP_CONST1S, 1, true}, {OP_CONST2U, 2, false}, {OP_CONST2S, 2, true},
		{OP_CONST4U, 4, false}, {OP_CONST4S, 4, true}, {OP_CONST8U, 8, false}, {OP_CONST8S, 8, false}};
	for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
		if (fixed[i].op != op)
			continue;
		int unused = 64 - 8 * fixed[i].bytes;
		*value = dwarf_fixed(b, fixed[i].bytes);
		if (fixed[i].is_signed)
			*value = (uint64_t)((int64_t)(*value << unused) >> unused);
		return true;
	}
	if (op >= OP_LIT0 && op <= OP_LIT31)
		*value = (uint64_t)(op - OP_LIT0);
	else if (op == OP_CONSTU)
		*value = dwarf_uleb(b);
	else if (op == OP_CONSTS)
		*value = (uint64_t)dwarf_sleb(b);
	else
		return false;
	return true;
}

/* One operation: it says where the piece is, or goes on from what is there. False: it is not understood. */
static bool take_op(struct dwarf_bytes *b, uint8_t op, struct debug_piece *p)
{
	if (take_constant(b, op, &p->value)) {
		p->kind = DEBUG_PIECE_VALUE;
		return true;
	}
	switch (op) {
	case OP_ADDR:
		p->kind = DEBUG_PIECE_MEMORY;
		p->name = ptx_section_symbol(b->section, b->at);
		p->value = dwarf_fixed(b, 8);
		return true;
	case DWARF_OP_PLUS_UCONST:
		p->value += dwarf_uleb(b);
		return p->kind == DEBUG_PIECE_MEMORY || p->kind == DEBUG_PIECE_VALUE;
	case OP_REGX: p->kind = DEBUG_PIECE_REGISTER; return take_register(dwarf_uleb(b), p);
	case OP_BREGX:
		p->kind = DEBUG_PIECE_MEMORY;
		p->from_register = true;
		return take_register(dwarf_uleb(b), p) && (p->value = (uint64_t)dwarf_sleb(b), true);
	case OP_STACK_VALUE: return p->kind == DEBUG_PIECE_VALUE;
	case OP_IMPLICIT_VALUE: {
		uint64_t bytes = dwarf_uleb(b);
		p->kind = DEBUG_PIECE_VALUE;
		p->value = bytes <= 8 ? dwarf_fixed(b, (uint32_t)bytes) : 0;
		return bytes <= 8;
	}
	default: return false;
	}
}

static const struct debug_piece lost = {.kind = DEBUG_PIECE_LOST, .bytes = UINT64_MAX};

static int read_expression(struct dwarf_bytes b, struct debug_piece out[DEBUG_PIECES_MAX])
{
	int n = 0;
	bool open = false; /* operations that no piece has ended */
	out[0] = lost;
	while (b.at < b.end && !b.failed) {
		uint8_t op = (uint8_t)dwarf_fixed(&b, 1);
		if (op == OP_PIECE) {
			out[n++].bytes = dwarf_uleb(&b);
			open = false;
			if (n == DEBUG_PIECES_MAX)
				return b.failed || b.at < b.end ? -1 : n;
			out[n] = lost;
			continue;
		}
		if (!take_op(&b, op, &out[n]))
			return -1;
		open = true;
	}
	return b.failed ? -1 : n + open;
}

int debug_dwarf_locate(
	const struct debug_dwarf *dwarf, int variable, uint64_t address, struct debug_piece out[DEBUG_PIECES_MAX])
{
	const struct debug_die *d = &dwarf->dies[variable];
	const struct ptx_section *info = &dwarf->sections[PTX_SECTION_INFO];
	if (d->has & DEBUG_HAS_LIST) {
		/* Of a list: pairs of addresses, each with an expression, up to a pair of zeros. They are labels of
		 * code, which NVPTX's compilers mean as they stand, whatever address the unit begins at. */
		struct dwarf_bytes b = dwarf_bytes_of(&dwarf->sections[PTX_SECTION_LOC], d->location);
		while (!b.failed) {
			uint64_t low = dwarf_fixed(&b, 8), high = dwarf_fixed(&b, 8);
			if (!low && !high)
				return 0;
			size_t bytes = (size_t)dwarf_fixed(&b, 2);
			struct dwarf_bytes inside = b;
			dwarf_skip(&b, bytes);
			inside.end = b.at;
			if (!b.failed && low <= address && address < high)
				return read_expression(inside, out);
		}
		return -1;
	}
	if (d->has & DEBUG_HAS_CONSTANT) {
		out[0] = (struct debug_piece){.kind = DEBUG_PIECE_VALUE, .bytes = UINT64_MAX, .value = d->constant};
		return 1;
	}
	struct dwarf_bytes b = dwarf_bytes_of(info, d->location);
	if (!(d->has & DEBUG_HAS_LOCATION) || d->location_bytes > info->size - d->location)
		return 0;
	b.end = d->location + d->location_bytes;
	return read_expression(b, out);
}
