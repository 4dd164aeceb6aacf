/* Logic, shifts and bit fields. */

#include "machine/simt/code.h"
#include "machine/simt/lanes.h"

#define WIDTHS(f)                                                                                                      \
	[PTX_B16] = f##_b16, [PTX_U16] = f##_b16, [PTX_B32] = f##_b32, [PTX_U32] = f##_b32, [PTX_B64] = f##_b64,       \
	[PTX_U64] = f##_b64

/* --- logic, on registers and on predicates ------------------------------------------------------------------------ */

#define LOGIC(name, operator)                                                                                          \
	EXEC2(name##_b16, u16, u16, u16, a[i] operator b[i])                                                           \
	EXEC2(name##_b32, u32, u32, u32, a[i] operator b[i])                                                           \
	EXEC2(name##_b64, u64, u64, u64, a[i] operator b[i])                                                           \
	EXEC(name##_pred)                                                                                              \
	{                                                                                                              \
		set_pred(R(0), mask, *(const u32 *)R(1) operator*(const u32 *) R(2));                                  \
	}                                                                                                              \
	PICK_BY_TYPE(bits_##name, WIDTHS(name), [PTX_PRED] = name##_pred)

LOGIC(and, &)
LOGIC(or, |)
LOGIC(xor, ^)

EXEC1(not_b16, u16, u16, ~a[i])
EXEC1(not_b32, u32, u32, ~a[i])
EXEC1(not_b64, u64, u64, ~a[i])
EXEC(not_pred)
{
	set_pred(R(0), mask, ~*(const u32 *)R(1));
}
PICK_BY_TYPE(bits_not, WIDTHS(not ), [PTX_PRED] = not_pred)

EXEC1(cnot_b16, u16, u16, a[i] == 0)
EXEC1(cnot_b32, u32, u32, a[i] == 0)
EXEC1(cnot_b64, u64, u64, a[i] == 0)
PICK_BY_TYPE(bits_cnot, WIDTHS(cnot))

EXEC(lop3)
{
	u32 *d = R(0);
	const u32 *a = R(1), *b = R(2), *e = R(3), *table = R(4);
	FOR_LANES(mask, {
		uint32_t value = 0;
		for (uint32_t k = 0; k < 8; k++) {
			uint32_t here = (k & 4 ? a[i] : ~a[i]) & (k & 2 ? b[i] : ~b[i]) & (k & 1 ? e[i] : ~e[i]);
			value |= table[i] >> k & 1 ? here : 0;
		}
		d[i] = value;
	});
}
PICK_BY_TYPE(bits_lop3, [PTX_B32] = lop3)

EXEC(lop3_bool)
{
	uint32_t with = get_pred(w, c, 5), found;
	lop3(w, c, mask);
	found = LANES_WHERE(((const u32 *)R(0))[i] != 0);
	set_second(w, c, mask, c->instr->form->mod[PTX_MOD_BOOL] == PTX_BOOL_AND ? found & with : found | with);
}

PICK_IF(bits_lop3_bool, lop3_bool, c->instr->form->mod[PTX_MOD_BOOL] != PTX_BOOL_XOR)

/* --- shifts: counts past the width shift everything out
 * ------------------------------------------------------------ */

EXEC2(shl_b16, u16, u16, u32, b[i] < 16 ? (uint32_t)a[i] << b[i] : 0)
EXEC2(shl_b32, u32, u32, u32, b[i] < 32 ? a[i] << b[i] : 0)
EXEC2(shl_b64, u64, u64, u32, b[i] < 64 ? a[i] << b[i] : 0)
PICK_BY_TYPE(bits_shl, WIDTHS(shl))

EXEC2(shr_b16, u16, u16, u32, b[i] < 16 ? a[i] >> b[i] : 0)
EXEC2(shr_b32, u32, u32, u32, b[i] < 32 ? a[i] >> b[i] : 0)
EXEC2(shr_b64, u64, u64, u32, b[i] < 64 ? a[i] >> b[i] : 0)
EXEC2(shr_s16, s16, s16, u32, a[i] >> (b[i] < 16 ? b[i] : 15))
EXEC2(shr_s32, s32, s32, u32, a[i] >> (b[i] < 32 ? b[i] : 31))
EXEC2(shr_s64, s64, s64, u32, a[i] >> (b[i] < 64 ? b[i] : 63))
PICK_BY_TYPE(bits_shr, WIDTHS(shr), [PTX_S16] = shr_s16, [PTX_S32] = shr_s32, [PTX_S64] = shr_s64)

#define FUNNEL(low, high) ((uint64_t)(high) << 32 | (low))
#define CLAMPED(n) ((n) < 32 ? (n) : 32)
EXEC3(shf_l_clamp, u32, u32, u32, u32, c_[i] < 32 ? FUNNEL(a[i], b[i]) << c_[i] >> 32 : a[i])
EXEC3(shf_l_wrap, u32, u32, u32, u32, FUNNEL(a[i], b[i]) << (c_[i] & 31) >> 32)
EXEC3(shf_r_clamp, u32, u32, u32, u32, FUNNEL(a[i], b[i]) >> CLAMPED(c_[i]))
EXEC3(shf_r_wrap, u32, u32, u32, u32, FUNNEL(a[i], b[i]) >> (c_[i] & 31))

exec_fn *simt_pick_bits_shf_l(const struct code *c)
{
	return c->instr->form->mod[PTX_MOD_WRAP] == PTX_WRAP_WRAP ? shf_l_wrap : shf_l_clamp;
}

exec_fn *simt_pick_bits_shf_r(const struct code *c)
{
	return c->instr->form->mod[PTX_MOD_WRAP] == PTX_WRAP_WRAP ? shf_r_wrap : shf_r_clamp;
}

/* --- fields ------------------------------------------------------------------------------------------------------- */

/* Position and length of a field: modulo 256, as PTX says, in 32 bits; in 64 bits, where the GPU has no instruction and
 * shifts instead, they are not cut, so that 256 is past the end. Verified: CC 9.0 (H200), tests/gpu/fixtures.sh. */
static inline uint32_t field_operand(uint32_t n, uint32_t width)
{
	return width == 32 ? n & 0xFF : n < 0xFF ? n : 0xFF;
}

/* The field of `v`, sign bit of the field (or of the word, where the field reaches past it) copied up for signed
 * ones. */
static inline uint64_t extract(uint64_t v, uint32_t position, uint32_t length, uint32_t width, bool is_signed)
{
	uint32_t pos = field_operand(position, width), len = field_operand(length, width);
	uint32_t top = pos + len - 1 < width - 1 ? pos + len - 1 : width - 1;
	uint64_t sign = is_signed && len ? v >> top & 1 : 0;
	uint64_t field = pos < width ? v >> pos : 0;
	uint32_t have = pos >= width ? 0 : len < width - pos ? len : width - pos; /* bits that come from v */
	uint64_t kept = have >= 64 ? ~0ull : (1ull << have) - 1;
	return sign ? field | ~kept : field & kept;
}

EXEC3(bfe_u32, u32, u32, u32, u32, extract(a[i], b[i], c_[i], 32, false))
EXEC3(bfe_s32, u32, u32, u32, u32, extract(a[i], b[i], c_[i], 32, true))
EXEC3(bfe_u64, u64, u64, u32, u32, extract(a[i], b[i], c_[i], 64, false))
EXEC3(bfe_s64, u64, u64, u32, u32, extract(a[i], b[i], c_[i], 64, true))
PICK_BY_TYPE(bits_bfe, [PTX_U32] = bfe_u32, [PTX_S32] = bfe_s32, [PTX_U64] = bfe_u64, [PTX_S64] = bfe_s64)

static inline uint64_t insert(uint64_t field, uint64_t into, uint32_t position, uint32_t length, uint32_t width)
{
	uint32_t pos = field_operand(position, width), len = field_operand(length, width);
	if (pos >= width || !len)
		return into;
	uint64_t bits = (len >= 64 ? ~0ull : (1ull << len) - 1) << pos;
	return (into & ~bits) | (field << pos & bits);
}

#define BFI(T, width)                                                                                                  \
	EXEC(bfi_b##width)                                                                                             \
	{                                                                                                              \
		T *d = R(0);                                                                                           \
		const T *a = R(1), *b = R(2);                                                                          \
		const u32 *position = R(3), *length = R(4);                                                            \
		FOR_LANES(mask, d[i] = (T)insert(a[i], b[i], position[i], length[i], width));                          \
	}
BFI(u32, 32)
BFI(u64, 64)
PICK_BY_TYPE(bits_bfi, [PTX_B32] = bfi_b32, [PTX_B64] = bfi_b64)

/* PTX ISA, bmsk: a mask whose first bit is past the word is empty, one that reaches past it fills it to its end. */
static inline uint32_t mask_of(uint32_t at, uint32_t length, bool clamp)
{
	if (clamp && at >= 32)
		return 0;
	uint32_t end = clamp && length >= 32 ? 32 : (at & 31) + (length & 31);
	uint32_t above = end >= 32 ? 0 : UINT32_MAX << end;
	return UINT32_MAX << (at & 31) & ~above;
}

EXEC2(bmsk_clamp, u32, u32, u32, mask_of(a[i], b[i], true))
EXEC2(bmsk_wrap, u32, u32, u32, mask_of(a[i], b[i], false))

exec_fn *simt_pick_bits_bmsk(const struct code *c)
{
	return c->instr->form->mod[PTX_MOD_WRAP] == PTX_WRAP_WRAP ? bmsk_wrap : bmsk_clamp;
}

static inline uint32_t extend(uint32_t v, uint32_t length, bool clamp, bool is_signed)
{
	if (clamp && length >= 32)
		return v;
	length &= 31;
	if (!length)
		return 0;
	uint32_t kept = v << (32 - length);
	return is_signed ? (uint32_t)((int32_t)kept >> (32 - length)) : kept >> (32 - length);
}

EXEC(szext)
{
	bool clamp = c->instr->form->mod[PTX_MOD_WRAP] == PTX_WRAP_CLAMP, is_signed = form_type(c->instr) == PTX_S32;
	u32 *d = R(0);
	const u32 *a = R(1), *b = R(2);
	FOR_LANES(mask, d[i] = extend(a[i], b[i], clamp, is_signed));
}
PICK_ALWAYS(bits_szext, szext)

/* PTX ISA, fns: the n-th set bit from `base` on, upwards or, for negative n, downwards; with 0 the bit at `base`
 * itself. The most negative n gives 0. Verified: CC 9.0 (H200), tests/gpu/validate.sh. */
static inline uint32_t nth_set(uint32_t bits, uint32_t base, int32_t n)
{
	if (base > 31)
		return UINT32_MAX;
	if (n == INT32_MIN)
		return 0;
	if (n == 0)
		return bits >> base & 1 ? base : UINT32_MAX;
	uint32_t left = n < 0 ? 0 - (uint32_t)n : (uint32_t)n;
	for (uint32_t at = base; at < 32; at += n < 0 ? UINT32_MAX : 1) {
		if (bits >> at & 1 && !--left)
			return at;
	}
	return UINT32_MAX;
}

EXEC3(fns, u32, u32, u32, s32, nth_set(a[i], b[i], c_[i]))

PICK_ALWAYS(bits_fns, fns)

/* --- counting ----------------------------------------------------------------------------------------------------- */

EXEC1(popc_b32, u32, u32, __builtin_popcount(a[i]))
EXEC1(popc_b64, u32, u64, __builtin_popcountll(a[i]))
PICK_BY_TYPE(bits_popc, [PTX_B32] = popc_b32, [PTX_B64] = popc_b64)

EXEC1(clz_b32, u32, u32, a[i] ? __builtin_clz(a[i]) : 32)
EXEC1(clz_b64, u32, u64, a[i] ? __builtin_clzll(a[i]) : 64)
PICK_BY_TYPE(bits_clz, [PTX_B32] = clz_b32, [PTX_B64] = clz_b64)

static inline uint64_t reverse(uint64_t v)
{
	v = (v >> 1 & 0x5555555555555555) | (v & 0x5555555555555555) << 1;
	v = (v >> 2 & 0x3333333333333333) | (v & 0x3333333333333333) << 2;
	v = (v >> 4 & 0x0F0F0F0F0F0F0F0F) | (v & 0x0F0F0F0F0F0F0F0F) << 4;
	return __builtin_bswap64(v);
}

EXEC1(brev_b32, u32, u32, reverse(a[i]) >> 32)
EXEC1(brev_b64, u64, u64, reverse(a[i]))
PICK_BY_TYPE(bits_brev, [PTX_B32] = brev_b32, [PTX_B64] = brev_b64)

/* Where the highest bit is that differs from the sign, or with .shiftamt how far it is from the top; all ones:
 * nowhere. */
static inline uint32_t highest(uint64_t v, bool negative, uint32_t width, bool distance)
{
	if (negative)
		v = ~v & (width == 64 ? ~0ull : (1ull << width) - 1);
	if (!v)
		return UINT32_MAX;
	uint32_t at = 63 - (uint32_t)__builtin_clzll(v);
	return distance ? width - 1 - at : at;
}

#define BFIND(name, T, width, negative)                                                                                \
	EXEC1(name, u32, T, highest((uint64_t)a[i], negative, width, false))                                           \
	EXEC1(name##_amt, u32, T, highest((uint64_t)a[i], negative, width, true))
BFIND(bfind_u32, u32, 32, false)
BFIND(bfind_s32, u32, 32, a[i] >> 31)
BFIND(bfind_u64, u64, 64, false)
BFIND(bfind_s64, u64, 64, a[i] >> 63)

exec_fn *simt_pick_bits_bfind(const struct code *c)
{
	static exec_fn *const plain[PTX_TYPES] = {
		[PTX_U32] = bfind_u32,
		[PTX_S32] = bfind_s32,
		[PTX_U64] = bfind_u64,
		[PTX_S64] = bfind_s64,
	};
	static exec_fn *const amount[PTX_TYPES] = {
		[PTX_U32] = bfind_u32_amt,
		[PTX_S32] = bfind_s32_amt,
		[PTX_U64] = bfind_u64_amt,
		[PTX_S64] = bfind_s64_amt,
	};
	return (c->instr->form->mod[PTX_MOD_SHIFTAMT] ? amount : plain)[form_type(c->instr)];
}

/* --- bytes -------------------------------------------------------------------------------------------------------- */

/* Which bytes of b:a each mode of prmt picks, as selectors, by the two lower bits of c. */
static inline uint32_t prmt_selectors(enum ptx_mod mode, uint32_t n)
{
	static const uint16_t table[][4] = {
		[PTX_PRMT_F4E - PTX_PRMT_F4E] = {0x3210, 0x4321, 0x5432, 0x6543},
		[PTX_PRMT_B4E - PTX_PRMT_F4E] = {0x5670, 0x6701, 0x7012, 0x0123},
		[PTX_PRMT_RC8 - PTX_PRMT_F4E] = {0x0000, 0x1111, 0x2222, 0x3333},
		[PTX_PRMT_ECL - PTX_PRMT_F4E] = {0x3210, 0x3211, 0x3222, 0x3333},
		[PTX_PRMT_ECR - PTX_PRMT_F4E] = {0x0000, 0x1110, 0x2210, 0x3210},
		[PTX_PRMT_RC16 - PTX_PRMT_F4E] = {0x1010, 0x3232, 0x1010, 0x3232},
	};
	return mode ? table[mode - PTX_PRMT_F4E][n & 3] : n;
}

static inline uint32_t permute(uint32_t low, uint32_t high, uint32_t selectors)
{
	uint64_t bytes = (uint64_t)high << 32 | low;
	uint32_t value = 0;
	for (int k = 0; k < 4; k++) {
		uint32_t selector = selectors >> 4 * k & 0xF;
		uint32_t byte = (uint32_t)(bytes >> 8 * (selector & 7)) & 0xFF;
		if (selector & 8)
			byte = byte & 0x80 ? 0xFF : 0;
		value |= byte << 8 * k;
	}
	return value;
}

EXEC(prmt)
{
	u32 *d = R(0);
	const u32 *a = R(1), *b = R(2), *n = R(3);
	enum ptx_mod mode = (enum ptx_mod)c->instr->form->mod[PTX_MOD_PRMT];
	FOR_LANES(mask, d[i] = permute(a[i], b[i], prmt_selectors(mode, n[i])));
}
PICK_BY_TYPE(bits_prmt, [PTX_B32] = prmt)
