/* machine/launch/types.h: the element types, inside launch/ only. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "machine/launch/launch.h"

enum type_kind { TYPE_UNSIGNED, TYPE_SIGNED, TYPE_BITS, TYPE_FLOAT };

struct type_info {
	const char *name;
	enum type_kind kind;
	size_t size; /* bytes */
};
extern const struct type_info launch_type_table[LAUNCH_TYPES];

/* IEEE 754 binary16, rounded to nearest even; past 65519 it is infinity. A NaN is 0x7E00. */
uint16_t launch_half_from_double(double v);
