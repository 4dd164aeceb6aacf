/* cuda_fp16.h: numbers of 16 bits with 5 bits of exponent, and pairs of them. On the device by PTX's instructions; on the host, which
 * lacks them, through floats, rounded to nearest even. */
#pragma once
#include "cuda_runtime.h"
#include "simttutor_narrow.h"

struct __half_raw {
	unsigned short x;
};
struct __attribute__((aligned(4))) __half2_raw {
	unsigned short x, y;
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
#define SIMT_FROM(type, bits)                                                                                          \
	SIMT_MEMBER __half(type v) : __x(bits)                                                                         \
	{                                                                                                              \
	}                                                                                                              \
	SIMT_MEMBER __half &operator=(type v)                                                                          \
	{                                                                                                              \
		__x = bits;                                                                                            \
		return *this;                                                                                          \
	}
#define SIMT_FROM_INTEGER(type)                                                                                        \
	SIMT_FROM(type, (simt_narrow_of_integer<11, 15>(v < 0 ? 0 - (unsigned long long)v : v, v < 0, SIMT_NEAREST)))
	SIMT_FROM(float, simt_half_of_float(v))
	SIMT_FROM(double, simt_half_of_float(simt_float_odd(v)))
	SIMT_FROM_INTEGER(int)
	SIMT_FROM_INTEGER(unsigned int)
	SIMT_FROM_INTEGER(long)
	SIMT_FROM_INTEGER(unsigned long)
	SIMT_FROM_INTEGER(long long)
	SIMT_FROM_INTEGER(unsigned long long)
	SIMT_FROM_INTEGER(short)
	SIMT_FROM_INTEGER(unsigned short)
#undef SIMT_FROM_INTEGER
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
	SIMT_MEMBER __half2(const __half2_raw &raw) : x(__half_raw{raw.x}), y(__half_raw{raw.y})
	{
	}
	SIMT_MEMBER operator __half2_raw() const
	{
		return __half2_raw{x.__x, y.__x};
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
#ifdef __CUDA_ARCH__
	unsigned short h;
	asm("cvt.rn.f16.f64 %0, %1;" : "=h"(h) : "d"(d));
	return simt_half_of_bits(h);
#else
	return __float2half(simt_float_odd(d));
#endif
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
SIMT_BOTH __half __habs(__half a)
{
	return simt_half_of_bits(a.__x & 0x7FFF);
}
SIMT_BOTH bool __hisnan(__half a)
{
	return (a.__x & 0x7FFF) > 0x7C00;
}

#define SIMT_N __half
#define SIMT_N2 __half2
#define SIMT_N_NAME half
#define SIMT_N_TO_FLOAT __half2float
#define SIMT_N_FROM_FLOAT __float2half
#define SIMT_N_FROM_BITS simt_half_of_bits
#define SIMT_N_DIGITS 11
#define SIMT_N_BIAS 15
#include "simttutor_narrow_operations.h"

#ifdef __CUDA__
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
#endif
