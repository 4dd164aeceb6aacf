/* simttutor_narrow.h: for formats narrower than float, where a sum is rounded once. */
#pragma once
#include "simttutor_keywords.h"

/* a * b + c rounded to odd: what is not exact has its last bit set, so that rounding it again, to fewer bits, is as rounding once.
 * The product is exact in double, where a and b have no more than 26 bits. */
SIMT_BOTH float simt_fma_odd(float a, float b, float c)
{
	double product = (double)a * b, sum = product + c, lost, other = sum - product;
	lost = (product - (sum - other)) + (c - other);
	float near = (float)sum;
	double rest = (sum - near) + lost;
	unsigned int bits = __builtin_bit_cast(unsigned int, near);
	if (!(rest != 0) || (bits & 0x7F800000) == 0x7F800000)
		return near;
	if (near != 0 && (near > 0) != (rest > 0))
		bits--;
	return __builtin_bit_cast(float, bits | 1);
}

/* A double rounded to odd. */
SIMT_BOTH float simt_float_odd(double d)
{
	float near = (float)d;
	unsigned int bits = __builtin_bit_cast(unsigned int, near);
	if (!((double)near != d) || d != d)
		return near;
	if ((bits & 0x7F800000) == 0x7F800000) /* past the greatest: what is less than infinite stays so */
		return near;
	if (near == 0)
		return d < 0 ? -1e-45f : 1e-45f;
	if ((double)(near < 0 ? -near : near) > (d < 0 ? -d : d))
		bits--;
	return __builtin_bit_cast(float, bits | 1);
}

enum simt_rounding { SIMT_NEAREST, SIMT_TO_ZERO, SIMT_DOWN, SIMT_UP };

/* The bits of a narrow number: so many digits of the significand, the first of which is not stored. */
template <int Digits, int Bias>
SIMT_BOTH unsigned short simt_narrow_of_integer(unsigned long long magnitude, bool negative, simt_rounding mode)
{
	unsigned int sign = negative ? 0x8000 : 0, infinite = 0x8000u - (1u << (Digits - 1));
	if (!magnitude)
		return 0;
	bool away = mode == (negative ? SIMT_DOWN : SIMT_UP), up = false;
	int exponent = 63 - __builtin_clzll(magnitude), drop = exponent - (Digits - 1);
	unsigned long long kept = drop > 0 ? magnitude >> drop : magnitude << -drop;
	if (drop > 0) {
		unsigned long long rest = magnitude & ((1ull << drop) - 1), half = 1ull << (drop - 1);
		up = mode == SIMT_NEAREST ? rest > half || (rest == half && (kept & 1)) : away && rest;
	}
	kept += up;
	unsigned long long bits = ((unsigned long long)(exponent + Bias - 1) << (Digits - 1)) + kept;
	if (exponent > Bias || bits >= infinite)
		bits = mode == SIMT_NEAREST || away ? infinite : infinite - 1;
	return (unsigned short)(sign | bits);
}

template <int Digits> SIMT_BOTH bool simt_is_infinite(unsigned short bits)
{
	return (bits & 0x7FFFu) == 0x8000u - (1u << (Digits - 1));
}

/* Of a float without a fraction, into the range of the type. */
template <typename T> SIMT_BOTH T simt_integer_of_float(float f)
{
	constexpr bool is_signed = T(-1) < T(0), is_long = sizeof(T) == 8;
	constexpr T least = is_signed ? T(1ull << (8 * sizeof(T) - 1)) : T(0), most = T(~least);
	if (f != f)
		return is_long ? T(1ull << 63) : T(0);
	if (f < (float)least)
		return least;
	return f >= (float)most ? most : (T)f;
}

#ifdef __CUDA__
SIMT_DEVICE float simt_tanh_approx(float f)
{
	float t;
	asm("tanh.approx.f32 %0, %1;" : "=f"(t) : "f"(f));
	return t;
}
#endif
