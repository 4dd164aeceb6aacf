#include "machine/simt/float.h"

#include <math.h>
#include <string.h>

#include "base/narrow.h"

static const struct narrow_format formats[PTX_TYPES] = {
	[PTX_F16] = {10, 5, false},
	[PTX_BF16] = {7, 8, false},
	[PTX_TF32] = {10, 8, false},
	[PTX_E4M3] = {3, 4, true},
	[PTX_E5M2] = {2, 5, false},
	[PTX_E4M3X2] = {3, 4, true},
	[PTX_E5M2X2] = {2, 5, false},
};

/* The type's bits begin so many above the lowest. */
static int shift_of(enum ptx_type type)
{
	return type == PTX_TF32 ? 13 : 0;
}

enum ptx_type simt_narrow_element(enum ptx_type type)
{
	return type == PTX_F16X2 ? PTX_F16 : type == PTX_BF16X2 ? PTX_BF16 : type;
}

/* Apart, so that the other types need no stack. */
static __attribute__((noinline)) double byte_to_double(uint32_t bits, const struct narrow_format *f)
{
	uint32_t magnitude = bits & 0x7F, fraction = bits & ((1u << f->fraction) - 1);
	int exponent = (int)(magnitude >> f->fraction);
	double v = ldexp((double)(exponent ? fraction | 1u << f->fraction : fraction),
		(exponent ? exponent : 1) - ((1 << (f->exponent - 1)) - 1) - f->fraction);
	if (magnitude >= narrow_beyond(f))
		v = f->no_infinity || fraction ? (double)NAN : (double)INFINITY;
	return bits & 0x80 ? -v : v;
}

double simt_narrow_to_double(uint32_t bits, enum ptx_type type)
{
	switch (type) { /* but .f16 they are the upper part of a .f32 */
	case PTX_F16: return narrow_half_to_double(bits);
	case PTX_E4M3:
	case PTX_E5M2:
	case PTX_E4M3X2:
	case PTX_E5M2X2: return byte_to_double(bits, &formats[type]);
	case PTX_BF16: return narrow_float_to_double(bits << 16);
	default: return narrow_float_to_double(bits & 0xFFFFE000);
	}
}

uint32_t simt_narrow_from_double(double v, enum ptx_type type, enum ptx_mod rounding)
{
	const struct narrow_format *f = &formats[type];
	enum narrow_rounding how;
	switch (rounding) {
	case PTX_RND_RZ: how = NARROW_ZERO; break;
	case PTX_RND_RM: how = NARROW_DOWN; break;
	case PTX_RND_RP: how = NARROW_UP; break;
	case PTX_RND_RNA: how = NARROW_AWAY; break;
	default: how = NARROW_NEAREST; break;
	}
	return (how == NARROW_NEAREST ? narrow_nearest(v, f) : narrow_encode(v, f, how)) << shift_of(type);
}

uint32_t simt_narrow_convert(const struct ptx_form *form, enum ptx_type type, double v)
{
	if (form->mod[PTX_MOD_SAT])
		v = v > 0 ? (v < 1 ? v : 1) : 0;
	if (form->mod[PTX_MOD_RELU] && v <= 0)
		v = 0;
	uint32_t bits = simt_narrow_from_double(v, type, (enum ptx_mod)form->mod[PTX_MOD_RND]);
	uint32_t above = narrow_beyond(&formats[type]) << shift_of(type);
	bool is_infinite = v == v && (bits & above) == above;
	return form->mod[PTX_MOD_FINITE] && is_infinite ? bits - (1u << shift_of(type)) : bits;
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
