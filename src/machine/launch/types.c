#include "machine/launch/parser.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/narrow.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "buffers are kept as the GPU keeps them, little endian");

#define WHOLE_MAX 1e16 /* whole floats below this are written with all their digits */

const struct type_info launch_type_table[LAUNCH_TYPES] = {
	[LAUNCH_U8] = {"u8", TYPE_UNSIGNED, 1},
	[LAUNCH_S8] = {"s8", TYPE_SIGNED, 1},
	[LAUNCH_B8] = {"b8", TYPE_BITS, 1},
	[LAUNCH_U16] = {"u16", TYPE_UNSIGNED, 2},
	[LAUNCH_S16] = {"s16", TYPE_SIGNED, 2},
	[LAUNCH_B16] = {"b16", TYPE_BITS, 2},
	[LAUNCH_F16] = {"f16", TYPE_FLOAT, 2},
	[LAUNCH_U32] = {"u32", TYPE_UNSIGNED, 4},
	[LAUNCH_S32] = {"s32", TYPE_SIGNED, 4},
	[LAUNCH_B32] = {"b32", TYPE_BITS, 4},
	[LAUNCH_F32] = {"f32", TYPE_FLOAT, 4},
	[LAUNCH_U64] = {"u64", TYPE_UNSIGNED, 8},
	[LAUNCH_S64] = {"s64", TYPE_SIGNED, 8},
	[LAUNCH_B64] = {"b64", TYPE_BITS, 8},
	[LAUNCH_F64] = {"f64", TYPE_FLOAT, 8},
};

size_t launch_type_size(enum launch_type type)
{
	return launch_type_table[type].size;
}

const char *launch_type_name(enum launch_type type)
{
	return launch_type_table[type].name;
}

bool launch_type_is_float(enum launch_type type)
{
	return launch_type_table[type].kind == TYPE_FLOAT;
}

bool launch_type_is_bits(enum launch_type type)
{
	return launch_type_table[type].kind == TYPE_BITS;
}

size_t launch_arg_bytes(const struct launch_arg *arg)
{
	return arg->count * launch_type_table[arg->type].size;
}

uint16_t launch_half_from_double(double v)
{
	return isnan(v) ? 0x7E00 : (uint16_t)narrow_encode(v, &narrow_half, NARROW_NEAREST);
}

/* The element's bits, an integer of a signed type extended by its sign. */
static uint64_t load_bits(const struct type_info *type, const void *bytes, size_t index)
{
	uint64_t bits = 0;
	memcpy(&bits, (const char *)bytes + index * type->size, type->size);
	if (type->kind == TYPE_SIGNED && type->size < 8 && bits >> (8 * type->size - 1))
		bits |= ~(uint64_t)0 << (8 * type->size);
	return bits;
}

static double load_float(const struct type_info *type, const void *bytes, size_t index)
{
	uint64_t bits = load_bits(type, bytes, index);
	float f;
	double d;

	switch (type->size) {
	case 2: return narrow_half_to_double((uint16_t)bits);
	case 4: memcpy(&f, &bits, sizeof f); return (double)f;
	default: memcpy(&d, &bits, sizeof d); return d;
	}
}

void launch_format(enum launch_type type, const void *bytes, size_t index, struct buf *out)
{
	const struct type_info *info = &launch_type_table[type];

	if (info->kind == TYPE_FLOAT) {
		double v = load_float(info, bytes, index);
		char text[64];

		if (isnan(v)) {
			buf_puts(out, "nan");
			return;
		}
		if (isinf(v)) {
			buf_puts(out, v < 0 ? "-inf" : "inf");
			return;
		}
		if (fabs(v) < WHOLE_MAX && v == trunc(v)) {
			buf_printf(out, "%.0f", v);
			return;
		}
		for (int digits = 1; digits <= 17; digits++) {
			snprintf(text, sizeof text, "%.*g", digits, v);

			/* Whether the decimal `text` reads back as `v`, which is a value of the type. */
			bool reads_back;
			switch (info->size) {
			case 2:
				reads_back = narrow_half_to_double(launch_half_from_double(strtod(text, NULL))) == v;
				break;
			case 4: reads_back = (double)strtof(text, NULL) == v; break;
			default: reads_back = strtod(text, NULL) == v; break;
			}
			if (reads_back)
				break;
		}
		buf_puts(out, text);
	} else if (info->kind == TYPE_SIGNED) {
		buf_printf(out, "%" PRId64, (int64_t)load_bits(info, bytes, index));
	} else {
		buf_printf(out, "%" PRIu64, load_bits(info, bytes, index));
	}
}

double launch_number(enum launch_type type, const void *bytes, size_t index)
{
	const struct type_info *info = &launch_type_table[type];

	if (info->kind == TYPE_FLOAT)
		return load_float(info, bytes, index);
	if (info->kind == TYPE_SIGNED)
		return (double)(int64_t)load_bits(info, bytes, index);
	return (double)load_bits(info, bytes, index);
}
