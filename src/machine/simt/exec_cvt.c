/* cvt. Integers go through 64 bits, floats through double, which holds every narrower one; the step that can lose
 * something is the last one, rounded or clamped as the form says. */

#include "machine/ptx/ops.h"
#include "machine/simt/code.h"
#include "machine/simt/float.h"
#include "machine/simt/lanes.h"

/* v as a whole number, rounded as `rounding` says. */
static double round_whole(double v, enum ptx_mod mode)
{
	switch (mode) {
	case PTX_RND_RZ:
	case PTX_RNDI_RZI: return trunc(v);
	case PTX_RND_RM:
	case PTX_RNDI_RMI: return floor(v);
	case PTX_RND_RP:
	case PTX_RNDI_RPI: return ceil(v);
	default: return nearbyint(v);
	}
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

/* Lanes of a register of `slot` bytes as 64-bit integers, the lower `bytes` of them, with their sign or zero. */
static void read_ints(const void *from, uint32_t slot, uint32_t bytes, bool is_signed, int64_t *out)
{
	unsigned shift = 64 - 8 * bytes;
	for (int i = 0; i < WARP_SIZE; i++) {
		uint64_t v = slot == 2 ? ((const u16 *)from)[i]
			: slot == 4    ? ((const u32 *)from)[i]
				       : ((const u64 *)from)[i];
		out[i] = is_signed ? (int64_t)(v << shift) >> shift : (int64_t)(v << shift >> shift);
	}
}

/* Under .ftz a NaN becomes the canonical one, as of an addition. Verified: CC 9.0 (H200), cvt.ftz.f64.f32. */
static void read_floats(const void *from, enum ptx_type type, bool ftz, double *out)
{
	for (int i = 0; i < WARP_SIZE; i++) {
		if (type == PTX_F64)
			out[i] = ((const f64 *)from)[i];
		else if (type == PTX_F16 || type == PTX_BF16)
			out[i] = simt_narrow_to_double(((const u16 *)from)[i], type);
		else
			out[i] = (double)(ftz ? canonical(flush(((const f32 *)from)[i])) : ((const f32 *)from)[i]);
	}
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

struct cvt_range {
	int64_t low;
	uint64_t high;
};

static struct cvt_range range_of(uint32_t bytes, bool is_signed)
{
	uint64_t ones = bytes == 8 ? ~0ull : (1ull << 8 * bytes) - 1;
	if (!is_signed)
		return (struct cvt_range){0, ones};
	return (struct cvt_range){-(int64_t)(ones >> 1) - 1, ones >> 1};
}

static int64_t clamp_int(int64_t v, bool from_signed, struct cvt_range range)
{
	if (from_signed && v < range.low)
		return range.low;
	if ((!from_signed || v > 0) && (uint64_t)v > range.high)
		return (int64_t)range.high;
	return v;
}

/* PTX ISA 9.0, cvt: zero, but the highest bit alone where one of the two types has 64 bits. */
static int64_t int_from_nan(enum ptx_type to, enum ptx_type from)
{
	uint32_t bytes = ptx_type_bytes(to);
	return from == PTX_F64 || bytes == 8 ? (int64_t)(1ull << (8 * bytes - 1)) : 0;
}

/* What is out of range becomes the nearest number in it: PTX ISA, cvt. */
static int64_t int_from_double(double v, struct cvt_range range)
{
	if (v <= (double)range.low)
		return range.low;
	if (v >= (double)range.high)
		return (int64_t)range.high;
	return v < 0 ? (int64_t)v : (int64_t)(uint64_t)v;
}

static void write_ints(const struct code *c, void *to, uint32_t mask, bool is_signed, const int64_t *v)
{
	uint32_t bytes = ptx_type_bytes(form_type(c->instr));
	unsigned shift = 64 - 8 * bytes;
	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		int i = __builtin_ctz(rest);
		uint64_t narrow = (uint64_t)v[i] << shift;
		uint64_t value = is_signed ? (uint64_t)((int64_t)narrow >> shift) : narrow >> shift;
		if (c->slot[0] == 2)
			((u16 *)to)[i] = (uint16_t)value;
		else if (c->slot[0] == 4)
			((u32 *)to)[i] = (uint32_t)value;
		else
			((u64 *)to)[i] = value;
	}
}

/* --- the four kinds
 * ------------------------------------------------------------------------------------------------ */

static bool is_signed_type(enum ptx_type type)
{
	return ptx_type_kind(type) == 'S';
}

EXEC(int_to_int)
{
	enum ptx_type to = form_type(c->instr), from = (enum ptx_type)c->instr->form->type2;
	int64_t v[WARP_SIZE];
	read_ints(R(1), c->slot[1], ptx_type_bytes(from), is_signed_type(from), v);
	if (c->instr->form->mod[PTX_MOD_SAT]) {
		struct cvt_range range = range_of(ptx_type_bytes(to), is_signed_type(to));
		for (int i = 0; i < WARP_SIZE; i++)
			v[i] = clamp_int(v[i], is_signed_type(from), range);
	}
	write_ints(c, R(0), mask, is_signed_type(to), v);
}

EXEC(float_to_int)
{
	const struct ptx_form *form = c->instr->form;
	enum ptx_type to = form_type(c->instr);
	struct cvt_range range = range_of(ptx_type_bytes(to), is_signed_type(to));
	double v[WARP_SIZE];
	int64_t whole[WARP_SIZE];
	read_floats(R(1), (enum ptx_type)form->type2, form->mod[PTX_MOD_FTZ], v);
	for (int i = 0; i < WARP_SIZE; i++)
		whole[i] = v[i] != v[i]
			? int_from_nan(to, (enum ptx_type)form->type2)
			: int_from_double(round_whole(v[i], (enum ptx_mod)form->mod[PTX_MOD_RNDI]), range);
	write_ints(c, R(0), mask, is_signed_type(to), whole);
}

static bool is_narrow(enum ptx_type type)
{
	return type == PTX_F16 || type == PTX_BF16 || type == PTX_TF32;
}

/* From double precision a NaN keeps its sign and the upper part of its fraction, from others it becomes the canonical
 * one. Verified: CC 9.0 (H200), to .f32, .f16 and .bf16. */
static uint32_t narrow_nan(double v, enum ptx_type type)
{
	uint64_t bits;
	memcpy(&bits, &v, sizeof bits);
	uint32_t sign = bits >> 48 & 0x8000;
	return sign | (type == PTX_F16 ? 0x7E00 | (bits >> 42 & 0x3FF) : 0x7FC0 | (bits >> 45 & 0x7F));
}

static void write_narrow(const struct code *c, void *to, int i, double v)
{
	const struct ptx_form *form = c->instr->form;
	bool keeps_nan = v != v && form->type2 == PTX_F64 && !form->mod[PTX_MOD_SAT];
	uint32_t bits = keeps_nan ? narrow_nan(v, form_type(c->instr))
				  : simt_narrow_convert(form, form_type(c->instr), v);
	if (c->slot[0] == 2)
		((u16 *)to)[i] = (uint16_t)bits;
	else
		((u32 *)to)[i] = bits;
}

/* A 64-bit integer goes to single precision in one step: by way of double it would be rounded twice. */
static void write_float_of_int(const struct code *c, void *to, int i, int64_t v, bool is_signed)
{
	const struct ptx_form *form = c->instr->form;
	bool sat = form->mod[PTX_MOD_SAT];
	if (form->type == PTX_F64) {
		double d = is_signed ? (double)v : (double)(uint64_t)v;
		((f64 *)to)[i] = sat ? saturate64(d) : d;
	} else if (form->type == PTX_F32) {
		float f = is_signed ? (float)v : (float)(uint64_t)v;
		((f32 *)to)[i] = sat ? saturate(f) : f;
	} else {
		/* The double rounds to the narrow type as `v` does: past 2^53 the last bit says that something was
		 * lost. */
		uint64_t magnitude = is_signed && v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
		if (magnitude >> 53)
			magnitude = (magnitude >> 11 | ((magnitude & 0x7FF) != 0)) << 11;
		write_narrow(c, to, i, is_signed && v < 0 ? -(double)magnitude : (double)magnitude);
	}
}

EXEC(int_to_float)
{
	const struct ptx_form *form = c->instr->form;
	enum ptx_type from = (enum ptx_type)form->type2;
	int64_t v[WARP_SIZE];
	read_ints(R(1), c->slot[1], ptx_type_bytes(from), is_signed_type(from), v);
	fesetround(is_narrow(form_type(c->instr)) ? FE_TONEAREST : host_rounding((enum ptx_mod)form->mod[PTX_MOD_RND]));
	for (uint32_t rest = mask; rest; rest &= rest - 1)
		write_float_of_int(c, R(0), __builtin_ctz(rest), v[__builtin_ctz(rest)], is_signed_type(from));
	fesetround(FE_TONEAREST);
}

static void write_float(const struct code *c, void *to, int i, double v)
{
	const struct ptx_form *form = c->instr->form;
	bool sat = form->mod[PTX_MOD_SAT];
	if (form->type == PTX_F64) {
		((f64 *)to)[i] = sat ? saturate64(v) : v;
	} else if (form->type == PTX_F32) {
		float f = (float)v;
		f = form->mod[PTX_MOD_FTZ] ? flush(f) : f;
		((f32 *)to)[i] = sat ? saturate(f) : form->type2 == PTX_F64 ? f : canonical(f);
	} else {
		write_narrow(c, to, i, v);
	}
}

/* To .f16 subnormals are rounded as they are, .ftz or not: 0x00000001 gives 0x0001 upwards. Verified: CC 9.0 (H200),
 * tests/gpu/validate.sh. */
EXEC(float_to_float)
{
	const struct ptx_form *form = c->instr->form;
	enum ptx_mod whole = (enum ptx_mod)form->mod[PTX_MOD_RNDI];
	double v[WARP_SIZE];
	read_floats(R(1), (enum ptx_type)form->type2, form->mod[PTX_MOD_FTZ] && form->type != PTX_F16, v);
	for (int i = 0; whole && i < WARP_SIZE; i++)
		v[i] = quiet(round_whole(v[i], whole));
	fesetround(form->type == PTX_F32 ? host_rounding((enum ptx_mod)form->mod[PTX_MOD_RND]) : FE_TONEAREST);
	for (uint32_t rest = mask; rest; rest &= rest - 1)
		write_float(c, R(0), __builtin_ctz(rest), v[__builtin_ctz(rest)]);
	fesetround(FE_TONEAREST);
}

/* Where the GPU has no conversion but shifts and adds, a NaN keeps what it has. CC 9.0, from ptxas 13.0. */
EXEC1(bf16_to_f32, u32, u16, (uint32_t)a[i] << 16)
EXEC1(same_f32, u32, u32, a[i])

static inline uint32_t tf32_away(uint32_t v)
{
	return ((v & 0x7FFFFFFF) < 0x7F800000 ? v + 0x1000 : v) & 0xFFFFE000;
}

/* With .satfinite, 1 is subtracted from what is not finite, be it infinity or NaN. CC 9.0 (H200). */
static inline uint32_t tf32_away_finite(uint32_t v)
{
	uint32_t away = tf32_away(v);
	return (away & 0x7FFFFFFF) >= 0x7F800000 ? away - 0x2000 : away;
}

EXEC1(f32_to_tf32_away, u32, u32, tf32_away(a[i]))
EXEC1(f32_to_tf32_away_finite, u32, u32, tf32_away_finite(a[i]))

/* The conversions that index arithmetic is full of, as vector loops. */
EXEC1(u32_to_64, u64, u32, a[i])
EXEC1(s32_to_64, s64, s32, a[i])
EXEC1(low_32, u32, u64, a[i])
EXEC1(s32_to_f32, f32, s32, a[i])
EXEC1(u32_to_f32, f32, u32, a[i])
EXEC1(f32_to_f64, f64, f32, a[i])

static exec_fn *pick_common(const struct code *c)
{
	const struct ptx_form *form = c->instr->form;
	uint8_t rnd = form->mod[PTX_MOD_RND];
	bool wide = c->slot[0] == 8, word = c->slot[1] == 4;

	if (form->type == PTX_TF32 && rnd == PTX_RND_RNA)
		return form->mod[PTX_MOD_FINITE] ? f32_to_tf32_away_finite : f32_to_tf32_away;
	if (form->type == PTX_F32 && form->type2 == PTX_BF16 && !form->mod[PTX_MOD_FTZ])
		return bf16_to_f32; /* exact, whatever the rounding */
	if (form->mod[PTX_MOD_SAT] || form->mod[PTX_MOD_FTZ] || form->mod[PTX_MOD_RNDI] || (rnd && rnd != PTX_RND_RN))
		return NULL;
	if ((form->type == PTX_U64 || form->type == PTX_S64) && wide && word) {
		if (form->type2 == PTX_U32)
			return u32_to_64;
		if (form->type2 == PTX_S32)
			return s32_to_64;
	}
	if ((form->type == PTX_U32 || form->type == PTX_S32) && c->slot[0] == 4 && c->slot[1] == 8 &&
		(form->type2 == PTX_U64 || form->type2 == PTX_S64))
		return low_32;
	if (form->type == PTX_F32 && word && form->type2 == PTX_S32)
		return s32_to_f32;
	if (form->type == PTX_F32 && word && form->type2 == PTX_U32)
		return u32_to_f32;
	if (form->type == PTX_F32 && form->type2 == PTX_F32)
		return same_f32; /* verified: CC 9.0 (H200), tests/gpu/validate.sh */
	return form->type == PTX_F64 && form->type2 == PTX_F32 ? f32_to_f64 : NULL;
}

exec_fn *simt_pick_cvt(const struct code *c)
{
	bool to_float = ptx_type_kind(form_type(c->instr)) == 'F';
	bool from_float = ptx_type_kind((enum ptx_type)c->instr->form->type2) == 'F';
	exec_fn *common = pick_common(c);
	if (common)
		return common;
	if (from_float)
		return to_float ? float_to_float : float_to_int;
	return to_float ? int_to_float : int_to_int;
}

/* --- two values side by side: cvt.pack of integers, cvt to .f16x2 and .bf16x2, pairs of bytes --------------------- */

static inline uint32_t clamp_to(int32_t v, uint32_t bits, bool is_signed)
{
	int32_t low = is_signed ? -(1 << (bits - 1)) : 0, high = is_signed ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;
	return (uint32_t)(v < low ? low : v > high ? high : v) & ((1u << bits) - 1);
}

/* PTX ISA, cvt.pack: b is the lower one; those narrower than a half move what is in c up. */
EXEC(pack)
{
	enum ptx_type type = form_type(c->instr);
	uint32_t bits;
	switch (type) {
	case PTX_U2:
	case PTX_S2: bits = 2; break;
	case PTX_U4:
	case PTX_S4: bits = 4; break;
	default: bits = 8 * ptx_type_bytes(type); break;
	}

	bool is_signed = ptx_type_kind(form_type(c->instr)) == 'S';
	u32 *d = R(0);
	const s32 *a = R(1), *b = R(2);
	const u32 *above = c->instr->n > 3 ? R(3) : NULL;
	FOR_LANES(mask, {
		uint32_t pair = clamp_to(a[i], bits, is_signed) << bits | clamp_to(b[i], bits, is_signed);
		d[i] = above ? above[i] << 2 * bits | pair : pair;
	});
}
PICK_ALWAYS(cvt_pack, pack)

/* b goes to the lower half. */
EXEC(pair)
{
	const struct ptx_form *form = c->instr->form;
	enum ptx_type type = simt_narrow_element(form_type(c->instr));
	u32 *d = R(0);
	const f32 *a = R(1), *b = R(2);
	FOR_LANES(mask,
		d[i] = simt_narrow_convert(form, type, (double)a[i]) << 16 |
			simt_narrow_convert(form, type, (double)b[i]));
}
PICK_ALWAYS(cvt_pair, pair)

/* --- pairs of bytes ----------------------------------------------------------------------------------------------- */

static uint16_t two_bytes(const struct ptx_form *form, double upper, double lower)
{
	enum ptx_type type = (enum ptx_type)form->type;
	return (uint16_t)(simt_narrow_convert(form, type, upper) << 8 | simt_narrow_convert(form, type, lower));
}

EXEC(to_fp8)
{
	const struct ptx_form *form = c->instr->form;
	u16 *d = R(0);
	const f32 *a = R(1), *b = R(2);
	FOR_LANES(mask, d[i] = two_bytes(form, (double)a[i], (double)b[i]));
}

EXEC(pair_to_fp8)
{
	const struct ptx_form *form = c->instr->form;
	u16 *d = R(0);
	const u32 *a = R(1);
	FOR_LANES(mask,
		d[i] = two_bytes(form, simt_narrow_to_double(a[i] >> 16, PTX_F16),
			simt_narrow_to_double(a[i] & 0xFFFF, PTX_F16)));
}

EXEC(from_fp8)
{
	const struct ptx_form *form = c->instr->form;
	enum ptx_type from = (enum ptx_type)form->type2;
	u32 *d = R(0);
	const u16 *a = R(1);
	FOR_LANES(mask,
		d[i] = simt_narrow_convert(form, PTX_F16, simt_narrow_to_double(a[i] >> 8, from)) << 16 |
			simt_narrow_convert(form, PTX_F16, simt_narrow_to_double(a[i] & 0xFF, from)));
}

exec_fn *simt_pick_cvt_fp8(const struct code *c)
{
	const struct ptx_form *form = c->instr->form;
	if (form->op == PTX_OP_CVT_FROM_FP8)
		return from_fp8;
	return form->op == PTX_OP_CVT_TO_FP8 ? to_fp8 : pair_to_fp8;
}
