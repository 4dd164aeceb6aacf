/* cuda_fp16.h: numbers of 16 bits with 5 bits of exponent, and pairs of them. On the device by PTX's instructions; on the host, which
 * lacks them, through floats, rounded to nearest even. */
#pragma once
#include "cuda_runtime.h"
#include "simttutor_narrow.h"

struct __half_raw {
	unsigned short x;
};

/* The nearest half of a float, ties to even, and the float that a half is. */
SIMT_BOTH unsigned short simt_half_of_float(float f)
{
#ifdef __CUDA_ARCH__
	unsigned short h;
	asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(f));
	return h;
#else
	unsigned int bits = __builtin_bit_cast(unsigned int, f), sign = bits >> 16 & 0x8000, rest = bits & 0x7FFFFFFF;
	if (rest > 0x7F800000)
		return 0x7FFF;
	if (rest >= 0x47800000) /* 65536 and more */
		return (unsigned short)(sign | 0x7C00);
	if (rest < 0x38800000) { /* subnormal: a multiple of 2^-24, which adding 0.5 rounds to */
		float shifted = __builtin_bit_cast(float, rest) + 0.5f;
		return (unsigned short)(sign | (__builtin_bit_cast(unsigned int, shifted) - 0x3F000000));
	}
	rest += 0xFFF + (rest >> 13 & 1);
	return (unsigned short)(sign | ((rest - 0x38000000) >> 13));
#endif
}
SIMT_BOTH float simt_float_of_half(unsigned short h)
{
#ifdef __CUDA_ARCH__
	float f;
	asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h));
	return f;
#else
	unsigned int sign = (unsigned int)(h & 0x8000) << 16, rest = h & 0x7FFF;
	if (rest >= 0x7C00)
		return __builtin_bit_cast(float, sign | 0x7F800000 | (rest & 0x3FF) << 13);
	float magnitude = rest < 0x400 ? (float)rest * 0x1p-24f
				       : __builtin_bit_cast(float, (rest << 13) + 0x38000000);
	return sign ? -magnitude : magnitude;
#endif
}

struct __half {
	unsigned short __x;
	__half() = default;
	SIMT_MEMBER __half(const __half_raw &raw) : __x(raw.x)
	{
	}
#define SIMT_FROM(type)                                                                                                \
	SIMT_MEMBER __half(type v) : __x(simt_half_of_float((float)v))                                                 \
	{                                                                                                              \
	}                                                                                                              \
	SIMT_MEMBER __half &operator=(type v)                                                                          \
	{                                                                                                              \
		__x = simt_half_of_float((float)v);                                                                    \
		return *this;                                                                                          \
	}
	SIMT_FROM(float)
	SIMT_FROM(double)
	SIMT_FROM(int)
	SIMT_FROM(unsigned int)
	SIMT_FROM(long long)
	SIMT_FROM(unsigned long long)
	SIMT_FROM(short)
	SIMT_FROM(unsigned short)
#undef SIMT_FROM
	SIMT_MEMBER operator float() const
	{
		return simt_float_of_half(__x);
	}
	SIMT_MEMBER operator __half_raw() const
	{
		return __half_raw{__x};
	}
};
typedef __half half;

struct __attribute__((aligned(4))) __half2 {
	__half x, y;
	__half2() = default;
	SIMT_MEMBER __half2(const __half &x, const __half &y) : x(x), y(y)
	{
	}
};
typedef __half2 half2;

/* --- conversions ------------------------------------------------------------------------------------------------------ */

SIMT_BOTH __half simt_half_of_bits(unsigned short bits)
{
	return __half(__half_raw{bits});
}
SIMT_BOTH __half __float2half(float f)
{
	return simt_half_of_bits(simt_half_of_float(f));
}
SIMT_BOTH __half __float2half_rn(float f)
{
	return __float2half(f);
}
SIMT_BOTH __half __double2half(double d)
{
	return __float2half((float)d);
}
SIMT_BOTH float __half2float(__half h)
{
	return simt_float_of_half(h.__x);
}
SIMT_BOTH __half2 __float2half2_rn(float f)
{
	return __half2(__float2half(f), __float2half(f));
}
SIMT_BOTH __half2 __floats2half2_rn(float x, float y)
{
	return __half2(__float2half(x), __float2half(y));
}
SIMT_BOTH __half2 __float22half2_rn(float2 f)
{
	return __floats2half2_rn(f.x, f.y);
}
SIMT_BOTH float2 __half22float2(__half2 h)
{
	return make_float2(__half2float(h.x), __half2float(h.y));
}
SIMT_BOTH __half2 __half2half2(__half h)
{
	return __half2(h, h);
}
SIMT_BOTH __half2 __halves2half2(__half x, __half y)
{
	return __half2(x, y);
}
SIMT_BOTH __half2 make_half2(__half x, __half y)
{
	return __half2(x, y);
}
SIMT_BOTH __half __low2half(__half2 h)
{
	return h.x;
}
SIMT_BOTH __half __high2half(__half2 h)
{
	return h.y;
}
SIMT_BOTH float __low2float(__half2 h)
{
	return __half2float(h.x);
}
SIMT_BOTH float __high2float(__half2 h)
{
	return __half2float(h.y);
}
SIMT_BOTH __half2 __low2half2(__half2 h)
{
	return __half2(h.x, h.x);
}
SIMT_BOTH __half2 __high2half2(__half2 h)
{
	return __half2(h.y, h.y);
}
SIMT_BOTH __half2 __lowhigh2highlow(__half2 h)
{
	return __half2(h.y, h.x);
}
SIMT_BOTH unsigned short __half_as_ushort(__half h)
{
	return h.__x;
}
SIMT_BOTH short __half_as_short(__half h)
{
	return (short)h.__x;
}
SIMT_BOTH __half __ushort_as_half(unsigned short bits)
{
	return simt_half_of_bits(bits);
}
SIMT_BOTH __half __short_as_half(short bits)
{
	return simt_half_of_bits((unsigned short)bits);
}
SIMT_BOTH __half __int2half_rn(int i)
{
	return __float2half((float)i);
}
SIMT_BOTH __half __uint2half_rn(unsigned int i)
{
	return __float2half((float)i);
}
/* The neighbor in a direction, where the nearest half lies beyond the float. */
SIMT_BOTH __half __float2half_rz(float f)
{
	__half h = __float2half(f);
	bool past = __builtin_fabsf(__half2float(h)) > __builtin_fabsf(f);
	return past ? simt_half_of_bits((unsigned short)(h.__x - 1)) : h;
}
SIMT_BOTH __half __float2half_rd(float f)
{
	__half h = __float2half(f);
	if (!(__half2float(h) > f))
		return h;
	return simt_half_of_bits((unsigned short)(h.__x == 0 ? 0x8001 : h.__x & 0x8000 ? h.__x + 1 : h.__x - 1));
}
SIMT_BOTH __half __float2half_ru(float f)
{
	__half h = __float2half(f);
	if (!(__half2float(h) < f))
		return h;
	return simt_half_of_bits((unsigned short)(h.__x == 0x8000 ? 1 : h.__x & 0x8000 ? h.__x - 1 : h.__x + 1));
}
#define SIMT_HALF_TO(name, type, least, most)                                                                          \
	SIMT_BOTH type simt_##name##_of(float f)                                                                       \
	{                                                                                                              \
		return f != f ? 0 : f <= (float)(least) ? (type)(least) : f >= (float)(most) ? (type)(most) : (type)f; \
	}                                                                                                              \
	SIMT_BOTH type __half2##name##_rn(__half h)                                                                    \
	{                                                                                                              \
		return simt_##name##_of(__builtin_rintf(__half2float(h)));                                             \
	}                                                                                                              \
	SIMT_BOTH type __half2##name##_rz(__half h)                                                                    \
	{                                                                                                              \
		return simt_##name##_of(__builtin_truncf(__half2float(h)));                                            \
	}                                                                                                              \
	SIMT_BOTH type __half2##name##_rd(__half h)                                                                    \
	{                                                                                                              \
		return simt_##name##_of(__builtin_floorf(__half2float(h)));                                            \
	}                                                                                                              \
	SIMT_BOTH type __half2##name##_ru(__half h)                                                                    \
	{                                                                                                              \
		return simt_##name##_of(__builtin_ceilf(__half2float(h)));                                             \
	}
SIMT_HALF_TO(int, int, -2147483648.0f, 2147483647)
SIMT_HALF_TO(uint, unsigned int, 0, 4294967295u)
SIMT_HALF_TO(short, short, -32768, 32767)
SIMT_HALF_TO(ushort, unsigned short, 0, 65535)
SIMT_HALF_TO(ll, long long, -9223372036854775808.0f, 9223372036854775807ll)
SIMT_HALF_TO(ull, unsigned long long, 0, 18446744073709551615ull)
#undef SIMT_HALF_TO
SIMT_BOTH __half __short2half_rn(short i)
{
	return __float2half((float)i);
}
SIMT_BOTH __half __ushort2half_rn(unsigned short i)
{
	return __float2half((float)i);
}
SIMT_BOTH __half2 __lows2half2(__half2 a, __half2 b)
{
	return __half2(a.x, b.x);
}
SIMT_BOTH __half2 __highs2half2(__half2 a, __half2 b)
{
	return __half2(a.y, b.y);
}

/* --- arithmetic ------------------------------------------------------------------------------------------------------- */

SIMT_BOTH unsigned int simt_bits(__half2 h)
{
	return (unsigned int)h.y.__x << 16 | h.x.__x;
}
SIMT_BOTH __half2 simt_half2_of_bits(unsigned int bits)
{
	return __half2(simt_half_of_bits((unsigned short)bits), simt_half_of_bits((unsigned short)(bits >> 16)));
}

#ifdef __CUDA_ARCH__
#define SIMT_HALF2(name, op, value)                                                                                    \
	SIMT_BOTH __half name(__half a, __half b)                                                                      \
	{                                                                                                              \
		unsigned short d;                                                                                      \
		asm(op ".f16 %0, %1, %2;" : "=h"(d) : "h"(a.__x), "h"(b.__x));                                         \
		return simt_half_of_bits(d);                                                                           \
	}                                                                                                              \
	SIMT_BOTH __half2 name##2(__half2 a, __half2 b)                                                                \
	{                                                                                                              \
		unsigned int d;                                                                                        \
		asm(op ".f16x2 %0, %1, %2;" : "=r"(d) : "r"(simt_bits(a)), "r"(simt_bits(b)));                         \
		return simt_half2_of_bits(d);                                                                          \
	}
#else
#define SIMT_HALF2(name, op, value)                                                                                    \
	SIMT_BOTH __half name(__half one, __half other)                                                                \
	{                                                                                                              \
		float a = __half2float(one), b = __half2float(other);                                                  \
		return __float2half(value);                                                                            \
	}                                                                                                              \
	SIMT_BOTH __half2 name##2(__half2 a, __half2 b)                                                                \
	{                                                                                                              \
		return __half2(name(a.x, b.x), name(a.y, b.y));                                                        \
	}
#endif
SIMT_HALF2(__hadd, "add.rn", a + b)
SIMT_HALF2(__hsub, "sub.rn", a - b)
SIMT_HALF2(__hmul, "mul.rn", a *b)
#undef SIMT_HALF2
SIMT_BOTH __half __hfma(__half a, __half b, __half c)
{
#ifdef __CUDA_ARCH__
	unsigned short d;
	asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(d) : "h"(a.__x), "h"(b.__x), "h"(c.__x));
	return simt_half_of_bits(d);
#else
	return __float2half(simt_fma_odd(__half2float(a), __half2float(b), __half2float(c)));
#endif
}
SIMT_BOTH __half2 __hfma2(__half2 a, __half2 b, __half2 c)
{
#ifdef __CUDA_ARCH__
	unsigned int d;
	asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(d) : "r"(simt_bits(a)), "r"(simt_bits(b)), "r"(simt_bits(c)));
	return simt_half2_of_bits(d);
#else
	return __half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
#endif
}
SIMT_BOTH __half __hdiv(__half a, __half b)
{
	return __float2half(__half2float(a) / __half2float(b));
}
SIMT_BOTH __half2 __h2div(__half2 a, __half2 b)
{
	return __half2(__hdiv(a.x, b.x), __hdiv(a.y, b.y));
}
SIMT_BOTH __half __hneg(__half a)
{
	return simt_half_of_bits(a.__x ^ 0x8000);
}
SIMT_BOTH __half2 __hneg2(__half2 a)
{
	return __half2(__hneg(a.x), __hneg(a.y));
}
SIMT_BOTH __half __habs(__half a)
{
	return simt_half_of_bits(a.__x & 0x7FFF);
}
SIMT_BOTH __half2 __habs2(__half2 a)
{
	return __half2(__habs(a.x), __habs(a.y));
}

#define SIMT_COMPARE(name, op)                                                                                         \
	SIMT_BOTH bool name(__half a, __half b)                                                                        \
	{                                                                                                              \
		return __half2float(a) op __half2float(b);                                                             \
	}
SIMT_COMPARE(__heq, ==)
SIMT_COMPARE(__hne, !=)
SIMT_COMPARE(__hlt, <)
SIMT_COMPARE(__hle, <=)
SIMT_COMPARE(__hgt, >)
SIMT_COMPARE(__hge, >=)
#undef SIMT_COMPARE
/* Of pairs: 1 or 0 for each, and whether both are. */
#define SIMT_COMPARE(name)                                                                                             \
	SIMT_BOTH __half2 __h##name##2(__half2 a, __half2 b)                                                           \
	{                                                                                                              \
		return __half2(__half(__h##name(a.x, b.x) ? 1.0f : 0.0f), __half(__h##name(a.y, b.y) ? 1.0f : 0.0f));  \
	}                                                                                                              \
	SIMT_BOTH bool __hb##name##2(__half2 a, __half2 b)                                                             \
	{                                                                                                              \
		return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                                     \
	}
SIMT_COMPARE(eq)
SIMT_COMPARE(ne)
SIMT_COMPARE(lt)
SIMT_COMPARE(le)
SIMT_COMPARE(gt)
SIMT_COMPARE(ge)
#undef SIMT_COMPARE
/* Into [0, 1], where NaN is 0. */
SIMT_BOTH __half simt_saturated(__half a)
{
	float f = __half2float(a);
	return f > 0 ? f < 1 ? a : __half(1.0f) : __half(0.0f);
}
#define SIMT_SATURATED(name)                                                                                           \
	SIMT_BOTH __half name##_sat(__half a, __half b)                                                                \
	{                                                                                                              \
		return simt_saturated(name(a, b));                                                                     \
	}                                                                                                              \
	SIMT_BOTH __half2 name##2_sat(__half2 a, __half2 b)                                                            \
	{                                                                                                              \
		return __half2(name##_sat(a.x, b.x), name##_sat(a.y, b.y));                                            \
	}
SIMT_SATURATED(__hadd)
SIMT_SATURATED(__hsub)
SIMT_SATURATED(__hmul)
#undef SIMT_SATURATED
SIMT_BOTH __half __hfma_sat(__half a, __half b, __half c)
{
	return simt_saturated(__hfma(a, b, c));
}
SIMT_BOTH __half __hfma_relu(__half a, __half b, __half c)
{
	__half d = __hfma(a, b, c);
	return __half2float(d) < 0 ? __half(0.0f) : d;
}
SIMT_BOTH __half2 __hfma2_relu(__half2 a, __half2 b, __half2 c)
{
	return __half2(__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y));
}
SIMT_BOTH __half __hadd_rn(__half a, __half b)
{
	return __hadd(a, b);
}
SIMT_BOTH __half __hsub_rn(__half a, __half b)
{
	return __hsub(a, b);
}
SIMT_BOTH __half __hmul_rn(__half a, __half b)
{
	return __hmul(a, b);
}
SIMT_BOTH bool __hisnan(__half a)
{
	return (a.__x & 0x7FFF) > 0x7C00;
}
SIMT_BOTH int __hisinf(__half a)
{
	return (a.__x & 0x7FFF) == 0x7C00 ? a.__x >> 15 ? -1 : 1 : 0;
}
SIMT_BOTH __half __hmin(__half a, __half b)
{
	return __hisnan(b) || __hlt(a, b) ? a : b;
}
SIMT_BOTH __half __hmax(__half a, __half b)
{
	return __hisnan(b) || __hgt(a, b) ? a : b;
}
SIMT_BOTH __half2 __hmin2(__half2 a, __half2 b)
{
	return __half2(__hmin(a.x, b.x), __hmin(a.y, b.y));
}
SIMT_BOTH __half2 __hmax2(__half2 a, __half2 b)
{
	return __half2(__hmax(a.x, b.x), __hmax(a.y, b.y));
}

#define SIMT_OPERATOR(op, scalar, pair)                                                                                \
	SIMT_BOTH __half operator op(const __half &a, const __half &b)                                                 \
	{                                                                                                              \
		return scalar(a, b);                                                                                   \
	}                                                                                                              \
	SIMT_BOTH __half &operator op##=(__half & a, const __half & b)                                                 \
	{                                                                                                              \
		return a = scalar(a, b);                                                                               \
	}                                                                                                              \
	SIMT_BOTH __half2 operator op(const __half2 &a, const __half2 &b)                                              \
	{                                                                                                              \
		return pair(a, b);                                                                                     \
	}                                                                                                              \
	SIMT_BOTH __half2 &operator op##=(__half2 & a, const __half2 & b)                                              \
	{                                                                                                              \
		return a = pair(a, b);                                                                                 \
	}
SIMT_OPERATOR(+, __hadd, __hadd2)
SIMT_OPERATOR(-, __hsub, __hsub2)
SIMT_OPERATOR(*, __hmul, __hmul2)
SIMT_OPERATOR(/, __hdiv, __h2div)
#undef SIMT_OPERATOR
SIMT_BOTH __half operator-(const __half &a)
{
	return __hneg(a);
}
SIMT_BOTH __half2 operator-(const __half2 &a)
{
	return __hneg2(a);
}
#define SIMT_OPERATOR(op, name)                                                                                        \
	SIMT_BOTH bool operator op(const __half &a, const __half &b)                                                   \
	{                                                                                                              \
		return name(a, b);                                                                                     \
	}
SIMT_OPERATOR(==, __heq)
SIMT_OPERATOR(!=, __hne)
SIMT_OPERATOR(<, __hlt)
SIMT_OPERATOR(<=, __hle)
SIMT_OPERATOR(>, __hgt)
SIMT_OPERATOR(>=, __hge)
#undef SIMT_OPERATOR

#ifdef __CUDA__
/* --- mathematics, atomics, warps -------------------------------------------------------------------------------------- */

#define SIMT_BY_FLOAT(name, function)                                                                                  \
	SIMT_DEVICE __half h##name(__half a)                                                                           \
	{                                                                                                              \
		return __float2half(function(__half2float(a)));                                                        \
	}                                                                                                              \
	SIMT_DEVICE __half2 h2##name(__half2 a)                                                                        \
	{                                                                                                              \
		return __half2(h##name(a.x), h##name(a.y));                                                            \
	}
SIMT_BY_FLOAT(sqrt, sqrtf)
SIMT_BY_FLOAT(rsqrt, rsqrtf)
SIMT_BY_FLOAT(exp, expf)
SIMT_BY_FLOAT(exp2, exp2f)
SIMT_BY_FLOAT(log, logf)
SIMT_BY_FLOAT(log2, log2f)
SIMT_BY_FLOAT(log10, log10f)
SIMT_BY_FLOAT(exp10, exp10f)
SIMT_BY_FLOAT(tanh, tanhf)
SIMT_BY_FLOAT(sin, sinf)
SIMT_BY_FLOAT(cos, cosf)
SIMT_BY_FLOAT(floor, floorf)
SIMT_BY_FLOAT(ceil, ceilf)
SIMT_BY_FLOAT(trunc, truncf)
SIMT_BY_FLOAT(rint, rintf)
SIMT_BY_FLOAT(rcp, __frcp_rn)
#undef SIMT_BY_FLOAT

SIMT_DEVICE __half atomicAdd(__half *p, __half v)
{
	unsigned short old;
	asm volatile("atom.add.noftz.f16 %0, [%1], %2;" : "=h"(old) : "l"(p), "h"(v.__x) : "memory");
	return simt_half_of_bits(old);
}
SIMT_DEVICE __half2 atomicAdd(__half2 *p, __half2 v)
{
	unsigned int old;
	asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;" : "=r"(old) : "l"(p), "r"(simt_bits(v)) : "memory");
	return simt_half2_of_bits(old);
}
#define SIMT_SHUFFLE(name, argument)                                                                                   \
	SIMT_DEVICE __half name(unsigned int mask, __half v, argument lane, int width = 32)                            \
	{                                                                                                              \
		return simt_half_of_bits((unsigned short)name(mask, (unsigned int)v.__x, lane, width));                \
	}                                                                                                              \
	SIMT_DEVICE __half2 name(unsigned int mask, __half2 v, argument lane, int width = 32)                          \
	{                                                                                                              \
		return simt_half2_of_bits(name(mask, simt_bits(v), lane, width));                                      \
	}
SIMT_SHUFFLE(__shfl_sync, int)
SIMT_SHUFFLE(__shfl_up_sync, unsigned int)
SIMT_SHUFFLE(__shfl_down_sync, unsigned int)
SIMT_SHUFFLE(__shfl_xor_sync, int)
#undef SIMT_SHUFFLE
#endif
