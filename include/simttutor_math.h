/* simttutor_math.h: CUDA's mathematics for the device. What PTX has an instruction for is one; the rest are calls of __nv_ functions,
 * which the machine computes with the host's library. The device's functions have the names of the C library's, which are the host's. */
#pragma once
#include "simttutor_keywords.h"

#include <math.h>
#include <stdlib.h>
#include <cmath>

/* --- calls ------------------------------------------------------------------------------------------------------------ */

#define SIMT_CALL(name, parameters, arguments, parametersf, argumentsf)                                                \
	extern "C" __device__ double __nv_##name parameters;                                                           \
	extern "C" __device__ float __nv_##name##f parametersf;                                                        \
	SIMT_DEVICE double name parameters                                                                             \
	{                                                                                                              \
		return __nv_##name arguments;                                                                          \
	}                                                                                                              \
	SIMT_DEVICE float name##f parametersf                                                                          \
	{                                                                                                              \
		return __nv_##name##f argumentsf;                                                                      \
	}                                                                                                              \
	SIMT_DEVICE float name parametersf                                                                             \
	{                                                                                                              \
		return __nv_##name##f argumentsf;                                                                      \
	}
/* Of an int, too, which the C++ library's templates would call the host's function for. */
#define SIMT_OF_INT(name)                                                                                              \
	SIMT_DEVICE double name(int x)                                                                                 \
	{                                                                                                              \
		return name((double)x);                                                                                \
	}
#define SIMT_MATH1(name)                                                                                               \
	SIMT_CALL(name, (double x), (x), (float x), (x))                                                               \
	SIMT_OF_INT(name)
#define SIMT_MATH2(name) SIMT_CALL(name, (double x, double y), (x, y), (float x, float y), (x, y))
SIMT_MATH1(acos)
SIMT_MATH1(acosh)
SIMT_MATH1(asin)
SIMT_MATH1(asinh)
SIMT_MATH1(atan)
SIMT_MATH1(atanh)
SIMT_MATH1(cbrt)
SIMT_MATH1(cos)
SIMT_MATH1(cosh)
SIMT_MATH1(cospi)
SIMT_MATH1(cyl_bessel_i0)
SIMT_MATH1(cyl_bessel_i1)
SIMT_MATH1(erf)
SIMT_MATH1(erfc)
SIMT_MATH1(erfcinv)
SIMT_MATH1(erfcx)
SIMT_MATH1(erfinv)
SIMT_MATH1(exp)
SIMT_MATH1(exp10)
SIMT_MATH1(exp2)
SIMT_MATH1(expm1)
SIMT_MATH1(j0)
SIMT_MATH1(j1)
SIMT_MATH1(lgamma)
SIMT_MATH1(log)
SIMT_MATH1(log10)
SIMT_MATH1(log1p)
SIMT_MATH1(log2)
SIMT_MATH1(logb)
SIMT_MATH1(normcdf)
SIMT_MATH1(normcdfinv)
SIMT_MATH1(rcbrt)
SIMT_MATH1(sin)
SIMT_MATH1(sinh)
SIMT_MATH1(sinpi)
SIMT_MATH1(tan)
SIMT_MATH1(tanh)
SIMT_MATH1(tgamma)
SIMT_MATH1(y0)
SIMT_MATH1(y1)
SIMT_MATH2(atan2)
SIMT_MATH2(fmod)
SIMT_MATH2(hypot)
SIMT_MATH2(nextafter)
SIMT_MATH2(pow)
SIMT_MATH2(remainder)
SIMT_MATH2(rhypot)
SIMT_CALL(ldexp, (double x, int n), (x, n), (float x, int n), (x, n))
SIMT_CALL(powi, (double x, int n), (x, n), (float x, int n), (x, n))
SIMT_CALL(jn, (int n, double x), (n, x), (int n, float x), (n, x))
SIMT_CALL(yn, (int n, double x), (n, x), (int n, float x), (n, x))
#undef SIMT_MATH1
#undef SIMT_MATH2
#undef SIMT_CALL
extern "C" __device__ int __nv_ilogb(double x);
extern "C" __device__ int __nv_ilogbf(float x);
SIMT_DEVICE int ilogb(double x)
{
	return __nv_ilogb(x);
}
SIMT_DEVICE int ilogbf(float x)
{
	return __nv_ilogbf(x);
}
SIMT_DEVICE int ilogb(float x)
{
	return __nv_ilogbf(x);
}

/* --- instructions ----------------------------------------------------------------------------------------------------- */

/* Of doubles and of floats, by what clang has built in. */
#define SIMT_BUILTIN(name, parameters, parametersf, value, valuef)                                                     \
	SIMT_DEVICE double name parameters                                                                             \
	{                                                                                                              \
		return value;                                                                                          \
	}                                                                                                              \
	SIMT_DEVICE float name##f parametersf                                                                          \
	{                                                                                                              \
		return valuef;                                                                                         \
	}                                                                                                              \
	SIMT_DEVICE float name parametersf                                                                             \
	{                                                                                                              \
		return valuef;                                                                                         \
	}
#define SIMT_BUILTIN1(name) SIMT_BUILTIN(name, (double x), (float x), __builtin_##name(x), __builtin_##name##f(x))
SIMT_BUILTIN1(fabs)
SIMT_BUILTIN1(floor)
SIMT_BUILTIN1(ceil)
SIMT_BUILTIN1(trunc)
SIMT_BUILTIN1(rint)
SIMT_BUILTIN1(nearbyint)
SIMT_BUILTIN(sqrt, (double x), (float x), __nvvm_sqrt_rn_d(x), __nvvm_sqrt_rn_f(x))
SIMT_OF_INT(sqrt)
SIMT_OF_INT(fabs)
SIMT_OF_INT(floor)
SIMT_OF_INT(ceil)
#undef SIMT_OF_INT
SIMT_BUILTIN(rsqrt, (double x), (float x), 1 / __nvvm_sqrt_rn_d(x), __nvvm_rsqrt_approx_f(x))
SIMT_BUILTIN(round, (double x), (float x), __builtin_copysign(__builtin_floor(__builtin_fabs(x) + (__builtin_fabs(x) < 0x1p52 && __builtin_fabs(x) != 0x1.fffffffffffffp-2 ? 0.5 : 0)), x),
	__builtin_copysignf(
		__builtin_floorf(__builtin_fabsf(x) +
			(__builtin_fabsf(x) < 0x1p23f && __builtin_fabsf(x) != 0x1.fffffep-2f ? 0.5f : 0)),
		x))
SIMT_BUILTIN(fma, (double x, double y, double z), (float x, float y, float z), __nvvm_fma_rn_d(x, y, z),
	__nvvm_fma_rn_f(x, y, z))
SIMT_BUILTIN(fmin, (double x, double y), (float x, float y), __nvvm_fmin_d(x, y), __nvvm_fmin_f(x, y))
SIMT_BUILTIN(fmax, (double x, double y), (float x, float y), __nvvm_fmax_d(x, y), __nvvm_fmax_f(x, y))
SIMT_BUILTIN(copysign, (double x, double y), (float x, float y), __builtin_copysign(x, y), __builtin_copysignf(x, y))
SIMT_BUILTIN(fdim, (double x, double y), (float x, float y), x > y ? x - y : x == x && y == y ? 0 : x + y,
	x > y ? x - y : x == x && y == y ? 0 : x + y)
SIMT_BUILTIN(scalbn, (double x, int n), (float x, int n), ldexp(x, n), ldexpf(x, n))
SIMT_BUILTIN(norm3d, (double x, double y, double z), (float x, float y, float z),
	__nvvm_sqrt_rn_d(x * x + y * y + z * z), __nvvm_sqrt_rn_f(x * x + y * y + z * z))
SIMT_BUILTIN(rnorm3d, (double x, double y, double z), (float x, float y, float z),
	1 / __nvvm_sqrt_rn_d(x * x + y * y + z * z), 1 / __nvvm_sqrt_rn_f(x * x + y * y + z * z))
SIMT_BUILTIN(norm4d, (double x, double y, double z, double w), (float x, float y, float z, float w),
	__nvvm_sqrt_rn_d(x * x + y * y + z * z + w * w), __nvvm_sqrt_rn_f(x * x + y * y + z * z + w * w))
SIMT_BUILTIN(rnorm4d, (double x, double y, double z, double w), (float x, float y, float z, float w),
	1 / norm4d(x, y, z, w), 1 / norm4df(x, y, z, w))
SIMT_BUILTIN(scalbln, (double x, long n), (float x, long n),
	ldexp(x, n > 5000 ? 5000 : n < -5000 ? -5000 : (int)n), ldexpf(x, n > 5000 ? 5000 : n < -5000 ? -5000 : (int)n))
/* The last bits of the quotient, and its sign: of the remainder for eight times y, which is exact. */
SIMT_BUILTIN(remquo, (double x, double y, int *q), (float x, float y, int *q),
	(*q = (int)__builtin_rint((__nv_fmod(x, 8 * y) - __nv_remainder(x, y)) / y), __nv_remainder(x, y)),
	(*q = (int)__builtin_rintf((__nv_fmodf(x, 8 * y) - __nv_remainderf(x, y)) / y), __nv_remainderf(x, y)))
SIMT_BUILTIN(modf, (double x, double *whole), (float x, float *whole),
	(*whole = __builtin_trunc(x), __builtin_copysign(__builtin_isinf(x) ? 0 : x - *whole, x)),
	(*whole = __builtin_truncf(x), __builtin_copysignf(__builtin_isinf(x) ? 0 : x - *whole, x)))
SIMT_BUILTIN(frexp, (double x, int *n), (float x, int *n),
	(x == 0 || __builtin_isinf(x) || __builtin_isnan(x) ? (*n = 0, x)
							    : (*n = __nv_ilogb(x) + 1, __nv_ldexp(x, -*n))),
	(x == 0 || __builtin_isinf(x) || __builtin_isnan(x) ? (*n = 0, x)
							    : (*n = __nv_ilogbf(x) + 1, __nv_ldexpf(x, -*n))))
#undef SIMT_BUILTIN1
#undef SIMT_BUILTIN

/* The length of a vector of n, and one divided by it. */
SIMT_DEVICE double norm(int n, const double *v)
{
	double sum = 0;
	for (int i = 0; i < n; i++)
		sum = fma(v[i], v[i], sum);
	return __nvvm_sqrt_rn_d(sum);
}
SIMT_DEVICE float normf(int n, const float *v)
{
	double sum = 0;
	for (int i = 0; i < n; i++)
		sum += (double)v[i] * v[i];
	return (float)__nvvm_sqrt_rn_d(sum);
}
SIMT_DEVICE double rnorm(int n, const double *v)
{
	return 1 / norm(n, v);
}
SIMT_DEVICE float rnormf(int n, const float *v)
{
	return 1 / normf(n, v);
}

SIMT_DEVICE void sincos(double x, double *sine, double *cosine)
{
	*sine = sin(x);
	*cosine = cos(x);
}
SIMT_DEVICE void sincosf(float x, float *sine, float *cosine)
{
	*sine = sinf(x);
	*cosine = cosf(x);
}
SIMT_DEVICE void sincospi(double x, double *sine, double *cosine)
{
	*sine = sinpi(x);
	*cosine = cospi(x);
}
SIMT_DEVICE void sincospif(float x, float *sine, float *cosine)
{
	*sine = sinpif(x);
	*cosine = cospif(x);
}
SIMT_DEVICE float fdividef(float x, float y)
{
	return x / y;
}

#define SIMT_TO_INT(type, name, from)                                                                                  \
	SIMT_DEVICE type name(double x)                                                                                \
	{                                                                                                              \
		return (type)from(x);                                                                                  \
	}                                                                                                              \
	SIMT_DEVICE type name##f(float x)                                                                              \
	{                                                                                                              \
		return (type)from##f(x);                                                                               \
	}                                                                                                              \
	SIMT_DEVICE type name(float x)                                                                                 \
	{                                                                                                              \
		return (type)from##f(x);                                                                               \
	}
SIMT_TO_INT(long, lround, round)
SIMT_TO_INT(long long, llround, round)
SIMT_TO_INT(long, lrint, rint)
SIMT_TO_INT(long long, llrint, rint)
#undef SIMT_TO_INT

#define SIMT_CLASS(name, type, value)                                                                                  \
	SIMT_DEVICE bool name(type x)                                                                                  \
	{                                                                                                              \
		return value;                                                                                          \
	}
#undef isnan
#undef isinf
#undef isfinite
#undef signbit
SIMT_CLASS(isnan, double, x != x)
SIMT_CLASS(isnan, float, x != x)
SIMT_CLASS(isinf, double, __builtin_fabs(x) == __builtin_inf())
SIMT_CLASS(isinf, float, __builtin_fabsf(x) == __builtin_inff())
SIMT_CLASS(isfinite, double, __builtin_fabs(x) < __builtin_inf())
SIMT_CLASS(isfinite, float, __builtin_fabsf(x) < __builtin_inff())
SIMT_CLASS(signbit, double, __builtin_bit_cast(long long, x) < 0)
SIMT_CLASS(signbit, float, __builtin_bit_cast(int, x) < 0)
#undef SIMT_CLASS
SIMT_DEVICE float nanf(const char *)
{
	return __builtin_nanf("");
}
SIMT_DEVICE double nan(const char *)
{
	return __builtin_nan("");
}

/* --- whole numbers ---------------------------------------------------------------------------------------------------- */

#define SIMT_ABS(name, type)                                                                                           \
	SIMT_DEVICE type name(type x)                                                                                  \
	{                                                                                                              \
		return x < 0 ? -x : x;                                                                                 \
	}
SIMT_ABS(abs, int)
SIMT_ABS(abs, long)
SIMT_ABS(abs, long long)
SIMT_ABS(labs, long)
SIMT_ABS(llabs, long long)
#undef SIMT_ABS
SIMT_DEVICE float abs(float x)
{
	return __builtin_fabsf(x);
}
SIMT_DEVICE double abs(double x)
{
	return __builtin_fabs(x);
}
SIMT_DEVICE float pow(float x, int n)
{
	return __nv_powif(x, n);
}
SIMT_DEVICE double pow(double x, int n)
{
	return __nv_powi(x, n);
}

/* Of two types: in the C++ library these are the host's. */
#define SIMT_MIXED2(name, a_type, b_type)                                                                              \
	SIMT_DEVICE double name(a_type x, b_type y)                                                                    \
	{                                                                                                              \
		return name((double)x, (double)y);                                                                     \
	}
#define SIMT_MIXED_FLOATS(name)                                                                                        \
	SIMT_MIXED2(name, float, double)                                                                               \
	SIMT_MIXED2(name, double, float)                                                                               \
	SIMT_MIXED2(name, int, double)                                                                                 \
	SIMT_MIXED2(name, int, float)                                                                                  \
	SIMT_MIXED2(name, int, int)
#define SIMT_MIXED_INT(name)                                                                                           \
	SIMT_MIXED_FLOATS(name)                                                                                        \
	SIMT_MIXED2(name, double, int)                                                                                 \
	SIMT_MIXED2(name, float, int)
SIMT_MIXED_FLOATS(pow)
SIMT_MIXED_INT(fmax)
SIMT_MIXED_INT(fmin)
SIMT_MIXED_INT(fmod)
SIMT_MIXED_INT(atan2)
SIMT_MIXED_INT(hypot)
#undef SIMT_MIXED_INT
#undef SIMT_MIXED_FLOATS
#undef SIMT_MIXED2

/* The common type of two is as in C; floats by fmin and fmax, so that a NaN loses. On the host, too, as nvcc has it. */
#define SIMT_LESS(type)                                                                                                \
	SIMT_BOTH type min(type a, type b)                                                                             \
	{                                                                                                              \
		return b < a ? b : a;                                                                                  \
	}                                                                                                              \
	SIMT_BOTH type max(type a, type b)                                                                             \
	{                                                                                                              \
		return a < b ? b : a;                                                                                  \
	}
SIMT_LESS(int)
SIMT_LESS(unsigned int)
SIMT_LESS(long)
SIMT_LESS(unsigned long)
SIMT_LESS(long long)
SIMT_LESS(unsigned long long)
#undef SIMT_LESS
#define SIMT_MIXED(type, a_type, b_type)                                                                               \
	SIMT_BOTH type min(a_type a, b_type b)                                                                         \
	{                                                                                                              \
		return min((type)a, (type)b);                                                                          \
	}                                                                                                              \
	SIMT_BOTH type max(a_type a, b_type b)                                                                         \
	{                                                                                                              \
		return max((type)a, (type)b);                                                                          \
	}
SIMT_MIXED(unsigned int, int, unsigned int)
SIMT_MIXED(unsigned int, unsigned int, int)
SIMT_MIXED(unsigned long, long, unsigned long)
SIMT_MIXED(unsigned long, unsigned long, long)
SIMT_MIXED(unsigned long long, long long, unsigned long long)
SIMT_MIXED(unsigned long long, unsigned long long, long long)
#undef SIMT_MIXED
#define SIMT_FLOATS(type, a_type, b_type, least, most)                                                                 \
	SIMT_BOTH type min(a_type a, b_type b)                                                                         \
	{                                                                                                              \
		return least;                                                                                          \
	}                                                                                                              \
	SIMT_BOTH type max(a_type a, b_type b)                                                                         \
	{                                                                                                              \
		return most;                                                                                           \
	}
SIMT_FLOATS(float, float, float, a < b || b != b ? a : b, a > b || b != b ? a : b)
SIMT_FLOATS(double, double, double, a < b || b != b ? a : b, a > b || b != b ? a : b)
SIMT_FLOATS(double, float, double, min((double)a, b), max((double)a, b))
SIMT_FLOATS(double, double, float, min(a, (double)b), max(a, (double)b))
#undef SIMT_FLOATS
#define SIMT_NAMED_LESS(prefix, type)                                                                                  \
	SIMT_DEVICE type prefix##min(type a, type b)                                                                   \
	{                                                                                                              \
		return b < a ? b : a;                                                                                  \
	}                                                                                                              \
	SIMT_DEVICE type prefix##max(type a, type b)                                                                   \
	{                                                                                                              \
		return a < b ? b : a;                                                                                  \
	}
SIMT_NAMED_LESS(u, unsigned int)
SIMT_NAMED_LESS(ll, long long)
SIMT_NAMED_LESS(ull, unsigned long long)
#undef SIMT_NAMED_LESS

/* The host's own of those that the C library lacks. */
#define SIMT_HOST(name, value)                                                                                         \
	__host__ inline double name(double x)                                                                          \
	{                                                                                                              \
		return value;                                                                                          \
	}                                                                                                              \
	__host__ inline float name##f(float x)                                                                         \
	{                                                                                                              \
		return (float)name((double)x);                                                                         \
	}
SIMT_HOST(rcbrt, 1 / __builtin_cbrt(x))
SIMT_HOST(normcdf, 0.5 * __builtin_erfc(-x * 0.70710678118654752440))
SIMT_HOST(sinpi, __builtin_sin(3.14159265358979323846 * __builtin_remainder(x, 2)))
SIMT_HOST(cospi, __builtin_cos(3.14159265358979323846 * __builtin_remainder(x, 2)))
#undef SIMT_HOST
__host__ inline float rsqrtf(float x)
{
	return 1 / __builtin_sqrtf(x);
}
__host__ inline double rsqrt(double x)
{
	return 1 / __builtin_sqrt(x);
}

/* --- in the C++ library's names --------------------------------------------------------------------------------------- */

namespace std {
using ::abs;
using ::acos;
using ::acosh;
using ::asin;
using ::asinh;
using ::atan;
using ::atan2;
using ::atanh;
using ::cbrt;
using ::ceil;
using ::copysign;
using ::cos;
using ::cosh;
using ::erf;
using ::erfc;
using ::exp;
using ::exp2;
using ::expm1;
using ::fabs;
using ::fdim;
using ::floor;
using ::fma;
using ::fmax;
using ::fmin;
using ::fmod;
using ::frexp;
using ::hypot;
using ::ilogb;
using ::isfinite;
using ::isinf;
using ::isnan;
using ::ldexp;
using ::lgamma;
using ::llrint;
using ::llround;
using ::log;
using ::log10;
using ::log1p;
using ::log2;
using ::logb;
using ::lrint;
using ::lround;
using ::modf;
using ::nearbyint;
using ::nextafter;
using ::pow;
using ::remainder;
using ::remquo;
using ::rint;
using ::round;
using ::scalbln;
using ::scalbn;
using ::signbit;
using ::sin;
using ::sinh;
using ::sqrt;
using ::tan;
using ::tanh;
using ::tgamma;
using ::trunc;
}
