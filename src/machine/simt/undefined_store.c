/* What a store makes of undefined bits: copies in memory, or uses, where others see it. */
#include "machine/ptx/ops.h"
#include "machine/simt/machine.h"
#include "machine/simt/undefined_state.h"

/* The bytes of a register that are undefined as a whole, as a bit each. */
static uint32_t whole_bytes(const struct undefined_registers *u, struct undefined_ref r, int lane, uint32_t bytes)
{
	uint64_t bits = simt_undefined_bits(u, r, lane);
	uint32_t whole = 0;
	for (uint32_t i = 0; i < bytes; i++)
		whole |= (uint32_t)((bits >> 8 * i & 0xFF) == 0xFF) << i;
	return whole;
}

/* What a store writes of undefined bytes, by lane; returns the lanes where some of them are of a result. */
static uint32_t stored_bytes(struct warp *w, const struct code *c, uint16_t bytes[WARP_SIZE])
{
	const struct warp_access *a = &w->m->access;
	struct undefined_registers *u = undefined_of(w);
	struct undefined_ref r;
	uint32_t computed = 0;
	for (int e = 0; u && e < c->lanes; e++) {
		if (!simt_undefined_element(c, e, 1, &r))
			continue;
		computed |= undefined_info(u, r)->computed & undefined_lanes(u, r);
		for (uint32_t left = a->active & undefined_lanes(u, r); left; left &= left - 1) {
			int lane = __builtin_ctz(left);
			uint32_t whole = whole_bytes(u, r, lane, c->bytes);
			bytes[lane] |= (uint16_t)(whole << e * c->bytes);
			if (whole && a->space != SPACE_GLOBAL)
				simt_undefined_copied(w, a->space,
					a->address[lane] + (uint32_t)__builtin_ctz(whole << e * c->bytes),
					simt_undefined_past(undefined_info(u, r), lane));
		}
	}
	return computed & a->active;
}

#define COPY_REACH 16 /* instructions between the words of a structure that is copied, */
#define COPY_BYTES 16 /* and how far apart they are */

/* The address of a store as a register and an offset, as far as sums of a few instructions before it tell. */
struct store_address {
	int32_t reg;
	int64_t offset;
};

static struct store_address find_address(const struct code *c, const struct code *first)
{
	struct store_address at = {
		c->instr->operands[0].kind == PTX_MEM_REG ? c->instr->operands[0].index : -1, c->offset};
	const struct code *last = c - first > 2 * COPY_REACH ? c - 2 * COPY_REACH : first;
	while (at.reg >= 0 && c-- > last) {
		const struct ptx_operand *o = c->instr->operands;
		if (!instr_uses_register(c->instr, at.reg, INSTR_WRITES))
			continue;
		if (c->instr->form->op != PTX_OP_ADD_INT || o[1].kind != PTX_REG || o[2].kind != PTX_IMM)
			break;
		at.reg = o[1].index;
		at.offset += o[2].value;
	}
	return at;
}

/* Whether two stores of one line write elements of a structure. */
static bool are_neighbors(const struct machine *m, const struct code *a, const struct code *b, const struct code *first)
{
	if (a == b || instr_kind(b->instr->form) != PTX_KIND_STORE || b->elements ||
		ptx_instr_place(m->program.kernel, (int)a->index).line !=
			ptx_instr_place(m->program.kernel, (int)b->index).line)
		return false;
	struct store_address x = find_address(a, first), y = find_address(b, first);
	int64_t apart = x.offset < y.offset ? y.offset - x.offset : x.offset - y.offset;
	return x.reg >= 0 && x.reg == y.reg && apart < COPY_BYTES && apart;
}

/* The lanes that store something known beside it: a structure, word by word, with padding or a member that nobody has set. */
static uint32_t lanes_of_copy(const struct warp *w, const struct code *c)
{
	const struct code_unit *unit = w->frames.at[w->frame].unit;
	uint32_t lanes = 0, first = unit->first, end = first + (uint32_t)unit->code->n_instrs;
	struct undefined_ref r;
	if (c->elements)
		return 0;
	first = c->index > first + COPY_REACH ? c->index - COPY_REACH : first;
	end = c->index + COPY_REACH < end ? c->index + COPY_REACH : end;
	for (uint32_t i = first; i < end; i++) {
		const struct code *other = &w->m->program.code[i];
		if (are_neighbors(w->m, c, other, &w->m->program.code[unit->first]))
			lanes |= simt_undefined_element(other, 0, 1, &r) ? ~undefined_lanes(undefined_of(w), r)
									 : WARP_FULL_MASK;
	}
	return lanes;
}

/* A store where others see it uses results, and what it stores nothing but: there may be padding in the rest. */
static void use_stored(struct warp *w, const struct code *c, uint32_t computed, const uint16_t bytes[WARP_SIZE])
{
	const struct warp_access *a = &w->m->access;
	struct undefined_registers *u = undefined_of(w);
	struct undefined_ref r;
	uint32_t used = 0;
	for (uint32_t left = a->active; left; left &= left - 1)
		used |= bytes[__builtin_ctz(left)] == (1u << a->width) - 1 ? left & -left : 0;
	used = computed | (used & ~computed ? used & ~lanes_of_copy(w, c) : 0);
	for (int e = 0; u && used && e < c->lanes; e++)
		if (simt_undefined_element(c, e, 1, &r))
			simt_undefined_use(w, c, used, r, UNDEFINED_STORED);
}

void simt_undefined_store(struct warp *w, const struct code *c, uint16_t bytes[WARP_SIZE])
{
	uint32_t computed = stored_bytes(w, c, bytes);
	if (w->m->access.space == SPACE_GLOBAL)
		use_stored(w, c, computed, bytes);
}
