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
