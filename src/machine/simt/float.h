/* machine/simt/float.h: how the GPU's floats differ from the host's. Inside simt/ only. */
#pragma once
#include <fenv.h>
#include <math.h>

#include "machine/ptx/program.h"
#include "machine/simt/lanes.h"

static inline uint32_t bits_of(float v)
{
	uint32_t bits;
	memcpy(&bits, &v, sizeof bits);
	return bits;
}

static inline float float_of(uint32_t bits)
{
	float v;
	memcpy(&v, &bits, sizeof v);
	return v;
}

/* .ftz: subnormals become zero of their sign. */
static inline float flush(float v)
{
	uint32_t bits = bits_of(v);
	return bits & 0x7F800000 ? v : float_of(bits & 0x80000000);
}

/* A NaN in double precision as an instruction gives it: quiet, its sign and the rest of it kept. */
static inline double quiet(double v)
{
	uint64_t bits;
	memcpy(&bits, &v, sizeof bits);
	bits |= (uint64_t)(v != v) << 51;
	memcpy(&v, &bits, sizeof v);
	return v;
}

/* The result v of an operation in double precision: where operands are NaN it is the first one that is, quiet; where
 * the operation itself makes a NaN, it is negative. Which operand is `first` is the caller's rule. ptxas may exchange
 * factors and summands. Verified: CC 9.0 (H200), all combinations of quiet and signaling NaN, numbers and
 * infinities. */
static inline double with_nan2(double v, double first, double second)
{
	double made = v != v ? -__builtin_nan("") : v;
	double last = second != second ? quiet(second) : made;
	return first != first ? quiet(first) : last;
}

static inline double with_nan3(double v, double first, double second, double third)
{
	return first != first ? quiet(first) : with_nan2(v, second, third);
}

/* Single precision results that are NaN are one and the same NaN, as PTX says; double precision keeps its payload. In
 * integers and without a choice, which the compiler turns into vectors. */
static inline float canonical(float v)
{
	uint32_t bits = bits_of(v), nan = 0 - (uint32_t)((bits & 0x7FFFFFFF) > 0x7F800000);
	return float_of((bits & ~nan) | (nan & 0x7FFFFFFF));
}

/* .sat: to 0..1, NaN to 0. */
static inline float saturate(float v)
{
	return v > 0 ? (v < 1 ? v : 1) : 0;
}

static inline double saturate64(double v)
{
	return v > 0 ? (v < 1 ? v : 1) : 0;
}

/* The host's rounding mode for a .rn .rz .rm .rp suffix. */
static inline int host_rounding(enum ptx_mod mode)
{
	switch (mode) {
	case PTX_RND_RZ: return FE_TOWARDZERO;
	case PTX_RND_RM: return FE_DOWNWARD;
	case PTX_RND_RP: return FE_UPWARD;
	default: return FE_TONEAREST;
	}
}

/* exec_plain.c: the executor of an add, sub, mul, div or fma that is rounded to nearest and has no other modifier. */
exec_fn *simt_plain_executor(const struct code *c);

/* --- floats narrower than single precision ------------------------------------------------------------------------ */

/* Arithmetic on them is done in double precision, which holds each of their values and each product of two exactly, and
 * is rounded once, when the result becomes narrow again. */

/* The bits of a value of the type (one byte of .e4m3x2 and .e5m2x2) as a number; exact. */
double simt_narrow_to_double(uint32_t bits, enum ptx_type type);

/* The number as a value of the type (one of .e4m3x2 and .e5m2x2): rounded as .rn .rz .rm .rp or .rna (half away from
 * zero) says, with subnormals; past the largest it is infinite, or the largest where the rounding stays inside. A NaN
 * is the canonical one, all ones but the sign. */
uint32_t simt_narrow_from_double(double v, enum ptx_type type, enum ptx_mod rounding);

/* The same with the rounding and the .sat, .relu and .satfinite of a form of cvt. */
uint32_t simt_narrow_convert(const struct ptx_form *form, enum ptx_type type, double v);

/* x + y to be rounded once more to a narrow type: where double precision is not enough the last bit is set (rounding to
 * odd), and then the second rounding gives what one rounding of the exact sum would. */
double simt_narrow_sum(double x, double y);

/* The type of one element: .f16 of .f16x2, .bf16 of .bf16x2, itself of others. */
enum ptx_type simt_narrow_element(enum ptx_type type);
