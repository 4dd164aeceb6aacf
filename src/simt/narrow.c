#include "simt/narrow.h"

#include <math.h>
#include <string.h>

/* Fraction and exponent bits; the type's bits begin `shift` bits above the lowest. Without infinity, the exponent of all
 * ones is one of numbers, but for its last fraction. */
static const struct format {
	int fraction, exponent, shift;
	bool no_infinity;
} formats[PTX_TYPES] = {
	[PTX_F16] = {10, 5, 0, false},
	[PTX_BF16] = {7, 8, 0, false},
	[PTX_TF32] = {10, 8, 13, false},
	[PTX_E4M3X2] = {3, 4, 0, true},
	[PTX_E5M2X2] = {2, 5, 0, false},
};

enum ptx_type simt_narrow_element(enum ptx_type type)
{
	return type == PTX_F16X2 ? PTX_F16 : type == PTX_BF16X2 ? PTX_BF16 : type;
}

static int bias_of(const struct format *f)
{
	return (1 << (f->exponent - 1)) - 1;
}

/* The bits of what is past the largest number, without the shift: infinity, or NaN. */
static uint32_t beyond(const struct format *f)
{
	return f->no_infinity ? (1u << (f->exponent + f->fraction)) - 1 : ((1u << f->exponent) - 1) << f->fraction;
}

static double float_at(uint32_t bits)
{
	float v;
	memcpy(&v, &bits, sizeof v);
	return (double)v;
}

static double half_to_double(uint32_t half)
{
	uint32_t sign = (half & 0x8000) << 16, exponent = half >> 10 & 31, fraction = half & 0x3FF;
	if (exponent == 31)
		return float_at(sign | 0x7F800000 | fraction << 13);
	if (exponent)
		return float_at(sign | (exponent + 112) << 23 | fraction << 13);
	double v = (double)fraction * 0x1p-24;
	return sign ? -v : v;
}

static double byte_to_double(uint32_t bits, const struct format *f)
{
	uint32_t magnitude = bits & 0x7F, fraction = bits & ((1u << f->fraction) - 1);
	int exponent = (int)(magnitude >> f->fraction);
	double v = ldexp((double)(exponent ? fraction | 1u << f->fraction : fraction),
		(exponent ? exponent : 1) - bias_of(f) - f->fraction);
	if (magnitude >= beyond(f))
		v = f->no_infinity || fraction ? (double)NAN : (double)INFINITY;
	return bits & 0x80 ? -v : v;
}

double simt_narrow_to_double(uint32_t bits, enum ptx_type type)
{
	switch (type) { /* but .f16 they are the upper part of a .f32 */
	case PTX_F16: return half_to_double(bits);
	case PTX_E4M3X2:
	case PTX_E5M2X2: return byte_to_double(bits, &formats[type]);
	case PTX_BF16: return float_at(bits << 16);
	default: return float_at(bits & 0xFFFFE000);
	}
}

/* Does dropping `rest`, of which `half` is the middle, from `kept` round away from zero? */
static bool rounds_away(enum ptx_mod rounding, bool negative, uint64_t kept, uint64_t rest, uint64_t half)
{
	switch (rounding) {
	case PTX_RND_RZ: return false;
	case PTX_RND_RM: return negative && rest;
	case PTX_RND_RP: return !negative && rest;
	case PTX_RND_RNA: return rest >= half;
	default: return rest > half || (rest == half && kept & 1);
	}
}

static bool stays_inside(enum ptx_mod rounding, bool negative)
{
	return rounding == PTX_RND_RZ || (rounding == PTX_RND_RM && !negative) || (rounding == PTX_RND_RP && negative);
}

uint32_t simt_narrow_from_double(double v, enum ptx_type type, enum ptx_mod rounding)
{
	const struct format *f = &formats[type];
	uint64_t bits;
	memcpy(&bits, &v, sizeof bits);
	bool negative = bits >> 63;
	uint32_t sign = (uint32_t)negative << (f->fraction + f->exponent), value;
	int exponent = (int)(bits >> 52 & 0x7FF) - 1023, least = 1 - bias_of(f);
	uint64_t significand = bits & ((1ull << 52) - 1);

	if (v != v)
		return ((1u << (f->fraction + f->exponent)) - 1) << f->shift;
	if (isinf(v))
		return (sign | beyond(f)) << f->shift;
	if (exponent > -1023)
		significand |= 1ull << 52;
	int drop = 52 - f->fraction + (exponent < least ? least - exponent : 0);
	if (drop > 60)
		drop = 60; /* so small that only its being there matters */
	uint64_t kept = significand >> drop, rest = significand & ((1ull << drop) - 1);
	kept += rounds_away(rounding, negative, kept, rest, 1ull << (drop - 1));
	value = (uint32_t)kept; /* a carry raises the exponent by itself, from subnormal to normal too */
	if (exponent >= least)
		value += (uint32_t)(exponent - least) << f->fraction;
	if (exponent > bias_of(f) + f->no_infinity || value >= beyond(f))
		value = beyond(f) - stays_inside(rounding, negative);
	return (sign | value) << f->shift;
}

uint32_t simt_narrow_convert(const struct ptx_form *form, enum ptx_type type, double v)
{
	if (form->mod[PTX_MOD_SAT])
		v = v > 0 ? (v < 1 ? v : 1) : 0;
	if (form->mod[PTX_MOD_RELU] && v <= 0)
		v = 0;
	uint32_t bits = simt_narrow_from_double(v, type, (enum ptx_mod)form->mod[PTX_MOD_RND]);
	uint32_t above = beyond(&formats[type]) << formats[type].shift;
	bool is_infinite = v == v && (bits & above) == above;
	return form->mod[PTX_MOD_FINITE] && is_infinite ? bits - (1u << formats[type].shift) : bits;
}

double simt_narrow_sum(double x, double y)
{
	double sum = x + y, from_y = sum - x, error = (x - (sum - from_y)) + (y - from_y); /* exact: Knuth's two-sum */
	uint64_t bits;
	if (!isfinite(sum) || error == 0)
		return sum;
	memcpy(&bits, &sum, sizeof bits);
	if (!(bits & 1))
		bits += (error > 0) == (sum > 0) ? 1 : UINT64_MAX;
	memcpy(&sum, &bits, sizeof sum);
	return sum;
}
