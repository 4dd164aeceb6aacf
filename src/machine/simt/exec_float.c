/* Floating point. Sums, products, quotients and square roots are rounded as PTX says by the host's own arithmetic,
 * under its rounding mode; functions marked .approx are computed in double precision, so they are nearer to the true
 * value than the GPU's, whose last bits differ. */
#include <float.h>

#include "machine/ptx/ops.h"
#include "machine/simt/code.h"
#include "machine/simt/float.h"
#include "machine/simt/lanes.h"

static enum ptx_mod rounding_of(const struct ptx_form *form)
{
	return (enum ptx_mod)form->mod[PTX_MOD_RND];
}

/* True when a form needs more than the host's plain arithmetic. */
static bool is_plain(const struct ptx_form *form)
{
	enum ptx_mod rnd = rounding_of(form);
	return (!rnd || rnd == PTX_RND_RN) && !form->mod[PTX_MOD_FTZ] && !form->mod[PTX_MOD_SAT];
}

static inline float maybe_flush(float v, bool ftz)
{
	return ftz ? flush(v) : v;
}

/* --- arithmetic: f(x, y, z) with every modifier
 * -------------------------------------------------------------------- */

typedef float f32_fn(float x, float y, float z);
typedef double f64_fn(double x, double y, double z);

/* One row per function, in either precision. */
#define FUNCTION(name, narrow, wide)                                                                                   \
	static float name##_f(float x, float y, float z)                                                               \
	{                                                                                                              \
		(void)y, (void)z;                                                                                      \
		return narrow;                                                                                         \
	}                                                                                                              \
	static double name##_d(double x, double y, double z)                                                           \
	{                                                                                                              \
		(void)y, (void)z;                                                                                      \
		return wide;                                                                                           \
	}
/* clang-format off */
FUNCTION(add, x + y, with_nan2(x + y, y, x))
FUNCTION(sub, x - y, with_nan2(x - y, y, x))
FUNCTION(mul, x * y, with_nan2(x * y, y, x))
FUNCTION(div, x / y, with_nan2(x / y, x, y))
FUNCTION(fma, fmaf(x, y, z), with_nan3(fma(x, y, z), y, z, x))
FUNCTION(rcp, 1 / x, with_nan2(1 / x, x, x))
FUNCTION(sqrt, sqrtf(x), with_nan2(sqrt(x), x, x))
/* clang-format on */

static const struct {
	f32_fn *narrow;
	f64_fn *wide;
} functions[PTX_OPS] = {
	[PTX_OP_ADD_FLOAT] = {add_f, add_d},
	[PTX_OP_SUB_FLOAT] = {sub_f, sub_d},
	[PTX_OP_MUL_FLOAT] = {mul_f, mul_d},
	[PTX_OP_DIV_FLOAT] = {div_f, div_d},
	[PTX_OP_FMA] = {fma_f, fma_d},
	[PTX_OP_MAD_FLOAT] = {fma_f, fma_d},
	[PTX_OP_RCP] = {rcp_f, rcp_d},
	[PTX_OP_SQRT] = {sqrt_f, sqrt_d},
};

/* .ftz flushes what is below the least normal number once it is rounded to the digits of a normal one, and not what
 * rounding to a subnormal makes the least normal number of: then the same is calculated far above it. Sums that small
 * are exact. Verified: CC 9.0 (H200), tests/gpu/validate.sh. */
static float flush_rounded(float v, f32_fn *f, float x, float y, float z)
{
	bool is_product = f == mul_f || f == fma_f;
	if (fabsf(v) != FLT_MIN || !(is_product || f == div_f || f == rcp_f))
		return flush(v);
	if (f == rcp_f)
		x *= 0x1p-24f;
	else if (f == div_f || fabsf(x) < fabsf(y))
		x *= 0x1p24f;
	else
		y *= 0x1p24f;
	return fabsf(f(x, y, z * 0x1p24f)) < FLT_MIN * 0x1p24f ? copysignf(0, v) : v;
}

/* Operands that an instruction does not have read the first one; the function ignores them. */
#define OPERAND(k) (c->instr->n > (k) ? R(k) : R(1))

EXEC(general_f32)
{
	const struct ptx_form *form = c->instr->form;
	bool ftz = form->mod[PTX_MOD_FTZ], sat = form->mod[PTX_MOD_SAT];
	f32_fn *f = functions[form->op].narrow;
	f32 *d = R(0);
	const f32 *a = R(1), *b = OPERAND(2), *z = OPERAND(3);

	fesetround(host_rounding(rounding_of(form)));
	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		int i = __builtin_ctz(rest);
		float x = maybe_flush(a[i], ftz), y = maybe_flush(b[i], ftz), sum = maybe_flush(z[i], ftz);
		float v = f(x, y, sum);
		if (ftz)
			v = flush_rounded(v, f, x, y, sum);
		d[i] = sat ? saturate(v) : canonical(v);
	}
	fesetround(FE_TONEAREST);
}

EXEC(general_f64)
{
	const struct ptx_form *form = c->instr->form;
	bool sat = form->mod[PTX_MOD_SAT];
	f64_fn *f = functions[form->op].wide;
	f64 *d = R(0);
	const f64 *a = R(1), *b = OPERAND(2), *z = OPERAND(3);

	fesetround(host_rounding(rounding_of(form)));
	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		int i = __builtin_ctz(rest);
		double v = f(a[i], b[i], z[i]);
		d[i] = sat ? saturate64(v) : v;
	}
	fesetround(FE_TONEAREST);
}

#define PICK_ARITHMETIC(name)                                                                                          \
	exec_fn *simt_pick_float_##name(const struct code *c)                                                          \
	{                                                                                                              \
		if (is_plain(c->instr->form))                                                                          \
			return simt_plain_executor(c);                                                                 \
		return form_type(c->instr) == PTX_F32 ? general_f32 : general_f64;                                     \
	}
PICK_ARITHMETIC(add)
PICK_ARITHMETIC(sub)
PICK_ARITHMETIC(mul)
PICK_ARITHMETIC(div)
PICK_ARITHMETIC(fma)

static exec_fn *pick_general(const struct code *c)
{
	return form_type(c->instr) == PTX_F32 ? general_f32 : general_f64;
}

exec_fn *simt_pick_float_sqrt(const struct code *c)
{
	return pick_general(c);
}

/* --- functions of one operand, approximate
 * ------------------------------------------------------------------------- */

#define APPROXIMATE(name, value)                                                                                       \
	EXEC(name##_f32)                                                                                               \
	{                                                                                                              \
		f32 *d = R(0);                                                                                         \
		const f32 *a = R(1);                                                                                   \
		bool ftz = c->instr->form->mod[PTX_MOD_FTZ];                                                           \
		for (uint32_t rest = mask; rest; rest &= rest - 1) {                                                   \
			int i = __builtin_ctz(rest);                                                                   \
			double x = ftz ? flush(a[i]) : a[i];                                                           \
			float v = (float)(value);                                                                      \
			d[i] = canonical(ftz ? flush(v) : v);                                                          \
		}                                                                                                      \
	}
APPROXIMATE(rsqrt, 1 / sqrt(x))
APPROXIMATE(sin, sin(x))
APPROXIMATE(cos, cos(x))
APPROXIMATE(lg2, log2(x))
APPROXIMATE(ex2, exp2(x))
APPROXIMATE(tanh, tanh(x))
EXEC1(rsqrt_f64, f64, f64, with_nan2(1 / sqrt(a[i]), a[i], a[i]))

/* PTX ISA, rcp.approx.ftz.f64: 20 digits of fraction, the upper word, of the operand and of the result; the lower word
 * is not looked at and comes out 0. */
static inline double upper_word(double v)
{
	uint64_t bits;
	memcpy(&bits, &v, sizeof bits);
	bits &= ~(uint64_t)UINT32_MAX;
	memcpy(&v, &bits, sizeof v);
	return fabs(v) < 0x1p-1022 ? copysign(0, v) : v;
}

/* A NaN is positive and has all digits. Verified: CC 9.0 (H200). */
static inline uint64_t upper_word_result(double v)
{
	uint64_t bits;
	v = upper_word(v);
	memcpy(&bits, &v, sizeof bits);
	return v != v ? 0x7FFFFFFF00000000 : bits;
}

EXEC1(rcp_upper_word, u64, f64, upper_word_result(1 / upper_word(a[i])))
EXEC1(rsqrt_upper_word, u64, f64, upper_word_result(1 / sqrt(upper_word(a[i]))))

exec_fn *simt_pick_float_rcp(const struct code *c)
{
	bool approximate = c->instr->form->mod[PTX_MOD_APPROX];
	return form_type(c->instr) == PTX_F64 && approximate ? rcp_upper_word : pick_general(c);
}

exec_fn *simt_pick_float_rsqrt(const struct code *c)
{
	if (form_type(c->instr) == PTX_F64 && c->instr->form->mod[PTX_MOD_FTZ])
		return rsqrt_upper_word;
	return form_type(c->instr) == PTX_F32 ? rsqrt_f32 : rsqrt_f64;
}

#define PICK_ONE(name)                                                                                                 \
	exec_fn *simt_pick_float_##name(const struct code *c)                                                          \
	{                                                                                                              \
		(void)c;                                                                                               \
		return name##_f32;                                                                                     \
	}
PICK_ONE(sin)
PICK_ONE(cos)
PICK_ONE(lg2)
PICK_ONE(ex2)
PICK_ONE(tanh)

/* --- signs and order ---------------------------------------------------------------------------------------------- */

/* A number goes before NaN, -0 before +0; two NaN give the canonical one, in double precision the second, quiet.
 * Verified: CC 9.0 (H200). */
static inline float min_f(float x, float y)
{
	if (x != x || y != y)
		return canonical(x != x ? y : x);
	return x < y || (x == y && bits_of(x) >> 31) ? x : y;
}

static inline float max_f(float x, float y)
{
	if (x != x || y != y)
		return canonical(x != x ? y : x);
	return x > y || (x == y && !(bits_of(x) >> 31)) ? x : y;
}

static inline double min_d(double x, double y)
{
	if (x != x || y != y)
		return quiet(x != x ? y : x);
	return x < y || (x == y && signbit(x)) ? x : y;
}

static inline double max_d(double x, double y)
{
	if (x != x || y != y)
		return quiet(x != x ? y : x);
	return x > y || (x == y && !signbit(x)) ? x : y;
}

#define FTZ ((bool)c->instr->form->mod[PTX_MOD_FTZ])
EXEC2(min_f32, f32, f32, f32, min_f(maybe_flush(a[i], FTZ), maybe_flush(b[i], FTZ)))
EXEC2(max_f32, f32, f32, f32, max_f(maybe_flush(a[i], FTZ), maybe_flush(b[i], FTZ)))
EXEC2(min_f64, f64, f64, f64, min_d(a[i], b[i]))
EXEC2(max_f64, f64, f64, f64, max_d(a[i], b[i]))
/* .NaN: a NaN wins. .xorsign.abs: the magnitudes are compared; the sign is the product's. */
static inline float order_f(const struct ptx_form *form, bool smaller, float x, float y)
{
	bool ftz = form->mod[PTX_MOD_FTZ];
	uint32_t sign = 0;
	x = maybe_flush(x, ftz);
	y = maybe_flush(y, ftz);
	if (form->mod[PTX_MOD_NANS] && (x != x || y != y))
		return float_of(0x7FFFFFFF);
	if (form->mod[PTX_MOD_XORSIGN]) {
		sign = (bits_of(x) ^ bits_of(y)) & 0x80000000;
		x = float_of(bits_of(x) & 0x7FFFFFFF);
		y = float_of(bits_of(y) & 0x7FFFFFFF);
	}
	float v = smaller ? min_f(x, y) : max_f(x, y);
	return v == v ? float_of(bits_of(v) | sign) : v;
}

EXEC(order_f32)
{
	const struct ptx_form *form = c->instr->form;
	f32 *d = R(0);
	const f32 *a = R(1), *b = R(2);
	FOR_LANES(mask, d[i] = order_f(form, form->op == PTX_OP_MIN_FLOAT, a[i], b[i]));
}

/* In double precision a NaN keeps its sign, and becomes quiet. Verified: CC 9.0 (H200). */
static inline uint64_t neg_d(uint64_t bits)
{
	bool is_nan = (bits & ~(1ull << 63)) > 0x7FF0000000000000;
	return is_nan ? bits | 1ull << 51 : bits ^ 1ull << 63;
}

static inline uint64_t abs_d(uint64_t bits)
{
	bool is_nan = (bits & ~(1ull << 63)) > 0x7FF0000000000000;
	return is_nan ? bits | 1ull << 51 : bits & ~(1ull << 63);
}

/* A NaN comes out as the canonical one, its sign too. Verified: CC 9.0 (H200), tests/gpu/fixtures.sh. */
EXEC1(abs_f32, u32, u32, bits_of(canonical(maybe_flush(float_of(a[i]), FTZ))) & 0x7FFFFFFF)
EXEC1(neg_f32, f32, f32, canonical(-maybe_flush(a[i], FTZ)))
EXEC1(abs_f64, u64, u64, abs_d(a[i]))
EXEC1(neg_f64, u64, u64, neg_d(a[i]))
EXEC2(copysign_f32, u32, u32, u32, (a[i] & 0x80000000) | (b[i] & 0x7FFFFFFF))
EXEC2(copysign_f64, u64, u64, u64, (a[i] & 1ull << 63) | (b[i] & ~(1ull << 63)))

#define PICK_BOTH(name)                                                                                                \
	exec_fn *simt_pick_float_##name(const struct code *c)                                                          \
	{                                                                                                              \
		return form_type(c->instr) == PTX_F32 ? name##_f32 : name##_f64;                                       \
	}
PICK_BOTH(abs)
PICK_BOTH(neg)
PICK_BOTH(copysign)

static bool is_plain_order(const struct ptx_form *form)
{
	return !form->mod[PTX_MOD_NANS] && !form->mod[PTX_MOD_XORSIGN];
}

exec_fn *simt_pick_float_min(const struct code *c)
{
	if (!is_plain_order(c->instr->form))
		return order_f32;
	return form_type(c->instr) == PTX_F32 ? min_f32 : min_f64;
}

exec_fn *simt_pick_float_max(const struct code *c)
{
	if (!is_plain_order(c->instr->form))
		return order_f32;
	return form_type(c->instr) == PTX_F32 ? max_f32 : max_f64;
}
/* PTX ISA, testp: zero counts as normal. */
static bool has_property(int class, enum ptx_mod property)
{
	switch (property) {
	case PTX_TESTP_FINITE: return class != FP_INFINITE && class != FP_NAN;
	case PTX_TESTP_INFINITE: return class == FP_INFINITE;
	case PTX_TESTP_NUMBER: return class != FP_NAN;
	case PTX_TESTP_NOTANUMBER: return class == FP_NAN;
	case PTX_TESTP_NORMAL: return class == FP_NORMAL || class == FP_ZERO;
	default: return class == FP_SUBNORMAL;
	}
}

EXEC(testp)
{
	enum ptx_mod property = (enum ptx_mod)c->instr->form->mod[PTX_MOD_TESTP];
	bool is_f32 = form_type(c->instr) == PTX_F32;
	const f32 *narrow = R(1);
	const f64 *wide = R(1);
	uint32_t found = 0;
	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		int i = __builtin_ctz(rest);
		int class = is_f32 ? fpclassify(narrow[i]) : fpclassify(wide[i]);
		found |= has_property(class, property) ? rest & -rest : 0;
	}
	set_pred(R(0), mask, found);
}
PICK_ALWAYS(float_testp, testp)
