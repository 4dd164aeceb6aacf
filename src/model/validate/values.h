/* model/validate/values.h: inputs of generated programs: random, with many of the values at which arithmetic goes
 * wrong.
 *
 * A vector is known by seed, number and type alone, so that a recording need not hold it: after a change to what
 * validate_values_fill writes, raise TRIAL_FORMAT (text.h). */
#pragma once
#include <stdint.h>

#include "machine/ptx/program.h"

/* SplitMix64 (Steele, Lea and Flood): the next number of a sequence that `*state` holds. */
uint64_t validate_values_random(uint64_t *state);
uint32_t validate_values_below(uint64_t *state, uint32_t n);

/* One value of the type `wanted`, its bits in the lower bytes, the rest 0. About a third are edges: zeros, ones, the ends of the
 * range, powers of two and their neighbors, subnormals, infinities, NaNs with payload, halfway cases, the limits of
 * conversions. A predicate is 0 or 1. */
uint64_t validate_values_one(uint64_t *state, enum ptx_type wanted);

/* Vector `number` of the program `seed`: one value for each of `lanes` lanes. */
void validate_values_fill(uint64_t seed, int number, enum ptx_type type, int lanes, uint64_t *out);
