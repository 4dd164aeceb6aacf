#include "model/validate/trial.h"

#include <string.h>

uint64_t validate_values_random(uint64_t *state)
{
	uint64_t z = *state += 0x9E3779B97F4A7C15u;
	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
	z = (z ^ z >> 27) * 0x94D049BB133111EBu;
	return z ^ z >> 31;
}

uint32_t validate_values_below(uint64_t *state, uint32_t n)
{
	return (uint32_t)((validate_values_random(state) >> 32) * n >> 32);
}

/* Random numbers are drawn one per statement: C leaves open which side of an operator is evaluated first, and a
 * recording has to mean the same values with every compiler. */

/* --- integers ----------------------------------------------------------------------------------------------------- */

/* -2 to 2 around `at`. */
static uint64_t near(uint64_t *state, uint64_t at)
{
	return at + validate_values_below(state, 5) - 2;
}

/* A number of `digits` significant bits, then a one and zeros, or or next to it: halfway between two floats. */
static uint64_t halfway(uint64_t *state, unsigned width, unsigned digits)
{
	uint64_t top = (validate_values_random(state) | 1ull << 63) >> (64 - digits);
	unsigned room = width > digits + 1 ? width - digits - 1 : 0;
	unsigned shift = room ? validate_values_below(state, room) : 0;
	return ((top << 1 | 1) << shift) + validate_values_below(state, 3) - 1;
}

/* A random number of a random length. */
static uint64_t any_length(uint64_t *state)
{
	uint64_t bits = validate_values_random(state);
	return bits >> validate_values_below(state, 64);
}

static uint64_t integer(uint64_t *state, unsigned width)
{
	static const uint64_t patterns[] = {0x5555555555555555, 0xAAAAAAAAAAAAAAAA, 0x8080808080808080,
		0x7F7F7F7F7F7F7F7F, 0x00FF00FF00FF00FF, 0x0123456789ABCDEF};
	switch (validate_values_below(state, 14)) {
	case 0: return near(state, 0);
	case 1: return near(state, 1ull << (width - 1)); /* the least and the largest signed */
	case 2: return near(state, 1ull << validate_values_below(state, width));
	case 3: return 0 - near(state, 1ull << validate_values_below(state, width));
	case 4: return validate_values_below(state, 72); /* shift counts, positions, lengths */
	case 5: return patterns[validate_values_below(state, sizeof patterns / sizeof *patterns)];
	case 6: return halfway(state, width, 24); /* of single precision */
	case 7: return halfway(state, width, 53);
	case 8: return halfway(state, width, 11);
	case 9: return any_length(state);
	case 10: return 0 - any_length(state);
	default: return validate_values_random(state);
	}
}

/* --- floats: sign, exponent, fraction ----------------------------------------------------------------------------- */

struct float_layout {
	unsigned exponent_bits, fraction_bits;
};

static uint64_t fraction(uint64_t *state, struct float_layout l)
{
	uint64_t ones = (1ull << l.fraction_bits) - 1;
	switch (validate_values_below(state, 6)) {
	case 0: return 0;
	case 1: return ones;
	case 2: return ones & near(state, 0);
	case 3: return 1ull << (l.fraction_bits - 1);
	case 4:
		return (uint64_t)validate_values_below(state, 8)
			<< (l.fraction_bits - 3); /* few digits: sums and products cancel */
	default: return validate_values_random(state) & ones;
	}
}

/* `exponent`, then a fraction that is drawn. */
static uint64_t with_fraction(uint64_t *state, struct float_layout l, uint64_t exponent)
{
	return (exponent << l.fraction_bits) + fraction(state, l);
}

/* Exponent and fraction together, as one number: the neighbor of a power of two may have another exponent. */
static uint64_t magnitude(uint64_t *state, struct float_layout l)
{
	uint64_t one = 1ull << l.fraction_bits, bias = (1ull << (l.exponent_bits - 1)) - 1, top = 2 * bias + 1;
	static const uint8_t limits[] = {7, 8, 11, 15, 16, 24, 31, 32, 53, 63, 64};
	switch (validate_values_below(state, 12)) {
	case 0: return 0;
	case 1: return validate_values_random(state) & (one - 1); /* subnormal */
	case 2: {
		/* around the least normal number, and the least */
		uint64_t at = near(state, one);
		return at - validate_values_below(state, 2) * (one - 1);
	}
	case 3: return top * one - validate_values_below(state, 3); /* infinity, and the largest */
	case 4: {
		/* NaN, mostly; of halves half of them those that stand for what is out of bounds (fma.oob). */
		bool is_half = l.exponent_bits + l.fraction_bits == 15;
		if (is_half && validate_values_below(state, 2) == 0)
			return 0x7FF7;
		return top * one + (validate_values_random(state) & (one - 1));
	}
	case 5:
		return near(state,
			(bias + limits[validate_values_below(state, sizeof limits)]) % top *
				one); /* limits of integers */
	case 6: {
		/* few digits above a middle of zeros */
		uint64_t exponent = (bias + validate_values_below(state, l.fraction_bits + 2)) % top;
		uint64_t bits = validate_values_random(state) & ((1ull << l.fraction_bits) - 1);
		return (exponent << l.fraction_bits) +
			(bits & ~(uint64_t)validate_values_below(state, 8) << (l.fraction_bits / 2));
	}
	case 7:
		return with_fraction(state, l,
			(bias - l.fraction_bits - 3 + validate_values_below(state, 6)) % top); /* far below 1 */
	case 8: return with_fraction(state, l, validate_values_below(state, (uint32_t)top));
	default: return with_fraction(state, l, bias - 4 + validate_values_below(state, 10)); /* around 1 */
	}
}

static uint64_t floating(uint64_t *state, enum ptx_type type)
{
	struct float_layout l = {8, 7}; /* bfloat16: the type of 16 bits that is not binary16 */
	if (type == PTX_F64)
		l = (struct float_layout){11, 52};
	else if (type == PTX_F32)
		l = (struct float_layout){8, 23};
	else if (type == PTX_F16 || type == PTX_F16X2)
		l = (struct float_layout){5, 10};
	unsigned width = 1 + l.exponent_bits + l.fraction_bits;
	uint64_t bits = magnitude(state, l) & ((1ull << (width - 1)) - 1);
	return bits | (validate_values_random(state) & 1) << (width - 1);
}

/* --- one value ---------------------------------------------------------------------------------------------------- */

uint64_t validate_values_one(uint64_t *state, enum ptx_type wanted)
{
	/* bits that an instruction takes for what they are may be floats as well */
	static const enum ptx_type floats[] = {[2] = PTX_F16, [4] = PTX_F32, [8] = PTX_F64};
	enum ptx_type type = wanted;
	uint32_t bytes = ptx_type_bytes(wanted);
	if (bytes >= 2 && ptx_type_kind(wanted) == 'B' && validate_values_below(state, 4) == 0)
		type = floats[bytes];
	if (type == PTX_PRED)
		return validate_values_random(state) >> 63;
	if (ptx_type_kind(type) != 'F') {
		uint64_t bits = integer(state, 8 * bytes);
		return bytes >= 8 ? bits : bits & ((1ull << 8 * bytes) - 1);
	}
	if (strstr(ptx_type_name(type), "x2") && bytes == 2) /* two of 8 bits: random ones are edges often enough */
		return validate_values_random(state) >> 48;
	if (strstr(ptx_type_name(type), "x2")) {
		uint64_t low = floating(state, type);
		return low | floating(state, type) << 16;
	}
	return floating(state, type);
}

void validate_values_fill(uint64_t seed, int number, enum ptx_type type, int lanes, uint64_t *out)
{
	uint64_t state = seed;
	state = validate_values_random(&state) + (uint64_t)number;
	state = validate_values_random(&state);
	for (int lane = 0; lane < lanes; lane++)
		out[lane] = validate_values_one(&state, type);
}
