/* cuda_bf16.h: numbers of 16 bits with 8 bits of exponent, and pairs of them: floats without their lower half, rounded to nearest even.
 * Their arithmetic is that of floats, rounded once. */
#pragma once
#include "cuda_runtime.h"
#include "simttutor_narrow.h"

struct __nv_bfloat16_raw {
	unsigned short x;
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
#define SIMT_FROM(type)                                                                                                \
	SIMT_MEMBER __nv_bfloat16(type v) : __x(simt_bfloat_of_float((float)v))                                        \
	{                                                                                                              \
	}                                                                                                              \
	SIMT_MEMBER __nv_bfloat16 &operator=(type v)                                                                   \
	{                                                                                                              \
		__x = simt_bfloat_of_float((float)v);                                                                  \
		return *this;                                                                                          \
	}
	SIMT_FROM(float)
	SIMT_FROM(double)
	SIMT_FROM(int)
	SIMT_FROM(unsigned int)
	SIMT_FROM(long long)
	SIMT_FROM(unsigned long long)
#undef SIMT_FROM
	SIMT_MEMBER operator float() const
	{
		return simt_float_of_bfloat(__x);
	}
};
typedef __nv_bfloat16 nv_bfloat16;

struct __attribute__((aligned(4))) __nv_bfloat162 {
	__nv_bfloat16 x, y;
	__nv_bfloat162() = default;
	SIMT_MEMBER __nv_bfloat162(const __nv_bfloat16 &x, const __nv_bfloat16 &y) : x(x), y(y)
	{
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
	return __float2bfloat16((float)d);
}
SIMT_BOTH __nv_bfloat16 __int2bfloat16_rn(int i)
{
	return __float2bfloat16((float)i);
}
SIMT_BOTH int __bfloat162int_rn(__nv_bfloat16 b)
{
	return (int)__builtin_rintf(__bfloat162float(b));
}
SIMT_BOTH int __bfloat162int_rz(__nv_bfloat16 b)
{
	return (int)__bfloat162float(b);
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
	}                                                                                                              \
	SIMT_BOTH __nv_bfloat16 operator op(const __nv_bfloat16 &a, const __nv_bfloat16 &b)                            \
	{                                                                                                              \
		return name(a, b);                                                                                     \
	}                                                                                                              \
	SIMT_BOTH __nv_bfloat16 &operator op##=(__nv_bfloat16 & a, const __nv_bfloat16 & b)                            \
	{                                                                                                              \
		return a = name(a, b);                                                                                 \
	}                                                                                                              \
	SIMT_BOTH __nv_bfloat162 operator op(const __nv_bfloat162 &a, const __nv_bfloat162 &b)                         \
	{                                                                                                              \
		return pair(a, b);                                                                                     \
	}
SIMT_ARITHMETIC(__hadd, __hadd2, +)
SIMT_ARITHMETIC(__hsub, __hsub2, -)
SIMT_ARITHMETIC(__hmul, __hmul2, *)
SIMT_ARITHMETIC(__hdiv, __h2div, /)
#undef SIMT_ARITHMETIC
SIMT_BOTH __nv_bfloat16 operator-(const __nv_bfloat16 &a)
{
	return simt_bfloat_of_bits(a.__x ^ 0x8000);
}
SIMT_BOTH __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c)
{
	return __float2bfloat16(simt_fma_odd(__bfloat162float(a), __bfloat162float(b), __bfloat162float(c)));
}
SIMT_BOTH __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c)
{
	return __nv_bfloat162(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
#define SIMT_COMPARE(name, op)                                                                                         \
	SIMT_BOTH bool name(__nv_bfloat16 a, __nv_bfloat16 b)                                                          \
	{                                                                                                              \
		return __bfloat162float(a) op __bfloat162float(b);                                                     \
	}                                                                                                              \
	SIMT_BOTH bool operator op(const __nv_bfloat16 &a, const __nv_bfloat16 &b)                                     \
	{                                                                                                              \
		return name(a, b);                                                                                     \
	}
SIMT_COMPARE(__heq, ==)
SIMT_COMPARE(__hne, !=)
SIMT_COMPARE(__hlt, <)
SIMT_COMPARE(__hle, <=)
SIMT_COMPARE(__hgt, >)
SIMT_COMPARE(__hge, >=)
#undef SIMT_COMPARE
SIMT_BOTH __nv_bfloat16 __hmin(__nv_bfloat16 a, __nv_bfloat16 b)
{
	return __hisnan(b) || __hlt(a, b) ? a : b;
}
SIMT_BOTH __nv_bfloat16 __hmax(__nv_bfloat16 a, __nv_bfloat16 b)
{
	return __hisnan(b) || __hgt(a, b) ? a : b;
}
SIMT_BOTH __nv_bfloat162 __hmin2(__nv_bfloat162 a, __nv_bfloat162 b)
{
	return __nv_bfloat162(__hmin(a.x, b.x), __hmin(a.y, b.y));
}
SIMT_BOTH __nv_bfloat162 __hmax2(__nv_bfloat162 a, __nv_bfloat162 b)
{
	return __nv_bfloat162(__hmax(a.x, b.x), __hmax(a.y, b.y));
}

#ifdef __CUDA__
/* --- mathematics, atomics, warps -------------------------------------------------------------------------------------- */

#define SIMT_BY_FLOAT(name, function)                                                                                  \
	SIMT_DEVICE __nv_bfloat16 h##name(__nv_bfloat16 a)                                                             \
	{                                                                                                              \
		return __float2bfloat16(function(__bfloat162float(a)));                                                \
	}                                                                                                              \
	SIMT_DEVICE __nv_bfloat162 h2##name(__nv_bfloat162 a)                                                          \
	{                                                                                                              \
		return __nv_bfloat162(h##name(a.x), h##name(a.y));                                                     \
	}
SIMT_BY_FLOAT(sqrt, sqrtf)
SIMT_BY_FLOAT(rsqrt, rsqrtf)
SIMT_BY_FLOAT(exp, expf)
SIMT_BY_FLOAT(exp2, exp2f)
SIMT_BY_FLOAT(log, logf)
SIMT_BY_FLOAT(log2, log2f)
SIMT_BY_FLOAT(sin, sinf)
SIMT_BY_FLOAT(cos, cosf)
SIMT_BY_FLOAT(tanh, tanhf)
SIMT_BY_FLOAT(floor, floorf)
SIMT_BY_FLOAT(ceil, ceilf)
SIMT_BY_FLOAT(rcp, __frcp_rn)
#undef SIMT_BY_FLOAT

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
#define SIMT_SHUFFLE(name, argument)                                                                                   \
	SIMT_DEVICE __nv_bfloat16 name(unsigned int mask, __nv_bfloat16 v, argument lane, int width = 32)              \
	{                                                                                                              \
		return simt_bfloat_of_bits((unsigned short)name(mask, (unsigned int)v.__x, lane, width));              \
	}
SIMT_SHUFFLE(__shfl_sync, int)
SIMT_SHUFFLE(__shfl_up_sync, unsigned int)
SIMT_SHUFFLE(__shfl_down_sync, unsigned int)
SIMT_SHUFFLE(__shfl_xor_sync, int)
#undef SIMT_SHUFFLE
#endif
