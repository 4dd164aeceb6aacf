/* cvt. Integers go through 64 bits, floats through double, which holds every binary16 and binary32; the step that can lose
 * something is the last one, rounded or clamped as the form says. */
#include "simt/float.h"

/* --- binary16 ----------------------------------------------------------------------------------------------------- */

float half_to_float(uint16_t half)
{
	uint32_t sign = (uint32_t)(half & 0x8000) << 16, exponent = half >> 10 & 31, fraction = half & 0x3FF;
	if (exponent == 31)
		return float_of(fraction ? 0x7FFFFFFF : sign | 0x7F800000);
	if (exponent)
		return float_of(sign | (exponent + 112) << 23 | fraction << 13);
	float v = (float)fraction * 0x1p-24f;
	return sign ? -v : v;
}

/* v as a whole number, rounded as told. */
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

uint16_t half_from_double(double v, enum ptx_mod mode)
{
	uint16_t sign = signbit(v) ? 0x8000 : 0;
	int exponent;

	if (v != v)
		return 0x7FFF;
	if (isinf(v))
		return sign | 0x7C00;
	frexp(v, &exponent); /* |v| in [2^(exponent-1), 2^exponent) */
	int unit = exponent - 11 > -24 ? exponent - 11 : -24; /* of the last place */
	double whole = round_whole(ldexp(v, -unit), mode), magnitude = ldexp(fabs(whole), unit);
	if (magnitude >= 65536) /* past the largest, 65504: what a rounding that stays inside gives */
		return sign | (mode == PTX_RND_RZ || (mode == PTX_RND_RM && !sign) || (mode == PTX_RND_RP && sign) ? 0x7BFF : 0x7C00);
	if (magnitude < 0x1p-14)
		return sign | (uint16_t)ldexp(magnitude, 24);
	frexp(magnitude, &exponent);
	return (uint16_t)(sign | (exponent + 14) << 10 | ((int)ldexp(magnitude, 11 - exponent) & 0x3FF));
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

/* Lanes of a register of `slot` bytes as 64-bit integers, the lower `bytes` of them, with their sign or zero. */
static void read_ints(const void *from, uint32_t slot, uint32_t bytes, bool is_signed, int64_t *out)
{
	unsigned shift = 64 - 8 * bytes;
	for (int i = 0; i < WARP; i++) {
		uint64_t v = slot == 2 ? ((const u16 *)from)[i] : slot == 4 ? ((const u32 *)from)[i] : ((const u64 *)from)[i];
		out[i] = is_signed ? (int64_t)(v << shift) >> shift : (int64_t)(v << shift >> shift);
	}
}

static void read_floats(const void *from, enum ptx_type type, bool ftz, double *out)
{
	for (int i = 0; i < WARP; i++) {
		if (type == PTX_F64)
			out[i] = ((const f64 *)from)[i];
		else if (type == PTX_F16)
			out[i] = (double)half_to_float(((const u16 *)from)[i]);
		else
			out[i] = (double)(ftz ? flush(((const f32 *)from)[i]) : ((const f32 *)from)[i]);
	}
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

struct range {
	int64_t low;
	uint64_t high;
};

static struct range range_of(uint32_t bytes, bool is_signed)
{
	uint64_t ones = bytes == 8 ? ~0ull : (1ull << 8 * bytes) - 1;
	if (!is_signed)
		return (struct range){0, ones};
	return (struct range){-(int64_t)(ones >> 1) - 1, ones >> 1};
}

static int64_t clamp_int(int64_t v, bool from_signed, struct range range)
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
static int64_t int_from_double(double v, struct range range)
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

/* --- the four kinds ------------------------------------------------------------------------------------------------ */

static bool is_signed_type(enum ptx_type type)
{
	return ptx_type_kind(type) == 'S';
}

EXEC(int_to_int)
{
	enum ptx_type to = form_type(c->instr), from = (enum ptx_type)c->instr->form->type2;
	int64_t v[WARP];
	read_ints(R(1), c->slot[1], ptx_type_bytes(from), is_signed_type(from), v);
	if (c->instr->form->mod[PTX_MOD_SAT]) {
		struct range range = range_of(ptx_type_bytes(to), is_signed_type(to));
		for (int i = 0; i < WARP; i++)
			v[i] = clamp_int(v[i], is_signed_type(from), range);
	}
	write_ints(c, R(0), mask, is_signed_type(to), v);
}

EXEC(float_to_int)
{
	const struct ptx_form *form = c->instr->form;
	enum ptx_type to = form_type(c->instr);
	struct range range = range_of(ptx_type_bytes(to), is_signed_type(to));
	double v[WARP];
	int64_t whole[WARP];
	read_floats(R(1), (enum ptx_type)form->type2, form->mod[PTX_MOD_FTZ], v);
	for (int i = 0; i < WARP; i++)
		whole[i] = v[i] != v[i] ? int_from_nan(to, (enum ptx_type)form->type2) :
			int_from_double(round_whole(v[i], (enum ptx_mod)form->mod[PTX_MOD_RNDI]), range);
	write_ints(c, R(0), mask, is_signed_type(to), whole);
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
	} else { /* past 2^17 every rounding of a double is out of range alike */
		double d = is_signed ? (double)v : (double)(uint64_t)v;
		((u16 *)to)[i] = half_from_double(sat ? saturate64(d) : d, (enum ptx_mod)form->mod[PTX_MOD_RND]);
	}
}

EXEC(int_to_float)
{
	const struct ptx_form *form = c->instr->form;
	enum ptx_type from = (enum ptx_type)form->type2;
	int64_t v[WARP];
	read_ints(R(1), c->slot[1], ptx_type_bytes(from), is_signed_type(from), v);
	fesetround(form->type == PTX_F16 ? FE_TONEAREST : host_rounding((enum ptx_mod)form->mod[PTX_MOD_RND]));
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
		((f32 *)to)[i] = sat ? saturate(f) : canonical(f);
	} else {
		((u16 *)to)[i] = half_from_double(sat ? saturate64(v) : v, (enum ptx_mod)form->mod[PTX_MOD_RND]);
	}
}

EXEC(float_to_float)
{
	const struct ptx_form *form = c->instr->form;
	enum ptx_mod whole = (enum ptx_mod)form->mod[PTX_MOD_RNDI];
	double v[WARP];
	read_floats(R(1), (enum ptx_type)form->type2, form->mod[PTX_MOD_FTZ], v);
	for (int i = 0; whole && i < WARP; i++)
		v[i] = round_whole(v[i], whole);
	fesetround(form->type == PTX_F32 ? host_rounding((enum ptx_mod)form->mod[PTX_MOD_RND]) : FE_TONEAREST);
	for (uint32_t rest = mask; rest; rest &= rest - 1)
		write_float(c, R(0), __builtin_ctz(rest), v[__builtin_ctz(rest)]);
	fesetround(FE_TONEAREST);
}

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
	return form->type == PTX_F64 && form->type2 == PTX_F32 ? f32_to_f64 : NULL;
}

exec_fn *pick_cvt(const struct code *c)
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
