/* Atomic operations: the lanes one after the other, lowest first. */

#include "machine/simt/async.h"
#include "machine/simt/block.h"
#include "machine/simt/cluster.h"
#include "machine/simt/code.h"
#include "machine/simt/float.h"
#include "machine/simt/lanes.h"
#include "machine/simt/machine.h"
#include "machine/simt/mem.h"
#include "machine/simt/narrow.h"
#include "machine/simt/team.h"
#include "machine/simt/warp_state.h"

static inline int64_t signed_word(uint64_t v, uint32_t bytes)
{
	return bytes == 4 ? (int32_t)v : (int64_t)v;
}

static uint64_t add_half(enum ptx_type type, uint64_t x, uint64_t y)
{
	double sum = simt_narrow_sum(
		simt_narrow_to_double((uint32_t)x & 0xFFFF, type), simt_narrow_to_double((uint32_t)y & 0xFFFF, type));
	return simt_narrow_from_double(sum, type, PTX_RND_RN);
}

static bool is_nan64(uint64_t bits)
{
	return (bits & ~(1ull << 63)) > 0x7FF0000000000000;
}

/* The unit that adds in global memory leaves a NaN as it is, the operand's before memory's; in shared memory it is an
 * addition, memory's before the operand's. Verified: CC 9.0 (H200), tests/gpu/validate.sh. */
static uint64_t add_doubles(bool in_global, uint64_t x, uint64_t y)
{
	double a, b;
	if (in_global && (is_nan64(x) || is_nan64(y)))
		return is_nan64(y) ? y : x;
	memcpy(&a, &x, 8);
	memcpy(&b, &y, 8);
	a = with_nan2(a + b, a, b);
	memcpy(&x, &a, 8);
	return x;
}

/* PTX ISA, atom: .add.f32 flushes subnormals on global memory and keeps them on shared memory, whatever is asked. Bulk reductions
 * keep them there, too. Verified: H200, tests/ptx/async-bulk-reduce.ptx. */
static uint64_t add_floats(enum ptx_type type, bool ftz, uint64_t x, uint64_t y)
{
	enum ptx_type element = simt_narrow_element(type);
	if (element != type)
		return add_half(element, x, y) | add_half(element, x >> 16, y >> 16) << 16;
	if (ptx_type_bytes(type) == 2)
		return add_half(type, x, y);
	if (type == PTX_F32) {
		float u = float_of((uint32_t)x), v = float_of((uint32_t)y);
		return bits_of(canonical(ftz ? flush(flush(u) + flush(v)) : u + v));
	}
	return add_doubles(ftz, x, y);
}

/* PTX ISA, min and max of halves: a number before NaN. */
static uint64_t order_halves(enum ptx_type type, bool larger, uint64_t x, uint64_t y)
{
	double a = simt_narrow_to_double((uint32_t)x & 0xFFFF, type),
	       b = simt_narrow_to_double((uint32_t)y & 0xFFFF, type);
	if (a != a || b != b)
		return a != a ? y : x;
	return (larger ? a < b : b < a) ? y : x;
}

/* What an atomic operation does, looked up once for all lanes. */
struct change {
	enum ptx_type type;
	uint32_t bytes;
	uint8_t op;
	bool is_float, is_signed;
};

static struct change change_of(const struct ptx_form *form)
{
	enum ptx_type type = (enum ptx_type)form->type;
	char kind = ptx_type_kind(type);
	return (struct change){type, ptx_type_bytes(type), form->mod[PTX_MOD_ATOM], kind == 'F', kind == 'S'};
}

/* What replaces `old`: PTX ISA, atom. `b` is the operand; .cas stores `other` where old equals it. */
static inline uint64_t apply(const struct change *c, bool ftz, uint64_t old, uint64_t b, uint64_t other)
{
	if (c->op == PTX_ATOM_ADD)
		return c->is_float ? add_floats(c->type, ftz, old, b) : old + b;
	if (c->is_float && c->bytes == 2)
		return order_halves(c->type, c->op == PTX_ATOM_MAX, old, b);
	bool less = c->is_signed ? signed_word(old, c->bytes) < signed_word(b, c->bytes) : old < b;
	switch (c->op) {
	case PTX_ATOM_MIN: return less ? old : b;
	case PTX_ATOM_MAX: return less ? b : old;
	case PTX_ATOM_INC: return old >= b ? 0 : old + 1;
	case PTX_ATOM_DEC: return old == 0 || old > b ? b : old - 1;
	case PTX_ATOM_AND: return old & b;
	case PTX_ATOM_OR: return old | b;
	case PTX_ATOM_XOR: return old ^ b;
	case PTX_ATOM_EXCH: return b;
	default: return old == b ? other : old;
	}
}

static uint64_t get(const void *from, uint32_t bytes)
{
	uint64_t v = 0;
	memcpy(&v, from, bytes); /* little endian */
	return v;
}

/* Operand `first` holds the value; the old one goes to `d`, if there is one. */
static void atomic(struct warp *w, const struct code *c, uint32_t mask, uint8_t *d, int first)
{
	uint32_t bytes = c->bytes;
	const uint8_t *b = R(first), *other = c->instr->n > first + 1 ? R(first + 1) : b;

	if (!simt_mem_access(w, c, mask, ACCESS_ATOMIC))
		return;
	/* Of generic addresses in several spaces, the last access is not all there is. */
	bool in_global = w->m->access.space == SPACE_GLOBAL || w->m->access.active != mask;
	bool shared_sum = w->m->worker && c->flags & CODE_COMMUTES && in_global;
	uint64_t changes = w->m->turns.changes;
	const struct change change = change_of(c->instr->form);
	if (shared_sum)
		simt_team_enter(w->m);
	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		int i = __builtin_ctz(rest);
		uint8_t *at = w->m->host.at[i];
		uint64_t old = simt_mem_get(at, bytes);
		bool ftz = change.is_float && !simt_cluster_of_host(w->m, at);
		uint64_t fresh = apply(
			&change, ftz, old, get(b + (size_t)i * bytes, bytes), get(other + (size_t)i * bytes, bytes));
		simt_mem_put(at, fresh, bytes);
		w->m->turns.changes += fresh != old;
		if (d)
			memcpy(d + (size_t)i * bytes, &old, bytes);
	}
	if (shared_sum)
		simt_team_leave(w->m);
	if (w->m->turns.changes == changes)
		simt_block_polls(w, c);
}

bool simt_atomic_element(struct warp *w, const struct code *c, int lane, const struct ptx_form *form, const void *value)
{
	struct machine *m = w->m;
	uint32_t bytes = ptx_type_bytes((enum ptx_type)form->type);
	if (!simt_mem_access_at(w, c, lane_bit[lane], ACCESS_ATOMIC, bytes))
		return false;
	uint64_t old = 0;
	simt_mem_read_bytes(&old, m->host.at[lane], bytes);
	const struct change change = change_of(form);
	uint64_t fresh = apply(&change, false, old, get(value, bytes), 0);
	simt_mem_write_bytes(m->host.at[lane], &fresh, bytes);
	m->turns.changes += fresh != old;
	return true;
}

bool simt_atomic_at(struct warp *w, const struct code *c, int lane, const void *value)
{
	return simt_atomic_element(w, c, lane, c->instr->form, value);
}

EXEC(atom)
{
	atomic(w, c, mask, R(0), 2);
}

EXEC(red)
{
	atomic(w, c, mask, NULL, 1);
}

/* The smaller or the larger half, as min and max of the type choose it: a number before a NaN, and -0 before +0. That atomics do
 * so, too, was not verified on a GPU. */
static uint64_t order_half(enum ptx_type type, bool smaller, uint64_t x, uint64_t y)
{
	uint64_t infinity = type == PTX_F16 ? 0x7C00 : 0x7F80;
	bool x_nan = (x & 0x7FFF) > infinity, y_nan = (y & 0x7FFF) > infinity;
	int64_t a = x & 0x8000 ? -(int64_t)(x & 0x7FFF) - 1 : (int64_t)x;
	int64_t b = y & 0x8000 ? -(int64_t)(y & 0x7FFF) - 1 : (int64_t)y;
	if (x_nan && y_nan)
		return 0x7FFF;
	return y_nan || (!x_nan && (smaller ? a < b : a > b)) ? x : y;
}

/* What replaces an element of a vector. */
static uint64_t change_element(const struct ptx_form *form, uint64_t old, uint64_t value)
{
	enum ptx_type type = (enum ptx_type)form->type, half = simt_narrow_element(type);
	bool smaller = form->mod[PTX_MOD_ATOM] == PTX_ATOM_MIN;
	if (form->mod[PTX_MOD_ATOM] == PTX_ATOM_ADD)
		return add_floats(type, true, old, value);
	uint64_t low = order_half(half, smaller, old & 0xFFFF, value & 0xFFFF);
	return half == type ? low : low | order_half(half, smaller, old >> 16, value >> 16) << 16;
}

/* PTX ISA, atom: each element is atomic, the vector is not. The old values, where there are any, come before the new. */
EXEC(atom_vec)
{
	const struct ref *to = c->elements, *b = c->elements + (c->n_elements - c->lanes);
	if (!simt_mem_access(w, c, mask, ACCESS_ATOMIC))
		return;
	w->m->turns.changes++;
	for (int e = 0; e < c->lanes; e++) {
		const uint8_t *value = lanes_of(w, b[e]);
		uint8_t *d = c->n_elements > c->lanes ? lanes_of(w, to[e]) : NULL;
		for (uint32_t rest = mask; rest; rest &= rest - 1) {
			int i = __builtin_ctz(rest);
			uint8_t *at = w->m->host.at[i] + e * c->bytes;
			uint64_t old = 0;
			simt_mem_read_bytes(&old, at, c->bytes);
			uint64_t fresh = change_element(
				c->instr->form, old, get(value + (size_t)i * c->bytes, c->bytes));
			simt_mem_write_bytes(at, &fresh, c->bytes);
			if (d)
				memcpy(d + (size_t)i * c->bytes, &old, c->bytes);
		}
	}
}

/* The lanes one after the other; a register of 128 bits is two of 64. */
EXEC(atom_pair)
{
	const struct ptx_operand *d = &c->instr->operands[0];
	const struct ref *to = c->elements, *value = c->elements + (d->kind == PTX_VECTOR ? 2 : 0), *other = value + 2;
	bool compares = c->instr->form->mod[PTX_MOD_ATOM] == PTX_ATOM_CAS;
	uint64_t changes = w->m->turns.changes;
	if (!simt_mem_access(w, c, mask, ACCESS_ATOMIC))
		return;
	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		int i = __builtin_ctz(rest);
		uint64_t old[2], given[2], fresh[2];
		simt_mem_read_bytes(old, w->m->host.at[i], sizeof old);
		for (int e = 0; e < 2; e++) {
			given[e] = ((const u64 *)lanes_of(w, value[e]))[i];
			fresh[e] = compares ? ((const u64 *)lanes_of(w, other[e]))[i] : given[e];
		}
		if (!compares || memcmp(old, given, sizeof old) == 0) {
			w->m->turns.changes += memcmp(old, fresh, sizeof old) != 0;
			simt_mem_write_bytes(w->m->host.at[i], fresh, sizeof fresh);
		}
		for (int e = 0; d->kind == PTX_VECTOR && e < 2; e++)
			((u64 *)lanes_of(w, to[e]))[i] = old[e];
	}
	if (w->m->turns.changes == changes)
		simt_block_polls(w, c);
}

exec_fn *simt_pick_mem_atom_pair(const struct code *c)
{
	(void)c;
	return atom_pair;
}

exec_fn *simt_pick_mem_atom_vec(const struct code *c)
{
	enum mem_space space = ptx_form_space(c->instr->form);
	bool in_global = space == SPACE_GLOBAL || space == SPACE_GENERIC;
	return in_global && c->n_elements ? atom_vec : NULL;
}

exec_fn *simt_pick_mem_atom(const struct code *c)
{
	(void)c;
	return atom;
}

exec_fn *simt_pick_mem_red(const struct code *c)
{
	(void)c;
	return red;
}
