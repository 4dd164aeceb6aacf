/* Integer arithmetic. Results wrap; signed ones are computed unsigned where C would overflow. */
#include "machine/ptx/ops.h"
#include "machine/simt/code.h"
#include "machine/simt/lanes.h"
#include "machine/simt/warp_state.h"

#define BY_WIDTH(f)                                                                                                    \
	[PTX_U16] = f##_u16, [PTX_S16] = f##_u16, [PTX_U32] = f##_u32, [PTX_S32] = f##_u32, [PTX_U64] = f##_u64,       \
	[PTX_S64] = f##_u64
#define BY_SIGN(f)                                                                                                     \
	[PTX_U16] = f##_u16, [PTX_S16] = f##_s16, [PTX_U32] = f##_u32, [PTX_S32] = f##_s32, [PTX_U64] = f##_u64,       \
	[PTX_S64] = f##_s64

#define EXEC2_BY_WIDTH(name, value)                                                                                    \
	CLONES_AVX2 EXEC2(name##_u16, u16, u16, u16, value)                                                            \
	CLONES_AVX2 EXEC2(name##_u32, u32, u32, u32, value)                                                            \
	CLONES_AVX2 EXEC2(name##_u64, u64, u64, u64, value)
#define EXEC2_BY_SIGN(name, value)                                                                                     \
	EXEC2_BY_WIDTH(name, value)                                                                                    \
	EXEC2(name##_s16, s16, s16, s16, value)                                                                        \
	EXEC2(name##_s32, s32, s32, s32, value)                                                                        \
	EXEC2(name##_s64, s64, s64, s64, value)

/* --- sums --------------------------------------------------------------------------------------------------------- */

EXEC2_BY_WIDTH(add, a[i] + b[i])
EXEC2_BY_WIDTH(sub, a[i] - b[i])

static inline int32_t clamp_s32(int64_t v)
{
	return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : (int32_t)v;
}

EXEC2(add_sat, s32, s32, s32, clamp_s32((int64_t)a[i] + b[i]))
EXEC2(sub_sat, s32, s32, s32, clamp_s32((int64_t)a[i] - b[i]))

exec_fn *simt_pick_int_add(const struct code *c)
{
	static exec_fn *const by_type[PTX_TYPES] = {BY_WIDTH(add)};
	if (c->instr->form->mod[PTX_MOD_SAT])
		return form_type(c->instr) == PTX_S32 ? add_sat : NULL;
	return by_type[form_type(c->instr)];
}

exec_fn *simt_pick_int_sub(const struct code *c)
{
	static exec_fn *const by_type[PTX_TYPES] = {BY_WIDTH(sub)};
	if (c->instr->form->mod[PTX_MOD_SAT])
		return form_type(c->instr) == PTX_S32 ? sub_sat : NULL;
	return by_type[form_type(c->instr)];
}

/* --- carry chains ------------------------------------------------------------------------------------------------- */

typedef unsigned __int128 u128;

/* Words of `bits`; `*carry` is the one that comes in, and then the one that goes out. */
static uint64_t add_with_carry(uint64_t a, uint64_t b, int bits, bool *carry)
{
	u128 limit = (u128)1 << bits, sum = (u128)a + b + *carry;
	*carry = sum >= limit;
	return (uint64_t)(sum & (limit - 1));
}

/* A difference is a sum with the complement, and the flag its carry: 1 where nothing was borrowed. One sees it where an
 * addition follows a subtraction, or the other way round. Verified: CC 9.0 (H200), tests/ptx/int-carry-mixed.ptx. */
static uint64_t sub_with_carry(uint64_t a, uint64_t b, int bits, bool *carry)
{
	return add_with_carry(a, ~b & (UINT64_MAX >> (64 - bits)), bits, carry);
}

EXEC(carry)
{
	uint16_t op = c->instr->form->op;
	bool subtracts = op == PTX_OP_SUB_CC || op == PTX_OP_SUBC, reads = op == PTX_OP_ADDC || op == PTX_OP_SUBC;
	bool writes = !reads || c->instr->form->mod[PTX_MOD_CC];
	uint64_t (*sum)(uint64_t a, uint64_t b, int bits, bool *carry) = subtracts ? sub_with_carry : add_with_carry;

	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		int i = __builtin_ctz(rest);
		bool carry = reads ? w->carry >> i & 1 : subtracts;
		if (c->bytes == 4)
			((u32 *)R(0))[i] = (uint32_t)sum(((const u32 *)R(1))[i], ((const u32 *)R(2))[i], 32, &carry);
		else
			((u64 *)R(0))[i] = sum(((const u64 *)R(1))[i], ((const u64 *)R(2))[i], 64, &carry);
		if (writes)
			w->carry = (w->carry & ~(1u << i)) | (uint32_t)carry << i;
	}
}
PICK_ALWAYS(int_carry, carry)

/* --- products ----------------------------------------------------------------------------------------------------- */

typedef __int128 s128;

#define MUL_HI_U16(x, y) ((uint32_t)(x) * (y) >> 16)
#define MUL_HI_S16(x, y) ((int32_t)(x) * (y) >> 16)
#define MUL_HI_U32(x, y) ((uint64_t)(x) * (y) >> 32)
#define MUL_HI_S32(x, y) ((int64_t)(x) * (y) >> 32)
#define MUL_HI_U64(x, y) ((u128)(x) * (y) >> 64)
#define MUL_HI_S64(x, y) ((s128)(x) * (y) >> 64)

EXEC2(mul_u16, u16, u16, u16, (uint32_t)a[i] * b[i])
EXEC2(mul_u32, u32, u32, u32, a[i] * b[i])
EXEC2(mul_u64, u64, u64, u64, a[i] * b[i])
PICK_BY_TYPE(int_mul, BY_WIDTH(mul))

EXEC2(mul_hi_u16, u16, u16, u16, MUL_HI_U16(a[i], b[i]))
EXEC2(mul_hi_s16, s16, s16, s16, MUL_HI_S16(a[i], b[i]))
EXEC2(mul_hi_u32, u32, u32, u32, MUL_HI_U32(a[i], b[i]))
EXEC2(mul_hi_s32, s32, s32, s32, MUL_HI_S32(a[i], b[i]))
EXEC2(mul_hi_u64, u64, u64, u64, MUL_HI_U64(a[i], b[i]))
EXEC2(mul_hi_s64, s64, s64, s64, MUL_HI_S64(a[i], b[i]))
PICK_BY_TYPE(int_mul_hi, BY_SIGN(mul_hi))

EXEC2(mul_wide_u16, u32, u16, u16, (uint32_t)a[i] * b[i])
EXEC2(mul_wide_s16, s32, s16, s16, (int32_t)a[i] * b[i])
EXEC2(mul_wide_u32, u64, u32, u32, (uint64_t)a[i] * b[i])
EXEC2(mul_wide_s32, s64, s32, s32, (int64_t)a[i] * b[i])
PICK_BY_TYPE(int_mul_wide, [PTX_U16] = mul_wide_u16, [PTX_S16] = mul_wide_s16, [PTX_U32] = mul_wide_u32,
	[PTX_S32] = mul_wide_s32)

EXEC3(mad_u16, u16, u16, u16, u16, (uint32_t)a[i] * b[i] + c_[i])
EXEC3(mad_u32, u32, u32, u32, u32, a[i] * b[i] + c_[i])
EXEC3(mad_u64, u64, u64, u64, u64, a[i] * b[i] + c_[i])
PICK_BY_TYPE(int_mad, BY_WIDTH(mad))

EXEC3(mad_hi_u16, u16, u16, u16, u16, MUL_HI_U16(a[i], b[i]) + c_[i])
EXEC3(mad_hi_s16, s16, s16, s16, s16, MUL_HI_S16(a[i], b[i]) + c_[i])
EXEC3(mad_hi_u32, u32, u32, u32, u32, MUL_HI_U32(a[i], b[i]) + c_[i])
EXEC3(mad_hi_s32, u32, s32, s32, s32, (uint32_t)MUL_HI_S32(a[i], b[i]) + (uint32_t)c_[i])
EXEC3(mad_hi_u64, u64, u64, u64, u64, (uint64_t)MUL_HI_U64(a[i], b[i]) + c_[i])
EXEC3(mad_hi_s64, u64, s64, s64, s64, (uint64_t)MUL_HI_S64(a[i], b[i]) + (uint64_t)c_[i])
EXEC3(mad_hi_sat, s32, s32, s32, s32, clamp_s32(MUL_HI_S32(a[i], b[i]) + c_[i]))

exec_fn *simt_pick_int_mad_hi(const struct code *c)
{
	static exec_fn *const by_type[PTX_TYPES] = {BY_SIGN(mad_hi)};
	if (c->instr->form->mod[PTX_MOD_SAT])
		return form_type(c->instr) == PTX_S32 ? mad_hi_sat : NULL;
	return by_type[form_type(c->instr)];
}

static inline uint64_t word_at(const void *lanes, int i, uint32_t bytes)
{
	return bytes == 4 ? ((const u32 *)lanes)[i] : ((const u64 *)lanes)[i];
}

EXEC(mad_carry)
{
	uint16_t op = c->instr->form->op;
	bool high = op == PTX_OP_MAD_HI_CC || op == PTX_OP_MADC_HI,
	     reads = op == PTX_OP_MADC_LO || op == PTX_OP_MADC_HI;
	bool writes = !reads || c->instr->form->mod[PTX_MOD_CC], is_signed = ptx_type_kind(form_type(c->instr)) == 'S';
	int bits = 8 * c->bytes;

	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		int i = __builtin_ctz(rest);
		uint64_t a = word_at(R(1), i, c->bytes), b = word_at(R(2), i, c->bytes);
		u128 whole; /* a * b as lower and upper word of `bits` */
		if (c->bytes == 4)
			whole = is_signed ? (uint64_t)((int64_t)(int32_t)a * (int32_t)b) : a * b;
		else
			whole = is_signed ? (u128)((s128)(int64_t)a * (int64_t)b) : (u128)a * b;
		uint64_t half = (uint64_t)(high ? whole >> bits : whole) & (UINT64_MAX >> (64 - bits));
		bool carry = reads && w->carry >> i & 1;
		uint64_t sum = add_with_carry(half, word_at(R(3), i, c->bytes), bits, &carry);
		if (c->bytes == 4)
			((u32 *)R(0))[i] = (uint32_t)sum;
		else
			((u64 *)R(0))[i] = sum;
		if (writes)
			w->carry = (w->carry & ~(1u << i)) | (uint32_t)carry << i;
	}
}
PICK_ALWAYS(int_mad_carry, mad_carry)

EXEC3(mad_wide_u16, u32, u16, u16, u32, (uint32_t)a[i] * b[i] + c_[i])
EXEC3(mad_wide_s16, u32, s16, s16, u32, (uint32_t)((int32_t)a[i] * b[i]) + c_[i])
EXEC3(mad_wide_u32, u64, u32, u32, u64, (uint64_t)a[i] * b[i] + c_[i])
EXEC3(mad_wide_s32, u64, s32, s32, u64, (uint64_t)((int64_t)a[i] * b[i]) + c_[i])
PICK_BY_TYPE(int_mad_wide, [PTX_U16] = mad_wide_u16, [PTX_S16] = mad_wide_s16, [PTX_U32] = mad_wide_u32,
	[PTX_S32] = mad_wide_s32)

/* The 48-bit product of the lower 24 bits; .hi is its upper 32 bits. */
static inline uint64_t product24(uint32_t x, uint32_t y, bool is_signed)
{
	if (!is_signed)
		return (uint64_t)(x & 0xFFFFFF) * (y & 0xFFFFFF);
	return (uint64_t)((int64_t)((int32_t)(x << 8) >> 8) * ((int32_t)(y << 8) >> 8));
}

EXEC2(mul24_u32, u32, u32, u32, product24(a[i], b[i], false))
EXEC2(mul24_s32, u32, u32, u32, product24(a[i], b[i], true))
EXEC2(mul24_hi_u32, u32, u32, u32, product24(a[i], b[i], false) >> 16)
EXEC2(mul24_hi_s32, u32, u32, u32, product24(a[i], b[i], true) >> 16)
EXEC3(mad24_u32, u32, u32, u32, u32, product24(a[i], b[i], false) + c_[i])
EXEC3(mad24_s32, u32, u32, u32, u32, product24(a[i], b[i], true) + c_[i])
EXEC3(mad24_hi_u32, u32, u32, u32, u32, (product24(a[i], b[i], false) >> 16) + c_[i])
EXEC3(mad24_hi_s32, u32, u32, u32, u32, (product24(a[i], b[i], true) >> 16) + c_[i])
EXEC3(mad24_hi_sat, s32, u32, u32, s32, clamp_s32((int64_t)(int32_t)(product24(a[i], b[i], true) >> 16) + c_[i]))

exec_fn *simt_pick_int_mul24(const struct code *c)
{
	bool is_signed = form_type(c->instr) == PTX_S32;
	if (c->instr->form->op == PTX_OP_MUL24_HI)
		return is_signed ? mul24_hi_s32 : mul24_hi_u32;
	return is_signed ? mul24_s32 : mul24_u32;
}

exec_fn *simt_pick_int_mad24(const struct code *c)
{
	bool is_signed = form_type(c->instr) == PTX_S32;
	if (c->instr->form->op == PTX_OP_MAD24_LO)
		return is_signed ? mad24_s32 : mad24_u32;
	if (c->instr->form->mod[PTX_MOD_SAT])
		return is_signed ? mad24_hi_sat : NULL;
	return is_signed ? mad24_hi_s32 : mad24_hi_u32;
}

/* --- quotients: by zero both the quotient and the remainder are all ones. Verified: CC 9.0 (H200),
 * tests/gpu/fixtures.sh */

#define DIV_U(x, y, ones) ((y) ? (x) / (y) : (ones))
#define REM_U(x, y, ones) ((y) ? (x) % (y) : (ones))
/* The least number divided by -1 wraps, as negation does. */
#define DIV_S(T, U, x, y) ((y) == 0 ? (T)-1 : (y) == -1 ? (T)(0 - (U)(x)) : (T)((x) / (y)))
#define REM_S(T, x, y) ((y) == 0 ? (T)-1 : (y) == -1 ? (T)0 : (T)((x) % (y)))

EXEC2(div_u16, u16, u16, u16, DIV_U(a[i], b[i], 0xFFFF))
EXEC2(div_u32, u32, u32, u32, DIV_U(a[i], b[i], UINT32_MAX))
EXEC2(div_u64, u64, u64, u64, DIV_U(a[i], b[i], UINT64_MAX))
EXEC2(div_s16, s16, s16, s16, DIV_S(s16, u16, a[i], b[i]))
EXEC2(div_s32, s32, s32, s32, DIV_S(s32, u32, a[i], b[i]))
EXEC2(div_s64, s64, s64, s64, DIV_S(s64, u64, a[i], b[i]))
PICK_BY_TYPE(int_div, BY_SIGN(div))

EXEC2(rem_u16, u16, u16, u16, REM_U(a[i], b[i], 0xFFFF))
EXEC2(rem_u32, u32, u32, u32, REM_U(a[i], b[i], UINT32_MAX))
EXEC2(rem_u64, u64, u64, u64, REM_U(a[i], b[i], UINT64_MAX))
EXEC2(rem_s16, s16, s16, s16, REM_S(s16, a[i], b[i]))
EXEC2(rem_s32, s32, s32, s32, REM_S(s32, a[i], b[i]))
EXEC2(rem_s64, s64, s64, s64, REM_S(s64, a[i], b[i]))
PICK_BY_TYPE(int_rem, BY_SIGN(rem))

/* --- one operand; order ------------------------------------------------------------------------------------------- */

EXEC1(neg_s16, u16, u16, 0 - a[i])
EXEC1(neg_s32, u32, u32, 0 - a[i])
EXEC1(neg_s64, u64, u64, 0 - a[i])
PICK_BY_TYPE(int_neg, [PTX_S16] = neg_s16, [PTX_S32] = neg_s32, [PTX_S64] = neg_s64)

EXEC1(abs_s16, u16, s16, a[i] < 0 ? 0 - (uint32_t)a[i] : (uint32_t)a[i])
EXEC1(abs_s32, u32, s32, a[i] < 0 ? 0 - (uint32_t)a[i] : (uint32_t)a[i])
EXEC1(abs_s64, u64, s64, a[i] < 0 ? 0 - (uint64_t)a[i] : (uint64_t)a[i])
PICK_BY_TYPE(int_abs, [PTX_S16] = abs_s16, [PTX_S32] = abs_s32, [PTX_S64] = abs_s64)

EXEC2_BY_SIGN(min, a[i] < b[i] ? a[i] : b[i])
EXEC2_BY_SIGN(max, a[i] > b[i] ? a[i] : b[i])
#define RELU(v) ((v) > 0 ? (v) : 0)
EXEC2(min_relu, s32, s32, s32, RELU(a[i] < b[i] ? a[i] : b[i]))
EXEC2(max_relu, s32, s32, s32, RELU(a[i] > b[i] ? a[i] : b[i]))

exec_fn *simt_pick_int_min(const struct code *c)
{
	static exec_fn *const by_type[PTX_TYPES] = {BY_SIGN(min)};
	return c->instr->form->mod[PTX_MOD_RELU] ? min_relu : by_type[form_type(c->instr)];
}

exec_fn *simt_pick_int_max(const struct code *c)
{
	static exec_fn *const by_type[PTX_TYPES] = {BY_SIGN(max)};
	return c->instr->form->mod[PTX_MOD_RELU] ? max_relu : by_type[form_type(c->instr)];
}

#define DISTANCE(U, x, y) ((x) < (y) ? (U)(y) - (U)(x) : (U)(x) - (U)(y))
EXEC3(sad_u16, u16, u16, u16, u16, DISTANCE(u16, a[i], b[i]) + c_[i])
EXEC3(sad_u32, u32, u32, u32, u32, DISTANCE(u32, a[i], b[i]) + c_[i])
EXEC3(sad_u64, u64, u64, u64, u64, DISTANCE(u64, a[i], b[i]) + c_[i])
EXEC3(sad_s16, u16, s16, s16, u16, DISTANCE(u16, a[i], b[i]) + c_[i])
EXEC3(sad_s32, u32, s32, s32, u32, DISTANCE(u32, a[i], b[i]) + c_[i])
EXEC3(sad_s64, u64, s64, s64, u64, DISTANCE(u64, a[i], b[i]) + c_[i])
PICK_BY_TYPE(int_sad, BY_SIGN(sad))

/* --- small integers in one word ----------------------------------------------------------------------------------- */

/* --- pairs of 16 bits --------------------------------------------------------------------------------------------- */

EXEC2(add_x2, u32, u32, u32, ((a[i] + b[i]) & 0xFFFF) | ((a[i] & 0xFFFF0000) + (b[i] & 0xFFFF0000)))

PICK_ALWAYS(int_add_x2, add_x2)

static inline int32_t half_of(uint32_t v, int shift, bool is_signed)
{
	return is_signed ? (int16_t)(v >> shift) : (int32_t)(v >> shift & 0xFFFF);
}

EXEC(order_x2)
{
	const struct ptx_form *form = c->instr->form;
	bool is_signed = form->type == PTX_S16X2, smaller = form->op == PTX_OP_MIN_X2, relu = form->mod[PTX_MOD_RELU];
	u32 *d = R(0);
	const u32 *a = R(1), *b = R(2);
	FOR_LANES(mask, {
		uint32_t value = 0;
		for (int shift = 0; shift < 32; shift += 16) {
			int32_t x = half_of(a[i], shift, is_signed), y = half_of(b[i], shift, is_signed);
			int32_t picked = (x < y) == smaller ? x : y;
			value |= (uint32_t)(relu && picked < 0 ? 0 : picked & 0xFFFF) << shift;
		}
		d[i] = value;
	});
}
PICK_ALWAYS(int_order_x2, order_x2)

/* --- dot products
 * -------------------------------------------------------------------------------------------------- */

static inline uint32_t dot4(uint32_t x, uint32_t y, bool x_signed, bool y_signed, uint32_t sum)
{
	for (int k = 0; k < 32; k += 8) {
		int32_t p = x_signed ? (int8_t)(x >> k) : (uint8_t)(x >> k),
			q = y_signed ? (int8_t)(y >> k) : (uint8_t)(y >> k);
		sum += (uint32_t)(p * q);
	}
	return sum;
}

EXEC(dp4a)
{
	u32 *d = R(0);
	const u32 *a = R(1), *b = R(2), *sum = R(3);
	bool a_signed = c->instr->form->type == PTX_S32, b_signed = c->instr->form->type2 == PTX_S32;
	FOR_LANES(mask, d[i] = dot4(a[i], b[i], a_signed, b_signed, sum[i]));
}
PICK_ALWAYS(int_dp4a, dp4a)

/* Halves of x with the two lower bytes of y. */
static inline uint32_t dot2(uint32_t x, uint32_t y, bool x_signed, bool y_signed, uint32_t sum)
{
	for (int k = 0; k < 2; k++) {
		uint32_t half = x >> 16 * k, byte = y >> 8 * k;
		int32_t p = x_signed ? (int16_t)half : (uint16_t)half, q = y_signed ? (int8_t)byte : (uint8_t)byte;
		sum += (uint32_t)(p * q);
	}
	return sum;
}

EXEC(dp2a)
{
	u32 *d = R(0);
	const u32 *a = R(1), *b = R(2), *sum = R(3);
	int at = c->instr->form->op == PTX_OP_DP2A_HI ? 16 : 0;
	bool a_signed = c->instr->form->type == PTX_S32, b_signed = c->instr->form->type2 == PTX_S32;
	FOR_LANES(mask, d[i] = dot2(a[i], b[i] >> at, a_signed, b_signed, sum[i]));
}
PICK_ALWAYS(int_dp2a, dp2a)
