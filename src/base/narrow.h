/* base/narrow.h: floats of fewer bits than single precision, as their bits: IEEE 754 binary16 and formats like it. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* Fraction and exponent bits, below a sign. Without infinity, the exponent of all ones is one of numbers, but for its last
 * fraction, which is NaN. */
struct narrow_format {
	int fraction, exponent;
	bool no_infinity;
};

extern const struct narrow_format narrow_half; /* binary16 */

/* To nearest with ties to even; toward zero, minus infinity, plus infinity; to nearest with ties away from zero. */
enum narrow_rounding { NARROW_NEAREST, NARROW_ZERO, NARROW_DOWN, NARROW_UP, NARROW_AWAY };

/* The number rounded, with subnormals; past the largest it is infinite, or the largest where the rounding stays inside. A NaN
 * is all ones but the sign. */
uint32_t narrow_encode(double v, const struct narrow_format *format, enum narrow_rounding rounding);

/* The bits of what is past the largest number: infinity, or NaN. */
uint32_t narrow_beyond(const struct narrow_format *format);

/* The value of a binary16; exact. A NaN keeps its payload. */
double narrow_half_to_double(uint32_t half);

/* The value of a single-precision float's bits. */
double narrow_float_to_double(uint32_t bits);
