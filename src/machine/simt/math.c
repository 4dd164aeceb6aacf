/* The functions of libdevice, computed lane by lane with the host's C library: for PTX of clang, which calls them; nvcc
 * puts NVIDIA's own code in their place. */
#define _GNU_SOURCE
#include "machine/simt/code.h"

#include <math.h>
#include <string.h>

#include "machine/simt/lanes.h"
#include "machine/simt/warp_state.h"

/* --- what the C library lacks
 * ----------------------------------------------------------------------------------------- */

/* Of the half turns, exactly: an even number of them is none. */
static double turn(double halves)
{
	return remainder(halves, 2) * M_PI;
}

/* Where erfc is y: from an estimate of its logarithm, by Halley's steps until they no longer change anything. */
static double math_erfcinv(double y)
{
	if (!(y > 0 && y < 2))
		return y == 0 ? INFINITY : y == 2 ? -INFINITY : NAN;
	double tail = y < 1 ? y : 2 - y, t = sqrt(-2 * log(tail / 2));
	double x = -M_SQRT1_2 * ((2.30753 + t * 0.27061) / (1 + t * (0.99229 + t * 0.04481)) - t);
	for (int i = 0; i < 4; i++) {
		double step = (erfc(x) - tail) / (M_2_SQRTPI * exp(-x * x));
		x += step / (1 - x * step);
	}
	return y < 1 ? x : -x;
}

/* erf has more digits than erfc near 0. */
static double math_erfinv(double y)
{
	if (fabs(y) > 0.5)
		return y > 0 ? math_erfcinv(1 - y) : -math_erfcinv(1 + y);
	double x = y / M_2_SQRTPI;
	for (int i = 0; i < 6; i++) {
		double step = (erf(x) - y) / (M_2_SQRTPI * exp(-x * x));
		x -= step / (1 + x * step);
	}
	return x;
}

/* Within the range of a long double; past it by the first terms of its expansion. */
static double math_erfcx(double x)
{
	if (x > 100)
		return M_2_SQRTPI / 2 / x * (1 - 0.5 / (x * x) + 0.75 / (x * x * x * x));
	return (double)(expl((long double)x * x) * erfcl(x));
}

/* The power series, of which all terms have one sign; `order` is 0 or 1. */
static double bessel_i(double x, int order)
{
	long double quarter = (long double)x * x / 4, term = order ? (long double)x / 2 : 1, sum = term;
	if (!isfinite(x))
		return order ? x : x * x;
	for (int k = 1; fabsl(term) > fabsl(sum) * 0x1p-70L && isfinite(sum); k++) {
		term *= quarter / ((long double)k * (k + order));
		sum += term;
	}
	return (double)sum;
}

static double math_rhypot(double x, double y)
{
	return 1 / hypot(x, y);
}

/* The sign goes to a variable of the caller, and not to one of all threads. */
static double math_lgamma(double x)
{
	int sign;
	return lgamma_r(x, &sign);
}

static float math_lgammaf(float x)
{
	int sign;
	return lgammaf_r(x, &sign);
}

static double math_powi(double x, int n)
{
	return pow(x, n);
}

static float math_powif(float x, int n)
{
	return (float)pow((double)x, n);
}

/* The names that rows use: the C library's own, or those above; floats of the latter are rounded from doubles. */
#define ROUNDED(name)                                                                                                  \
	static float math_##name##f(float x)                                                                           \
	{                                                                                                              \
		return (float)math_##name((double)x);                                                                  \
	}
#define OURS(name, value)                                                                                              \
	static double math_##name(double x)                                                                            \
	{                                                                                                              \
		return value;                                                                                          \
	}                                                                                                              \
	ROUNDED(name)
OURS(sinpi, x == trunc(x) ? copysign(isfinite(x) ? 0 : NAN, x) : sin(turn(x)))
OURS(cospi, x == trunc(x) || fabs(x - trunc(x)) != 0.5 ? cos(turn(x)) : 0)
OURS(rcbrt, 1 / cbrt(x))
OURS(cyl_bessel_i0, bessel_i(x, 0))
OURS(cyl_bessel_i1, bessel_i(x, 1))
OURS(normcdf, 0.5 * erfc(-x * M_SQRT1_2))
OURS(normcdfinv, math_erfcinv(2 * x) * -M_SQRT2)
ROUNDED(erfcx)
ROUNDED(erfcinv)
ROUNDED(erfinv)
static float math_rhypotf(float x, float y)
{
	return (float)math_rhypot((double)x, (double)y);
}
#define THEIRS(name)                                                                                                   \
	static double (*const math_##name)(double) = name;                                                             \
	static float (*const math_##name##f)(float) = name##f;
THEIRS(acos)
THEIRS(acosh)
THEIRS(asin)
THEIRS(asinh)
THEIRS(atan)
THEIRS(atanh)
THEIRS(cbrt)
THEIRS(cos)
THEIRS(cosh)
THEIRS(erf)
THEIRS(erfc)
THEIRS(exp)
THEIRS(exp10)
THEIRS(exp2)
THEIRS(expm1)
THEIRS(j0)
THEIRS(j1)
THEIRS(log)
THEIRS(log10)
THEIRS(log1p)
THEIRS(log2)
THEIRS(logb)
THEIRS(sin)
THEIRS(sinh)
THEIRS(tan)
THEIRS(tanh)
THEIRS(tgamma)
THEIRS(y0)
THEIRS(y1)
#define THEIRS2(name)                                                                                                  \
	static double (*const math_##name)(double, double) = name;                                                     \
	static float (*const math_##name##f)(float, float) = name##f;
THEIRS2(atan2)
THEIRS2(fmod)
THEIRS2(hypot)
THEIRS2(nextafter)
THEIRS2(pow)
THEIRS2(remainder)
static double (*const math_ldexp)(double, int) = ldexp;
static float (*const math_ldexpf)(float, int) = ldexpf;
static double (*const math_jn)(int, double) = jn;
static float (*const math_jnf)(int, float) = jnf;
static double (*const math_yn)(int, double) = yn;
static float (*const math_ynf)(int, float) = ynf;
static int (*const math_ilogb)(double) = ilogb;
static int (*const math_ilogbf)(float) = ilogbf;

/* --- lane by lane
 * ----------------------------------------------------------------------------------------------------- */

static double double_argument(const struct warp *w, const struct code *c, int n, int lane)
{
	uint64_t bits = simt_call_argument(w, c, n, lane);
	double value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

static float float_argument(const struct warp *w, const struct code *c, int n, int lane)
{
	uint32_t bits = (uint32_t)simt_call_argument(w, c, n, lane);
	float value;
	memcpy(&value, &bits, sizeof value);
	return value;
}

static int int_argument(const struct warp *w, const struct code *c, int n, int lane)
{
	return (int)(uint32_t)simt_call_argument(w, c, n, lane);
}

static uint64_t double_bits(double value)
{
	uint64_t bits;
	memcpy(&bits, &value, sizeof bits);
	return bits;
}

static uint64_t float_bits(float value)
{
	uint32_t bits;
	memcpy(&bits, &value, sizeof bits);
	return bits;
}

static uint64_t int_bits(int value)
{
	return (uint32_t)value;
}

/* EXEC of a function: what it gives as bits of `result`, of `call` on what the lane passes. */
#define EACH_LANE(name, result, call)                                                                                  \
	EXEC(exec_##name)                                                                                              \
	{                                                                                                              \
		for (uint32_t rest = mask; rest; rest &= rest - 1) {                                                   \
			int lane = __builtin_ctz(rest);                                                                \
			simt_call_result(w, c, lane, result##_bits(math_##name call));                                 \
		}                                                                                                      \
	}
#define MATH1(name, meaning)                                                                                           \
	EACH_LANE(name, double, (double_argument(w, c, 0, lane)))                                                      \
	EACH_LANE(name##f, float, (float_argument(w, c, 0, lane)))
#define MATH2(name, meaning)                                                                                           \
	EACH_LANE(name, double, (double_argument(w, c, 0, lane), double_argument(w, c, 1, lane)))                      \
	EACH_LANE(name##f, float, (float_argument(w, c, 0, lane), float_argument(w, c, 1, lane)))
#define MATH_INT(name, meaning)                                                                                        \
	EACH_LANE(name, double, (double_argument(w, c, 0, lane), int_argument(w, c, 1, lane)))                         \
	EACH_LANE(name##f, float, (float_argument(w, c, 0, lane), int_argument(w, c, 1, lane)))
#define MATH_ORDER(name, meaning)                                                                                      \
	EACH_LANE(name, double, (int_argument(w, c, 0, lane), double_argument(w, c, 1, lane)))                         \
	EACH_LANE(name##f, float, (int_argument(w, c, 0, lane), float_argument(w, c, 1, lane)))
#define MATH_TO_INT(name, meaning)                                                                                     \
	EACH_LANE(name, int, (double_argument(w, c, 0, lane)))                                                         \
	EACH_LANE(name##f, int, (float_argument(w, c, 0, lane)))
#include "machine/ptx/libdevice.def"
#undef MATH1
#undef MATH2
#undef MATH_INT
#undef MATH_ORDER
#undef MATH_TO_INT

exec_fn *simt_math_exec(enum ptx_builtin builtin)
{
	static exec_fn *const execs[PTX_BUILTINS] = {
#define ROW(name, meaning) [PTX_BUILTIN_NV_##name] = exec_##name, [PTX_BUILTIN_NV_##name##f] = exec_##name##f,
#define MATH1 ROW
#define MATH2 ROW
#define MATH_INT ROW
#define MATH_ORDER ROW
#define MATH_TO_INT ROW
#include "machine/ptx/libdevice.def"
	};
	return execs[builtin];
}
