/* model/validate/bounds.h: how far the result of an approximate instruction may be from the true value. */
#pragma once
#include <stdint.h>

#include "machine/ptx/program.h"

enum bound_kind { BOUND_ULP, BOUND_ABSOLUTE, BOUND_RELATIVE };

struct bound;

/* The bound of the form for these operands (bits); NULL where the manual states none. */
const struct bound *validate_bound_find(const struct ptx_form *form, const uint64_t *operands);

/* Whether `result` is within the bound; `*error` is how far it is from the true value, in units of the bound's kind: 0 where
 * both are NaN or the same infinity. */
bool validate_bound_holds(const struct bound *bound, const struct ptx_form *form, const uint64_t *operands,
	uint64_t result, double *error);

/* "2 ulp", "2^-20.5 absolute"; an error in the same unit. */
const char *validate_bound_text(const struct bound *bound);
const char *validate_bound_unit(const struct bound *bound);
