/* base/narrow.h: floats of fewer bits than single precision, as their bits: IEEE 754 binary16 and formats like it. */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Fraction and exponent bits, below a sign. Without infinity, the exponent of all ones is one of numbers, but for its
 * last fraction, which is NaN. */
struct narrow_format {
	int fraction, exponent;
	bool no_infinity;
};

extern const struct narrow_format narrow_half; /* binary16 */

/* To nearest with ties to even; toward zero, minus infinity, plus infinity; to nearest with ties away from zero. */
enum narrow_rounding { NARROW_NEAREST, NARROW_ZERO, NARROW_DOWN, NARROW_UP, NARROW_AWAY };

/* The number rounded, with subnormals; past the largest it is infinite, or the largest where the rounding stays inside.
 * A NaN is all ones but the sign. */
uint32_t narrow_encode(double v, const struct narrow_format *format, enum narrow_rounding rounding);

/* The bits of what is past the largest number: infinity, or NaN. */
uint32_t narrow_beyond(const struct narrow_format *format);

/* The value of a single-precision float's bits. */
static inline double narrow_float_to_double(uint32_t bits)
{
	float v;
	memcpy(&v, &bits, sizeof v);
	return (double)v;
}

/* The value of a binary16; exact. A NaN keeps its payload. */
static inline double narrow_half_to_double(uint32_t half)
{
	uint32_t sign = (half & 0x8000) << 16, exponent = half >> 10 & 31, fraction = half & 0x3FF;
	if (exponent == 31)
		return narrow_float_to_double(sign | 0x7F800000 | fraction << 13);
	if (exponent)
		return narrow_float_to_double(sign | (exponent + 112) << 23 | fraction << 13);
	double v = (double)fraction * 0x1p-24;
	return sign ? -v : v;
}

/* narrow_encode to nearest, quick for what is well inside the normal numbers: those of the largest exponent may round
 * past the largest number. */
static inline uint32_t narrow_nearest(double v, const struct narrow_format *format)
{
	uint64_t bits;
	memcpy(&bits, &v, sizeof bits);
	int bias = (1 << (format->exponent - 1)) - 1, drop = 52 - format->fraction;
	uint32_t exponent = (uint32_t)(bits >> 52 & 0x7FF) - (uint32_t)(1023 - bias); /* as it is in the format */
	if (exponent - 1 >= 2u * (uint32_t)bias - 1)
		return narrow_encode(v, format, NARROW_NEAREST);
	uint64_t magnitude = (bits & INT64_MAX) - ((uint64_t)(1023 - bias) << 52);
	magnitude += (1ull << (drop - 1)) - 1 + (magnitude >> drop & 1); /* a carry raises the exponent by itself */
	return (uint32_t)(bits >> 63) << (format->fraction + format->exponent) | (uint32_t)(magnitude >> drop);
}
