/* cuda_bf16.h: numbers of 16 bits with 8 bits of exponent, and pairs of them: floats without their lower half, rounded to nearest even.
 * Their arithmetic is that of floats, rounded once. */
#pragma once
#include "cuda_runtime.h"
#include "simttutor_narrow.h"

struct __nv_bfloat16_raw {
	unsigned short x;
};
struct __attribute__((aligned(4))) __nv_bfloat162_raw {
	unsigned short x, y;
};

SIMT_BOTH unsigned short simt_bfloat_of_float(float f)
{
	unsigned int bits = __builtin_bit_cast(unsigned int, f);
	if ((bits & 0x7FFFFFFF) > 0x7F800000)
		return 0x7FFF;
	return (unsigned short)((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}
SIMT_BOTH float simt_float_of_bfloat(unsigned short b)
{
	return __builtin_bit_cast(float, (unsigned int)b << 16);
}

struct __nv_bfloat16 {
	unsigned short __x;
	__nv_bfloat16() = default;
	SIMT_MEMBER __nv_bfloat16(const __nv_bfloat16_raw &raw) : __x(raw.x)
	{
	}
#define SIMT_FROM(type, bits)                                                                                          \
	SIMT_MEMBER __nv_bfloat16(type v) : __x(bits)                                                                  \
	{                                                                                                              \
	}                                                                                                              \
	SIMT_MEMBER __nv_bfloat16 &operator=(type v)                                                                   \
	{                                                                                                              \
		__x = bits;                                                                                            \
		return *this;                                                                                          \
	}
#define SIMT_FROM_INTEGER(type)                                                                                        \
	SIMT_FROM(type, (simt_narrow_of_integer<8, 127>(v < 0 ? 0 - (unsigned long long)v : v, v < 0, SIMT_NEAREST)))
	SIMT_FROM(float, simt_bfloat_of_float(v))
	SIMT_FROM(double, simt_bfloat_of_float(simt_float_odd(v)))
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
		return simt_float_of_bfloat(__x);
	}
	SIMT_MEMBER operator __nv_bfloat16_raw() const
	{
		return __nv_bfloat16_raw{__x};
	}
};
typedef __nv_bfloat16 nv_bfloat16;

struct __attribute__((aligned(4))) __nv_bfloat162 {
	__nv_bfloat16 x, y;
	__nv_bfloat162() = default;
	SIMT_MEMBER __nv_bfloat162(const __nv_bfloat16 &x, const __nv_bfloat16 &y) : x(x), y(y)
	{
	}
	SIMT_MEMBER __nv_bfloat162(const __nv_bfloat162_raw &raw) : x(__nv_bfloat16_raw{raw.x}), y(__nv_bfloat16_raw{raw.y})
	{
	}
	SIMT_MEMBER operator __nv_bfloat162_raw() const
	{
		return __nv_bfloat162_raw{x.__x, y.__x};
	}
};
typedef __nv_bfloat162 nv_bfloat162;

SIMT_BOTH __nv_bfloat16 simt_bfloat_of_bits(unsigned short bits)
{
	return __nv_bfloat16(__nv_bfloat16_raw{bits});
}
SIMT_BOTH __nv_bfloat16 __float2bfloat16(float f)
{
	return simt_bfloat_of_bits(simt_bfloat_of_float(f));
}
SIMT_BOTH __nv_bfloat16 __float2bfloat16_rn(float f)
{
	return __float2bfloat16(f);
}
SIMT_BOTH float __bfloat162float(__nv_bfloat16 b)
{
	return simt_float_of_bfloat(b.__x);
}
SIMT_BOTH __nv_bfloat162 __floats2bfloat162_rn(float x, float y)
{
	return __nv_bfloat162(__float2bfloat16(x), __float2bfloat16(y));
}
SIMT_BOTH __nv_bfloat162 __float2bfloat162_rn(float f)
{
	return __floats2bfloat162_rn(f, f);
}
SIMT_BOTH float2 __bfloat1622float2(__nv_bfloat162 b)
{
	return make_float2(__bfloat162float(b.x), __bfloat162float(b.y));
}
SIMT_BOTH __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y)
{
	return __nv_bfloat162(x, y);
}
SIMT_BOTH float __low2float(__nv_bfloat162 b)
{
	return __bfloat162float(b.x);
}
SIMT_BOTH float __high2float(__nv_bfloat162 b)
{
	return __bfloat162float(b.y);
}
SIMT_BOTH __nv_bfloat16 __double2bfloat16(double d)
{
	return __float2bfloat16(simt_float_odd(d));
}
/* The upper half of the float, or its neighbor away from zero. */
SIMT_BOTH __nv_bfloat16 simt_bfloat_toward(float f, bool away)
{
	unsigned int bits = __builtin_bit_cast(unsigned int, f);
	if ((bits & 0x7FFFFFFF) > 0x7F800000)
		return simt_bfloat_of_bits(0x7FFF);
	return simt_bfloat_of_bits((unsigned short)((bits >> 16) + (away && bits & 0xFFFF)));
}
SIMT_BOTH __nv_bfloat16 __float2bfloat16_rz(float f)
{
	return simt_bfloat_toward(f, false);
}
SIMT_BOTH __nv_bfloat16 __float2bfloat16_rd(float f)
{
	return simt_bfloat_toward(f, f < 0);
}
SIMT_BOTH __nv_bfloat16 __float2bfloat16_ru(float f)
{
	return simt_bfloat_toward(f, f > 0);
}
SIMT_BOTH __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b)
{
	return __nv_bfloat162(a.x, b.x);
}
SIMT_BOTH __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b)
{
	return __nv_bfloat162(a.y, b.y);
}
SIMT_BOTH __nv_bfloat162 __low2bfloat162(__nv_bfloat162 b)
{
	return __nv_bfloat162(b.x, b.x);
}
SIMT_BOTH __nv_bfloat162 __high2bfloat162(__nv_bfloat162 b)
{
	return __nv_bfloat162(b.y, b.y);
}
SIMT_BOTH __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 b)
{
	return __nv_bfloat162(b.y, b.x);
}
SIMT_BOTH short __bfloat16_as_short(__nv_bfloat16 b)
{
	return (short)b.__x;
}
SIMT_BOTH __nv_bfloat16 __short_as_bfloat16(short bits)
{
	return simt_bfloat_of_bits((unsigned short)bits);
}
SIMT_BOTH __nv_bfloat162 __float22bfloat162_rn(float2 f)
{
	return __floats2bfloat162_rn(f.x, f.y);
}
SIMT_BOTH __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 b)
{
	return __nv_bfloat162(b, b);
}
SIMT_BOTH __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y)
{
	return __nv_bfloat162(x, y);
}
SIMT_BOTH __nv_bfloat16 __low2bfloat16(__nv_bfloat162 b)
{
	return b.x;
}
SIMT_BOTH __nv_bfloat16 __high2bfloat16(__nv_bfloat162 b)
{
	return b.y;
}
SIMT_BOTH __nv_bfloat16 __hneg(__nv_bfloat16 a)
{
	return simt_bfloat_of_bits(a.__x ^ 0x8000);
}
SIMT_BOTH __nv_bfloat16 __habs(__nv_bfloat16 a)
{
	return simt_bfloat_of_bits(a.__x & 0x7FFF);
}
SIMT_BOTH bool __hisnan(__nv_bfloat16 a)
{
	return (a.__x & 0x7FFF) > 0x7F80;
}
SIMT_BOTH unsigned short __bfloat16_as_ushort(__nv_bfloat16 b)
{
	return b.__x;
}
SIMT_BOTH __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits)
{
	return simt_bfloat_of_bits(bits);
}

#define SIMT_ARITHMETIC(name, pair, op)                                                                                \
	SIMT_BOTH __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b)                                                 \
	{                                                                                                              \
		return __float2bfloat16(__bfloat162float(a) op __bfloat162float(b));                                   \
	}                                                                                                              \
	SIMT_BOTH __nv_bfloat162 pair(__nv_bfloat162 a, __nv_bfloat162 b)                                              \
	{                                                                                                              \
		return __nv_bfloat162(name(a.x, b.x), name(a.y, b.y));                                                 \
	}
SIMT_ARITHMETIC(__hadd, __hadd2, +)
SIMT_ARITHMETIC(__hsub, __hsub2, -)
SIMT_ARITHMETIC(__hmul, __hmul2, *)
SIMT_ARITHMETIC(__hdiv, __h2div, /)
#undef SIMT_ARITHMETIC
SIMT_BOTH __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c)
{
	return __float2bfloat16(simt_fma_odd(__bfloat162float(a), __bfloat162float(b), __bfloat162float(c)));
}
SIMT_BOTH __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c)
{
	return __nv_bfloat162(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}

#define SIMT_N __nv_bfloat16
#define SIMT_N2 __nv_bfloat162
#define SIMT_N_NAME bfloat16
#define SIMT_N_TO_FLOAT __bfloat162float
#define SIMT_N_FROM_FLOAT __float2bfloat16
#define SIMT_N_FROM_BITS simt_bfloat_of_bits
#define SIMT_N_DIGITS 8
#define SIMT_N_BIAS 127
#include "simttutor_narrow_operations.h"

#ifdef __CUDA__
/* PTX adds bfloats by a multiplication from CC 9.0 on alone: here by swaps, which round once, too. */
SIMT_DEVICE __nv_bfloat16 atomicAdd(__nv_bfloat16 *p, __nv_bfloat16 v)
{
	unsigned short old = p->__x, expected;
	do {
		expected = old;
		old = atomicCAS(&p->__x, expected, (simt_bfloat_of_bits(expected) + v).__x);
	} while (old != expected);
	return simt_bfloat_of_bits(old);
}
SIMT_DEVICE __nv_bfloat162 atomicAdd(__nv_bfloat162 *p, __nv_bfloat162 v)
{
	return __nv_bfloat162(atomicAdd(&p->x, v.x), atomicAdd(&p->y, v.y));
}
#endif
