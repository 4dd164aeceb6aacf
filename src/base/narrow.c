#include "base/narrow.h"

#include <math.h>

const struct narrow_format narrow_half = {10, 5, false};

static int bias_of(const struct narrow_format *f)
{
	return (1 << (f->exponent - 1)) - 1;
}

uint32_t narrow_beyond(const struct narrow_format *f)
{
	return f->no_infinity ? (1u << (f->exponent + f->fraction)) - 1 : ((1u << f->exponent) - 1) << f->fraction;
}

uint32_t narrow_encode(double v, const struct narrow_format *f, enum narrow_rounding rounding)
{
	uint64_t bits;
	memcpy(&bits, &v, sizeof bits);
	bool negative = bits >> 63;
	uint32_t sign = (uint32_t)negative << (f->fraction + f->exponent), value;
	int exponent = (int)(bits >> 52 & 0x7FF) - 1023, least = 1 - bias_of(f);
	uint64_t significand = bits & ((1ull << 52) - 1);

	if (v != v)
		return ((1u << (f->fraction + f->exponent)) - 1);
	if (isinf(v))
		return (sign | narrow_beyond(f));
	if (exponent > -1023)
		significand |= 1ull << 52;
	int drop = 52 - f->fraction + (exponent < least ? least - exponent : 0);
	if (drop > 60)
		drop = 60; /* so small that only its being there matters */
	uint64_t kept = significand >> drop, rest = significand & ((1ull << drop) - 1);

	/* Does dropping `rest`, of which `half` is the middle, from `kept` round away from zero? */
	bool rounds_away;
	uint64_t half = 1ull << (drop - 1);
	switch (rounding) {
	case NARROW_ZERO: rounds_away = false; break;
	case NARROW_DOWN: rounds_away = negative && rest; break;
	case NARROW_UP: rounds_away = !negative && rest; break;
	case NARROW_AWAY: rounds_away = rest >= half; break;
	default: rounds_away = rest > half || (rest == half && kept & 1); break;
	}

	kept += rounds_away;
	value = (uint32_t)kept; /* a carry raises the exponent by itself, from subnormal to normal too */
	if (exponent >= least)
		value += (uint32_t)(exponent - least) << f->fraction;
	bool stays_inside = rounding == NARROW_ZERO || (rounding == NARROW_DOWN && !negative) ||
		(rounding == NARROW_UP && negative);
	if (exponent > bias_of(f) + f->no_infinity || value >= narrow_beyond(f))
		value = narrow_beyond(f) - stays_inside;
	return (sign | value);
}
