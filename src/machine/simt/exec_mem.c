/* Loads, stores, and conversions between address spaces. */

#include <assert.h>

#include "machine/ptx/ops.h"
#include "machine/simt/cluster.h"
#include "machine/simt/code.h"
#include "machine/simt/lanes.h"
#include "machine/simt/machine.h"
#include "machine/simt/mem.h"
#include "machine/simt/memory.h"
#include "machine/simt/warp_state.h"

/* --- loads and stores --------------------------------------------------------------------------------------------- */

#if defined(__clang__)
#define UNROLLED _Pragma("clang loop unroll_count(8)")
#else
#define UNROLLED _Pragma("GCC ivdep") _Pragma("GCC unroll 8")
#endif

/* Whether each half of the warp reads one element, or adjacent ones, which then go into the register as one. Those that are to be seen
 * in an order are read one by one. */
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

exec_fn *simt_pick_mem_policy(const struct code *c)
{
	(void)c;
	return policy;
}

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

exec_fn *simt_pick_mem_cvta_to(const struct code *c)
{
	return c->bytes == 8 && !(c->flags & CODE_FRAME) ? cvta_to : NULL;
}

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

exec_fn *simt_pick_mem_isspacep(const struct code *c)
{
	(void)c;
	return isspacep;
}
