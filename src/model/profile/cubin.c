#include "model/profile/cubin.h"

#include <stdlib.h>
#include <string.h>

#include "base/elf.h"
#include "model/hardware/timeline.h"

#define INSTR_BYTES 16u
#define INSTRS_MAX (1u << 20)
#define NO_GUARD 7

struct cubin_file {
	struct arena *arena;
	struct elf elf;
	int *first; /* by section: its first instruction; -1: it is no code */
	struct cubin_instr *instrs;
	int n;
	struct cubin_function *functions;
	int n_functions;
};

/* --- instructions ------------------------------------------------------------------------------------------------- */

/* By the lowest nine bits of the operation; the three above them say what its operands are. */
static const uint8_t pipes[512] = {
	[0x002] = PIPE_ALU,
	[0x003 ... 0x00f] = PIPE_ALU,
	[0x010 ... 0x01f] = PIPE_ALU,
	[0x036] = PIPE_ALU,
	[0x040 ... 0x04f] = PIPE_ALU,
	[0x03e] = PIPE_ALU, /* copies, comparisons, sums, logic, shifts */
	[0x020 ... 0x027] = PIPE_FMA,
	[0x030 ... 0x035] = PIPE_FMA, /* floats, halves, products of integers */
	[0x028 ... 0x02b] = PIPE_FP64,
	[0x037] = PIPE_TENSOR,
	[0x03c] = PIPE_TENSOR,
	[0x03d] = PIPE_TENSOR,
	[0x03f] = PIPE_TENSOR,
	[0x1f0] = PIPE_TENSOR,
	[0x100 ... 0x101] = PIPE_XU,
	[0x104 ... 0x109] = PIPE_XU,
	[0x110 ... 0x113] = PIPE_XU,
	[0x180 ... 0x181] = PIPE_LSU,
	[0x183 ... 0x18e] = PIPE_LSU,
	[0x1a1 ... 0x1aa] = PIPE_LSU,
	[0x1ae] = PIPE_LSU,
	[0x03b] = PIPE_LSU,
};

enum {
	OP_BRANCH = 0x147,
	OP_CALL = 0x144,
	OP_CALL_ABSOLUTE = 0x143,
	OP_EXIT = 0x14d,
	OP_RETURN = 0x150,
	OP_INDIRECT = 0x149
};

static uint64_t word_at(const uint8_t *at)
{
	uint64_t word = 0;
	for (int i = 7; i >= 0; i--)
		word = word << 8 | at[i];
	return word;
}

static struct cubin_instr decode(const uint8_t *at, int64_t offset, int64_t size, int first)
{
	uint64_t low = word_at(at), high = word_at(at + 8);
	unsigned op = low & 0x1FF, guard = low >> 12 & 15;
	struct cubin_instr instr = {.pipe = pipes[op], .target = -1, .is_conditional = guard != NO_GUARD};
	/* the displacement of a branch, from the next instruction: 4 bytes each, the lowest 8 bits apart from the
	 * others */
	uint64_t upper = low >> 34 | (high & 0x3FFFF) << 30; /* 48 bits */
	int64_t extended = (int64_t)(upper << 16) >> 16;
	int64_t to = offset + INSTR_BYTES + 4 * (extended * 256 + (int64_t)(low >> 16 & 0xFF));
	if ((op == OP_BRANCH || op == OP_CALL) && to >= 0 && to < size && to % INSTR_BYTES == 0)
		instr.target = first + (int)(to / INSTR_BYTES);
	switch (op) {
	case OP_BRANCH:
		instr.flow = to == offset ? CUBIN_END : CUBIN_BRANCH; /* to itself: after the last one */
		instr.is_conditional |= (high >> 23 & 15) != NO_GUARD || (low >> 24 & 0xFF);
		break;
	case OP_INDIRECT: instr.flow = CUBIN_SWITCH; break;
	case OP_EXIT:
	case OP_RETURN: instr.flow = CUBIN_END; break;
	case OP_CALL:
	case OP_CALL_ABSOLUTE: instr.flow = CUBIN_CALL; break;
	default: break;
	}
	return instr;
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

struct line_program {
	const uint8_t *bytes;
	size_t at, end, base; /* base: of the section, in the file */
	bool bad;
};

static uint64_t take_bytes(struct line_program *p, unsigned n)
{
	uint64_t v = 0;
	if (p->end - p->at < n) {
		p->bad = true;
		p->at = p->end;
		return 0;
	}
	for (unsigned i = 0; i < n; i++)
		v |= (uint64_t)p->bytes[p->at++] << 8 * i;
	return v;
}

static uint64_t take_leb(struct line_program *p, bool is_signed)
{
	uint64_t v = 0;
	for (unsigned shift = 0;; shift += 7) {
		uint64_t byte = take_bytes(p, 1);
		if (p->bad)
			return 0;
		if (shift < 64)
			v |= (byte & 0x7F) << shift;
		if (byte & 0x80)
			continue;
		if (is_signed && byte & 0x40 && shift + 7 < 64)
			v |= UINT64_MAX << (shift + 7);
		return v;
	}
}

/* Where rows are put: the instructions of one section. */
struct line_state {
	struct cubin_file *file;
	unsigned section; /* 0: none */
	uint64_t address, from;
	int64_t line, line_from;
	bool open; /* a row has begun at `from` */
};

static void fill_lines(struct line_state *s)
{
	const struct cubin_file *f = s->file;
	if (!s->open || !s->section || f->first[s->section] < 0 || s->line_from <= 0 || s->line_from > INT32_MAX)
		return;
	for (uint64_t at = s->from; at < s->address && at < f->elf.sections[s->section].sh_size; at += INSTR_BYTES)
		f->instrs[(uint64_t)f->first[s->section] + at / INSTR_BYTES].ptx_line = (uint32_t)s->line_from;
}

static void add_line_row(struct line_state *s)
{
	fill_lines(s);
	s->open = true;
	s->from = s->address;
	s->line_from = s->line;
}

/* The section that an address at `offset` of the table is in: its relocation says. */
static unsigned section_at(const struct cubin_file *f, const Elf64_Shdr *table, uint64_t offset)
{
	for (unsigned i = 0; i < f->elf.n_sections; i++) {
		const Elf64_Shdr *r = &f->elf.sections[i];
		uint64_t size = r->sh_type == SHT_RELA ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
		if ((r->sh_type != SHT_RELA && r->sh_type != SHT_REL) || r->sh_info >= f->elf.n_sections ||
			&f->elf.sections[r->sh_info] != table || r->sh_link >= f->elf.n_sections)
			continue;
		const Elf64_Shdr *symbols = &f->elf.sections[r->sh_link];
		for (uint64_t at = 0; at + size <= r->sh_size; at += size) {
			Elf64_Rel rel;
			Elf64_Sym symbol;
			memcpy(&rel, f->elf.bytes + r->sh_offset + at, sizeof rel);
			uint64_t where = ELF64_R_SYM(rel.r_info) * sizeof symbol;
			if (rel.r_offset != offset || symbols->sh_type != SHT_SYMTAB ||
				where + sizeof symbol > symbols->sh_size)
				continue;
			memcpy(&symbol, f->elf.bytes + symbols->sh_offset + where, sizeof symbol);
			return symbol.st_shndx < f->elf.n_sections ? symbol.st_shndx : 0;
		}
	}
	return 0;
}

struct line_header {
	unsigned step, range, base, lengths[256];
	int first;
};

enum { LINE_COPY = 1, LINE_ADVANCE, LINE_LINE, LINE_FILE, LINE_ADD = 8, LINE_FIXED = 9 };

bool cubin_read(struct arena *arena, const void *file, size_t len, struct cubin *out)
{
	struct cubin_file f = {.arena = arena};
	if (!elf_read(arena, file, len, &f.elf))
		return false;
	f.first = arena_array(arena, int, f.elf.n_sections);
	for (unsigned i = 0; i < f.elf.n_sections; i++)
		f.first[i] = -1;

	uint64_t n = 0;
	for (unsigned i = 0; i < f.elf.n_sections; i++) {
		if (f.elf.sections[i].sh_type != SHT_PROGBITS || strncmp(elf_section_name(&f.elf, i), ".text.", 6) != 0)
			continue;
		if (f.elf.sections[i].sh_size % INSTR_BYTES != 0)
			return false;
		f.first[i] = (int)n;
		n += f.elf.sections[i].sh_size / INSTR_BYTES;
		if (n > INSTRS_MAX)
			return false;
	}
	f.n = (int)n;
	f.instrs = arena_array(f.arena, struct cubin_instr, n + 1);
	f.functions = arena_array(f.arena, struct cubin_function, f.elf.n_sections);
	for (unsigned i = 0; i < f.elf.n_sections; i++) {
		const Elf64_Shdr *s = &f.elf.sections[i];
		if (f.first[i] >= 0 && s->sh_size)
			f.functions[f.n_functions++] = (struct cubin_function){
				arena_strdup(f.arena, elf_section_name(&f.elf, i) + strlen(".text.")), f.first[i],
				(int)(s->sh_size / INSTR_BYTES)};
		for (uint64_t at = 0; f.first[i] >= 0 && at < s->sh_size; at += INSTR_BYTES) {
			struct cubin_instr *instr = &f.instrs[(uint64_t)f.first[i] + at / INSTR_BYTES];
			*instr = decode(f.elf.bytes + s->sh_offset + at, (int64_t)at, (int64_t)s->sh_size, f.first[i]);
			instr->begins = at == 0;
		}
	}
	if (n <= 0)
		return false;

	const Elf64_Shdr *table = elf_find_section(&f.elf, ".nv_debug_line_sass");
	if (!table)
		return false;
	struct line_program p = {.bytes = f.elf.bytes + table->sh_offset, .end = (size_t)table->sh_size};
	while (p.at < p.end) {
		/* One unit of the table; false: it is none. */
		struct line_header h = {0};
		struct line_state s = {.file = &f, .line = 1};
		size_t whole = p.end;
		uint64_t unit_len = take_bytes(&p, 4);
		if (p.bad || unit_len > p.end - p.at)
			return false;
		p.end = p.at + (size_t)unit_len;
		uint64_t version = take_bytes(&p, 2), header = take_bytes(&p, 4);
		if (p.bad || version != 2 || header > p.end - p.at)
			return false;
		size_t program = p.at + (size_t)header;
		h.step = (unsigned)take_bytes(&p, 1);
		take_bytes(&p, 1);
		h.first = (int)((take_bytes(&p, 1) ^ 0x80) & 0xFF) - 0x80; /* a signed byte */
		h.range = (unsigned)take_bytes(&p, 1);
		h.base = (unsigned)take_bytes(&p, 1);
		for (unsigned i = 1; i < h.base; i++)
			h.lengths[i] = (unsigned)take_bytes(&p, 1);
		if (p.bad || !h.range || !h.base)
			return false;
		p.at = program;
		while (p.at < p.end && !p.bad) {
			unsigned op = (unsigned)take_bytes(&p, 1);
			if (op < h.base) {
				/* An opcode of the header's table, or one that begins with 0. */
				if (op == 0) {
					uint64_t rest = take_leb(&p, false), end = p.at + rest;
					if (p.bad || !rest || rest > p.end - p.at) {
						p.bad = true;
					} else {
						uint64_t sub = take_bytes(&p, 1);
						if (sub == 1) {
							fill_lines(&s);
							s = (struct line_state){.file = s.file, .line = 1};
						} else if (sub == 2) {
							s.section = section_at(s.file, table, p.at);
							s.address = take_bytes(&p, 8);
						}
						p.at = end;
					}
				} else {
					switch (op) {
					case LINE_COPY: add_line_row(&s); break;
					case LINE_ADVANCE: s.address += take_leb(&p, false) * h.step; break;
					case LINE_LINE: s.line += (int64_t)take_leb(&p, true) % INT32_MAX; break;
					case LINE_ADD: s.address += (255 - h.base) / h.range * h.step; break;
					case LINE_FIXED: s.address += take_bytes(&p, 2); break;
					default:
						for (unsigned i = 0; i < h.lengths[op]; i++)
							take_leb(&p, false);
					}
				}

				continue;
			}
			s.address += (op - h.base) / h.range * h.step;
			s.line += h.first + (int)((op - h.base) % h.range);
			add_line_row(&s);
		}
		p.end = whole;
		if (p.bad)
			return false;
	}

	*out = (struct cubin){f.instrs, f.n, f.functions, f.n_functions};
	return true;
}
