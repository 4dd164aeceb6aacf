/* Loads from surfaces, stores to them, and atomic operations on them: lane by lane to an address in memory, which mem.c
 * checks as that of any other access. */
#include "base/narrow.h"
#include "machine/ptx/ops.h"
#include "machine/simt/code.h"
#include "machine/simt/defect.h"
#include "machine/simt/lanes.h"
#include "machine/simt/machine.h"
#include "machine/simt/mem.h"
#include "machine/simt/texture.h"
#include "machine/simt/warp_state.h"

#define TEXEL_MAX 16 /* bytes of an access */

/* --- where
 * ---------------------------------------------------------------------------------------------------------- */

/* What one instruction does: of each lane its surface, and the address in memory of what it accesses there. */
struct surface_access {
	int operand;       /* that names surface and coordinates, */
	uint32_t elements; /* which come after so many of code.elements */
	uint32_t bytes;    /* of an access; 0: a texel of the surface */
	bool in_texels;    /* x counts texels, not bytes */
	uint32_t lanes;    /* that access memory */
	const struct simt_texture *surface[WARP_SIZE];
	uint64_t address[WARP_SIZE];
};

static int64_t nearest(int64_t at, int64_t last)
{
	return at < 0 ? 0 : at > last ? last : at;
}

/* PTX ISA, suld: outside of the surface .clamp takes what is nearest, and the others nothing. */
static bool place_coordinate(const struct ptx_form *form, int64_t *at, int64_t last)
{
	bool inside = *at >= 0 && *at <= last;
	if (!inside && form->mod[PTX_MOD_OUTSIDE] == PTX_OUTSIDE_CLAMP) {
		*at = nearest(*at, last);
		inside = last >= 0;
	}
	return inside;
}

/* The coordinates of a lane as x in bytes, y, z, and layer. */
static void read_place(struct warp *w, const struct code *c, const struct surface_access *a, int lane, int64_t at[4])
{
	const struct ptx_form *form = c->instr->form;
	uint32_t layered = instr_is_layered(form);

	at[0] = at[1] = at[2] = at[3] = 0;
	for (uint32_t i = 0; i < instr_dimensions(form) + layered; i++) {
		int32_t v = ((const s32 *)lanes_of(w, c->elements[a->elements + i]))[lane];
		if (layered && i == 0)
			at[3] = (uint32_t)v; /* one below zero counts as past the last; verified: H200 */
		else
			at[i - layered] = v;
	}
	if (a->in_texels)
		at[0] *= warp_texel_bytes(&a->surface[lane]->shape);
}

/* Moves coordinates to where the access goes; false: nowhere, they are outside. */
static bool find_place(const struct ptx_form *form, const struct surface_access *a, int lane, int64_t at[4])
{
	const struct warp_texture *t = &a->surface[lane]->shape;
	uint32_t texel = warp_texel_bytes(t), bytes = a->bytes ? a->bytes : texel;
	int64_t row = (int64_t)t->size[0] * texel;
	const int64_t last[] = {row < bytes ? -1 : (row / bytes - 1) * bytes, t->size[1] - 1, t->size[2] - 1};
	bool inside = true;

	for (uint32_t i = 0; i < instr_dimensions(form); i++)
		inside &= place_coordinate(form, &at[i], last[i]);
	return (!instr_is_layered(form) || place_coordinate(form, &at[3], (int64_t)t->layers - 1)) && inside;
}

/* Finds surfaces and addresses; false when a fault ended the run. */
static bool place_lanes(struct warp *w, const struct code *c, uint32_t mask, struct surface_access *a)
{
	enum ptx_kind kind = instr_kind(c->instr->form);
	w->m->access.op = kind == PTX_KIND_SURFACE_LOAD ? ACCESS_LOAD
		: kind == PTX_KIND_SURFACE_STORE        ? ACCESS_STORE
							: ACCESS_ATOMIC;
	w->m->access.space = SPACE_GLOBAL;
	for (uint32_t rest = mask; rest && !w->m->stop; rest &= rest - 1) {
		int lane = __builtin_ctz(rest);
		int64_t at[4];
		uint64_t handle = ((const u64 *)R(a->operand))[lane];
		const struct simt_texture *s = a->surface[lane] = simt_texture_of_lane(w, c, handle, true, lane);
		if (!s)
			continue;
		read_place(w, c, a, lane, at);
		if (a->bytes && at[0] % a->bytes) { /* also where it would be clamped; verified: H200 */
			simt_fault(w, c, (struct fault){.kind = SIMT_MISALIGNED, .lanes = 1u << lane},
				"%.60s at byte %lld of a row, which is not a multiple of %u", c->instr->form->spelling,
				(long long)at[0], a->bytes);
			continue;
		}
		if (!find_place(c->instr->form, a, lane, at)) {
			if (c->instr->form->mod[PTX_MOD_OUTSIDE] == PTX_OUTSIDE_TRAP)
				simt_fault(w, c, (struct fault){.kind = SIMT_OUT_OF_BOUNDS, .lanes = 1u << lane},
					"%.60s outside of the surface, at byte %lld of row %lld%s%lld",
					c->instr->form->spelling, (long long)at[0], (long long)at[1],
					instr_is_layered(c->instr->form) ? " in layer " : " in slice ",
					(long long)(instr_is_layered(c->instr->form) ? at[3] : at[2]));
			continue;
		}
		uint64_t row = ((uint64_t)at[3] * s->shape.size[2] + (uint64_t)at[2]) * s->shape.size[1] +
			(uint64_t)at[1];
		a->address[lane] = s->address + row * warp_texture_row(&s->shape) + (uint64_t)at[0];
		a->lanes |= 1u << lane;
	}
	return !w->m->stop;
}

/* --- the bytes
 * ------------------------------------------------------------------------------------------------------ */

static uint32_t access_bytes(const struct surface_access *a, int lane)
{
	return a->bytes ? a->bytes : warp_texel_bytes(&a->surface[lane]->shape);
}

/* Reads or writes the bytes of all lanes, piece by piece. */
static bool move_bytes(
	struct warp *w, const struct code *c, struct surface_access *a, enum access_op op, uint8_t values[][TEXEL_MAX])
{
	for (uint32_t left = a->lanes, lanes; left; left &= ~lanes) {
		/* The lanes whose accesses are as wide as that of the lowest of those left, in pieces as wide: rows lie
		 * one after the other, so more than a texel may begin where no access to memory as wide could. */
		int first = __builtin_ctz(left);
		uint32_t bytes = access_bytes(a, first), texel = warp_texel_bytes(&a->surface[first]->shape);
		uint32_t piece = bytes < texel ? bytes : texel, n = bytes / piece;
		lanes = 0;
		for (uint32_t rest = left; rest; rest &= rest - 1) {
			int i = __builtin_ctz(rest);
			bool alike = access_bytes(a, i) == bytes && warp_texel_bytes(&a->surface[i]->shape) == texel;
			lanes |= alike ? 1u << i : 0;
		}

		for (uint32_t p = 0; p < n; p++) {
			for (uint32_t rest = lanes; rest; rest &= rest - 1)
				w->m->access.address[__builtin_ctz(rest)] = a->address[__builtin_ctz(rest)] +
					(uint64_t)p * piece;
			if (!simt_mem_access_at(w, c, lanes, op, piece))
				return false;
			for (uint32_t rest = lanes; rest; rest &= rest - 1) {
				int i = __builtin_ctz(rest);
				if (op == ACCESS_LOAD)
					simt_mem_read_bytes(values[i] + p * piece, w->m->host.at[i], piece);
				else
					simt_mem_write_bytes(w->m->host.at[i], values[i] + p * piece, piece);
			}
		}
	}
	return true;
}

/* Element `e` of the register or the vector that is operand `n`, whose registers are `*slot` bytes wide. */
static uint8_t *element(struct warp *w, const struct code *c, int n, uint32_t first, uint32_t e, uint32_t *slot)
{
	const struct ptx_operand *o = &c->instr->operands[n];
	const struct ptx_operand *of = o->kind == PTX_VECTOR ? &o->elements[e] : o;
	enum ptx_type type = form_type(c->instr);
	*slot = ptx_slot_bytes(type);
	if (of->kind == PTX_REG)
		*slot = ptx_slot_bytes(w->frames.at[w->frame].unit->code->regs[of->index].type);
	return o->kind == PTX_VECTOR ? lanes_of(w, c->elements[first + e]) : R(n);
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

EXEC(load)
{
	uint32_t elements = c->instr->operands[0].kind == PTX_VECTOR ? instr_vector(c->instr->form) : 0, slot;
	struct surface_access a = {
		.operand = 1, .elements = elements, .bytes = c->bytes * instr_vector(c->instr->form)};
	uint8_t values[WARP_SIZE][TEXEL_MAX] = {0};
	if (!place_lanes(w, c, mask, &a) || !move_bytes(w, c, &a, ACCESS_LOAD, values))
		return;
	for (uint32_t e = 0; e < instr_vector(c->instr->form); e++) {
		if (c->instr->operands[0].kind == PTX_SINK)
			continue;
		uint8_t *d = element(w, c, 0, 0, e, &slot);
		for (uint32_t rest = mask; rest; rest &= rest - 1) {
			int i = __builtin_ctz(rest);
			memset(d + (size_t)i * slot, 0, slot);
			memcpy(d + (size_t)i * slot, values[i] + e * c->bytes, smaller(slot, c->bytes));
		}
	}
}
PICK_ALWAYS(surface_load, load)

EXEC(store)
{
	uint32_t coordinates = instr_coordinates(c->instr->form), slot;
	struct surface_access a = {.operand = 0, .bytes = c->bytes * instr_vector(c->instr->form)};
	uint8_t values[WARP_SIZE][TEXEL_MAX] = {0};
	for (uint32_t e = 0; e < instr_vector(c->instr->form); e++) {
		const uint8_t *v = element(w, c, 1, coordinates, e, &slot);
		for (uint32_t rest = mask; rest; rest &= rest - 1) {
			int i = __builtin_ctz(rest);
			memcpy(values[i] + e * c->bytes, v + (size_t)i * slot, smaller(slot, c->bytes));
		}
	}
	if (place_lanes(w, c, mask, &a))
		move_bytes(w, c, &a, ACCESS_STORE, values);
}
PICK_ALWAYS(surface_store, store)

/* --- texels
 * --------------------------------------------------------------------------------------------------------- */

/* PTX ISA, sust.p: the source is a float or an integer as the surface holds, converted to what it holds. Integers are
 * clamped: assumed, and not verified on a GPU. */
static uint32_t to_channel(const struct warp_texture *t, uint32_t v)
{
	if (t->bytes == 4)
		return v;
	if (t->kind == 'F')
		return narrow_encode(narrow_float_to_double(v), &narrow_half, NARROW_NEAREST);
	uint32_t bits = 8u * t->bytes, most = (1u << (bits - (t->kind == 'S'))) - 1;
	if (t->kind == 'U')
		return smaller(v, most);
	int64_t whole = nearest((int64_t)(int32_t)v + most + 1, 2 * (int64_t)most + 1) - most - 1;
	return (uint32_t)whole & ((1u << bits) - 1);
}

/* PTX ISA, sust.p: channels that the surface has and the vector does not are unpredictable; here they are 0. */
EXEC(store_texel)
{
	uint32_t coordinates = instr_coordinates(c->instr->form), slot;
	struct surface_access a = {.operand = 0, .in_texels = true};
	uint8_t values[WARP_SIZE][TEXEL_MAX] = {0};
	if (!place_lanes(w, c, mask, &a))
		return;
	for (uint32_t e = 0; e < instr_vector(c->instr->form); e++) {
		const uint8_t *v = element(w, c, 1, coordinates, e, &slot);
		for (uint32_t rest = a.lanes; rest; rest &= rest - 1) {
			int i = __builtin_ctz(rest);
			const struct warp_texture *t = &a.surface[i]->shape;
			uint32_t channel = to_channel(t, ((const u32 *)v)[i]);
			if (e < t->channels)
				memcpy(values[i] + (size_t)e * t->bytes, &channel, t->bytes);
		}
	}
	move_bytes(w, c, &a, ACCESS_STORE, values);
}
PICK_ALWAYS(surface_store_texel, store_texel)

/* --- atomic operations
 * ---------------------------------------------------------------------------------------------- */

/* The lanes one after the other, each in one access: what it works on is as wide as a texel, or narrower. */
EXEC(reduce)
{
	struct surface_access a = {.operand = 0, .bytes = c->bytes, .in_texels = c->instr->form->op == PTX_OP_SURED_P};
	const uint8_t *b = R(1);
	if (!place_lanes(w, c, mask, &a) || !a.lanes)
		return;
	memcpy(w->m->access.address, a.address, sizeof a.address);
	if (!simt_mem_access_at(w, c, a.lanes, ACCESS_ATOMIC, c->bytes))
		return;
	for (uint32_t rest = a.lanes; rest; rest &= rest - 1) {
		int i = __builtin_ctz(rest);
		uint64_t old = 0, value = 0;
		simt_mem_read_bytes(&old, w->m->host.at[i], c->bytes);
		memcpy(&value, b + (size_t)i * c->bytes, c->bytes);

		/* PTX ISA, sured.p: .b32 are integers of the surface's kind. */
		const struct ptx_form *form = c->instr->form;
		uint8_t kind = (uint8_t)(form->op == PTX_OP_SURED_P ? a.surface[i]->shape.kind
								    : ptx_type_kind(form_type(c->instr)));
		bool less = old < value;
		if (kind == 'S')
			less = c->bytes == 4 ? (int32_t)old < (int32_t)value : (int64_t)old < (int64_t)value;
		switch (form->mod[PTX_MOD_ATOM]) {
		case PTX_ATOM_ADD: value = old + value; break;
		case PTX_ATOM_MIN: value = less ? old : value; break;
		case PTX_ATOM_MAX: value = less ? value : old; break;
		case PTX_ATOM_AND: value = old & value; break;
		default: value = old | value; break;
		}
		simt_mem_write_bytes(w->m->host.at[i], &value, c->bytes);
	}
	w->m->turns.changes++;
}
PICK_ALWAYS(surface_reduce, reduce)
