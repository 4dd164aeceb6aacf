/* Loads, stores, and conversions between address spaces. */
#include <assert.h>

#include "machine/ptx/ops.h"
#include "machine/simt/async.h"
#include "machine/simt/code.h"
#include "machine/simt/float.h"
#include "machine/simt/lanes.h"
#include "machine/simt/machine.h"
#include "machine/simt/mem.h"
#include "machine/simt/memory.h"
#include "machine/simt/run.h"
#include "machine/simt/warp_state.h"

/* --- loads and stores --------------------------------------------------------------------------------------------- */

#if defined(__clang__)
#define UNROLLED _Pragma("clang loop unroll_count(8)")
#else
#define UNROLLED _Pragma("GCC ivdep") _Pragma("GCC unroll 8")
#endif

/* Whether each half of the warp reads one element, or adjacent ones, which then go into the register as one. Those that
 * are to be seen in an order are read one by one. */
static inline bool loads_by_halves(const struct warp *w, const struct code *c)
{
	static_assert(HALF_SAME == 1 && HALF_ADJACENT == 2, "the two that are known are neighbors");
	const uint8_t *half = w->m->access.half; /* of less than a full warp it is HALF_UNKNOWN */
	return ((half[0] - 1u) | (half[1] - 1u)) <= 1 && !(c->flags & CODE_STRONG) && !c->elements;
}

static inline struct mem_half half_of(const struct machine *m, int half)
{
	return (struct mem_half){(const uint8_t *)(uintptr_t)(m->access.address[half * WARP_HALF_SIZE] + m->host.bias),
		m->access.half[half] == HALF_ADJACENT};
}

/* Where another core may write the bytes meanwhile, element by element: SIMT_MEM_GET. */
#define LOAD_HALF(T)                                                                                                   \
	static inline void load_half_##T(struct mem_half half, T *to, bool alone)                                      \
	{                                                                                                              \
		if (half.adjacent && alone) {                                                                          \
			memcpy(to, half.from, WARP_HALF_SIZE * sizeof *to);                                            \
		} else if (half.adjacent) {                                                                            \
			UNROLLED                                                                                       \
			for (int i = 0; i < WARP_HALF_SIZE; i++)                                                       \
				to[i] = SIMT_MEM_GET((const T *)half.from + i);                                        \
		} else {                                                                                               \
			T one = SIMT_MEM_GET((const T *)half.from);                                                    \
			for (int i = 0; i < WARP_HALF_SIZE; i++)                                                       \
				to[i] = one;                                                                           \
		}                                                                                                      \
	}
LOAD_HALF(u8)
LOAD_HALF(s8)
LOAD_HALF(u16)
LOAD_HALF(s16)
LOAD_HALF(u32)
LOAD_HALF(s32)
LOAD_HALF(u64)

/* Registers may be wider than what is loaded: signed values are extended by their sign, others by zero. */
#define LOAD(name, MEM, REG)                                                                                           \
	EXEC(name)                                                                                                     \
	{                                                                                                              \
		const struct machine *m = w->m;                                                                        \
		struct mem_half half[WARP_HALVES];                                                                     \
		bool whole = sizeof(MEM) == sizeof(REG),                                                               \
		     quick = whole && mask == WARP_FULL_MASK && simt_mem_find_halves(w, c, half);                      \
		if (!quick && !simt_mem_reach(w, c, mask, ACCESS_LOAD))                                                \
			return;                                                                                        \
		if (quick || (whole && loads_by_halves(w, c))) {                                                       \
			load_half_##MEM(quick ? half[0] : half_of(m, 0), R(0), !m->worker);                            \
			load_half_##MEM(quick ? half[1] : half_of(m, 1), (MEM *)R(0) + WARP_HALF_SIZE, !m->worker);    \
			return;                                                                                        \
		}                                                                                                      \
		const uint64_t bias = m->host.bias, *address = m->access.address;                                      \
		for (int e = 0; e < c->lanes; e++) {                                                                   \
			REG *d = c->elements ? lanes_of(w, c->elements[e]) : R(0);                                     \
			if (m->host.together && mask == WARP_FULL_MASK) {                                              \
				UNROLLED                                                                               \
				for (int i = 0; i < WARP_SIZE; i++)                                                    \
					d[i] = (REG)SIMT_MEM_GET((MEM *)(uintptr_t)(address[i] + bias) + e);           \
			} else if (m->host.together)                                                                   \
				FOR_LANES(mask, d[i] = (REG)SIMT_MEM_GET((MEM *)(uintptr_t)(address[i] + bias) + e));  \
			else                                                                                           \
				FOR_LANES(mask, d[i] = (REG)SIMT_MEM_GET((MEM *)m->host.at[i] + e));                   \
		}                                                                                                      \
	}
#define STORE(name, MEM, REG)                                                                                          \
	EXEC(name)                                                                                                     \
	{                                                                                                              \
		const struct machine *m = w->m;                                                                        \
		if (!simt_mem_reach(w, c, mask, ACCESS_STORE))                                                         \
			return;                                                                                        \
		for (int e = 0; e < c->lanes; e++) {                                                                   \
			const REG *v = c->elements ? lanes_of(w, c->elements[e]) : R(1);                               \
			for (uint32_t rest = mask; rest; rest &= rest - 1) {                                           \
				int i = __builtin_ctz(rest);                                                           \
				SIMT_MEM_PUT((MEM *)simt_mem_lane(m, i) + e, (MEM)v[i]);                               \
			}                                                                                              \
		}                                                                                                      \
	}

LOAD(ld_u8_16, u8, u16)
LOAD(ld_u8_32, u8, u32)
LOAD(ld_u8_64, u8, u64)
LOAD(ld_s8_16, s8, s16)
LOAD(ld_s8_32, s8, s32)
LOAD(ld_s8_64, s8, s64)
LOAD(ld_u16_16, u16, u16)
LOAD(ld_u16_32, u16, u32)
LOAD(ld_u16_64, u16, u64)
LOAD(ld_s16_32, s16, s32)
LOAD(ld_s16_64, s16, s64)
LOAD(ld_u32_32, u32, u32)
LOAD(ld_u32_64, u32, u64)
LOAD(ld_s32_64, s32, s64)
LOAD(ld_u64_64, u64, u64)

STORE(st_8_16, u8, u16)
STORE(st_8_32, u8, u32)
STORE(st_8_64, u8, u64)
STORE(st_16_16, u16, u16)
STORE(st_16_32, u16, u32)
STORE(st_16_64, u16, u64)
STORE(st_32_32, u32, u32)
STORE(st_32_64, u32, u64)
STORE(st_64_64, u64, u64)

/* Tables by log2 of the bytes in memory and of the register's. */
static int log2_bytes(uint32_t bytes)
{
	return bytes ? __builtin_ctz(bytes) : 0;
}

exec_fn *simt_pick_mem_ld(const struct code *c)
{
	static exec_fn *const plain[4][4] = {
		{NULL, ld_u8_16, ld_u8_32, ld_u8_64},
		{NULL, ld_u16_16, ld_u16_32, ld_u16_64},
		{NULL, NULL, ld_u32_32, ld_u32_64},
		{NULL, NULL, NULL, ld_u64_64},
	};
	static exec_fn *const with_sign[4][4] = {
		{NULL, ld_s8_16, ld_s8_32, ld_s8_64},
		{NULL, ld_u16_16, ld_s16_32, ld_s16_64},
		{NULL, NULL, ld_u32_32, ld_s32_64},
		{NULL, NULL, NULL, ld_u64_64},
	};
	bool is_signed = ptx_type_kind(form_type(c->instr)) == 'S';
	return (is_signed ? with_sign : plain)[log2_bytes(c->bytes)][log2_bytes(c->slot[0])];
}

exec_fn *simt_pick_mem_st(const struct code *c)
{
	static exec_fn *const by_bytes[4][4] = {
		{NULL, st_8_16, st_8_32, st_8_64},
		{NULL, st_16_16, st_16_32, st_16_64},
		{NULL, NULL, st_32_32, st_32_64},
		{NULL, NULL, NULL, st_64_64},
	};
	return by_bytes[log2_bytes(c->bytes)][log2_bytes(c->slot[0])];
}

EXEC(policy)
{
	u64 *d = R(0);
	FOR_LANES(mask, d[i] = 0);
}
PICK_ALWAYS(mem_policy, policy)

/* --- address spaces ----------------------------------------------------------------------------------------------- */

static uint64_t window_of(const struct code *c)
{
	static const uint64_t windows[] = {
		[SPACE_GENERIC] = 0,
		[SPACE_GLOBAL] = 0,
		[SPACE_SHARED] = SHARED_WINDOW,
		[SPACE_LOCAL] = LOCAL_WINDOW,
		[SPACE_CONST] = CONST_WINDOW,
		[SPACE_PARAM] = PARAM_WINDOW,
	};
	return windows[ptx_form_space(c->instr->form)];
}

EXEC(cvta)
{
	u64 *d = R(0);
	const u64 *a = R(1);
	uint64_t window = window_of(c);
	FOR_LANES(mask, d[i] = a[i] + window);
}

EXEC(cvta_to)
{
	u64 *d = R(0);
	const u64 *a = R(1);
	uint64_t window = window_of(c);
	FOR_LANES(mask, d[i] = a[i] - window);
}

EXEC(cvta_frame)
{
	u64 *d = R(0);
	uint64_t address = w->local_base + (uint64_t)c->offset + window_of(c);
	FOR_LANES(mask, d[i] = address);
}

exec_fn *simt_pick_mem_cvta(const struct code *c)
{
	return c->bytes != 8 ? NULL : c->flags & CODE_FRAME ? cvta_frame : cvta;
}

PICK_IF(mem_cvta_to, cvta_to, c->bytes == 8 && !(c->flags & CODE_FRAME))

EXEC(isspacep)
{
	static const uint64_t windows[] = {
		[PTX_OP_ISSPACEP_SHARED - PTX_OP_ISSPACEP_GLOBAL] = SHARED_WINDOW,
		[PTX_OP_ISSPACEP_CLUSTER - PTX_OP_ISSPACEP_GLOBAL] = SHARED_WINDOW,
		[PTX_OP_ISSPACEP_LOCAL - PTX_OP_ISSPACEP_GLOBAL] = LOCAL_WINDOW,
		[PTX_OP_ISSPACEP_CONST - PTX_OP_ISSPACEP_GLOBAL] = CONST_WINDOW,
		[PTX_OP_ISSPACEP_PARAM - PTX_OP_ISSPACEP_GLOBAL] = PARAM_WINDOW,
	};
	u64 a[WARP_SIZE];
	uint64_t window = windows[c->instr->form->op - PTX_OP_ISSPACEP_GLOBAL];
	uint64_t size = window == SHARED_WINDOW && c->instr->form->op != PTX_OP_ISSPACEP_CLUSTER ? CLUSTER_OFFSET + 1
												 : WINDOW_SIZE;
	for (int i = 0; i < WARP_SIZE; i++)
		a[i] = c->slot[1] == 8 ? ((const u64 *)R(1))[i] : ((const u32 *)R(1))[i];
	uint32_t found = LANES_WHERE(window ? a[i] - window < size : a[i] < PARAM_WINDOW);
	set_pred(R(0), mask, found);
}
PICK_ALWAYS(mem_isspacep, isspacep)

/* --- atomic operations: the lanes one after the other, lowest first ----------------------------------------------- */

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

/* PTX ISA, atom: .add.f32 flushes subnormals on global memory and keeps them on shared memory, whatever is asked. Bulk
 * reductions keep them there, too. Verified: H200, tests/ptx/async-bulk-reduce.ptx. */
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

	/* The unit that adds in global memory leaves a NaN as it is, the operand's before memory's; in shared memory it
	 * is an addition, memory's before the operand's. Verified: CC 9.0 (H200), tests/gpu/validate.sh. */
	double a, b;
	if (ftz && (is_nan64(x) || is_nan64(y)))
		return is_nan64(y) ? y : x;
	memcpy(&a, &x, 8);
	memcpy(&b, &y, 8);
	a = with_nan2(a + b, a, b);
	memcpy(&x, &a, 8);
	return x;
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

/* Puts `fresh` where `*old` is, as one step to other cores. False: something else is there, and in `*old` now. */
static bool exchange(uint8_t *at, uint64_t *old, uint64_t fresh, uint32_t bytes)
{
	if (bytes == 8)
		return __atomic_compare_exchange_n(
			(uint64_t *)(void *)at, old, fresh, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	uint32_t was = (uint32_t)*old;
	bool done = __atomic_compare_exchange_n(
		(uint32_t *)(void *)at, &was, (uint32_t)fresh, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	*old = was;
	return done;
}

/* Operand `first` holds the value; the old one goes to `d`, if there is one. */
static void atomic(struct warp *w, const struct code *c, uint32_t mask, uint8_t *d, int first)
{
	uint32_t bytes = c->bytes;
	const uint8_t *b = R(first), *other = c->instr->n > first + 1 ? R(first + 1) : b;

	if (!simt_mem_access(w, c, mask, ACCESS_ATOMIC))
		return;
	/* Other cores may add to it meanwhile: integers of 4 or 8 bytes. Of generic addresses in several spaces, the
	 * last access is not all there is. */
	bool in_global = w->m->access.space == SPACE_GLOBAL || w->m->access.active != mask;
	bool shared_sum = w->m->worker && c->flags & CODE_COMMUTES && in_global;
	uint64_t changes = w->m->turns.changes;
	const struct change change = change_of(c->instr->form);
	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		int i = __builtin_ctz(rest);
		uint8_t *at = w->m->host.at[i];
		uint64_t old = simt_mem_get(at, bytes), fresh;
		bool ftz = change.is_float && !simt_cluster_of_host(w->m, at);
		bool done = false;
		if (shared_sum && (uintptr_t)at % bytes && !simt_team_alone(w->m))
			return;
		do {
			fresh = apply(&change, ftz, old, get(b + (size_t)i * bytes, bytes),
				get(other + (size_t)i * bytes, bytes));
			done = !shared_sum || exchange(at, &old, fresh, bytes);
		} while (!done);
		if (!shared_sum)
			simt_mem_put(at, fresh, bytes);
		w->m->turns.changes += fresh != old;
		if (d)
			memcpy(d + (size_t)i * bytes, &old, bytes);
	}
	if (w->m->turns.changes == changes)
		simt_block_poll(w, c);
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

EXEC(atom)
{
	atomic(w, c, mask, R(0), 2);
}
PICK_ALWAYS(mem_atom, atom)

EXEC(red)
{
	atomic(w, c, mask, NULL, 1);
}
PICK_ALWAYS(mem_red, red)

/* The smaller or the larger half, as min and max of the type choose it: a number before a NaN, and -0 before +0. That
 * atomics do so, too, was not verified on a GPU. */
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

/* PTX ISA, atom: each element is atomic, the vector is not. The old values, where there are any, come before the
 * new. */
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
		simt_block_poll(w, c);
}
PICK_ALWAYS(mem_atom_pair, atom_pair)

exec_fn *simt_pick_mem_atom_vec(const struct code *c)
{
	enum mem_space space = ptx_form_space(c->instr->form);
	bool in_global = space == SPACE_GLOBAL || space == SPACE_GENERIC;
	return in_global && c->n_elements ? atom_vec : NULL;
}
