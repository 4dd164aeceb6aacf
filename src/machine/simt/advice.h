/* machine/simt/advice.h: what would put a race right, as far as the code tells. Inside simt/ only. */
#pragma once
#include "machine/simt/simt.h"

/* What is missing between the sides of a race, of which the detector says `missing`. */
enum race_missing simt_advice(const struct ptx_kernel *kernel, const struct simt_side *here,
	const struct simt_side *other, enum race_missing missing);

/* Whether one is missing where all would be right that the other puts right: of the pairs at two lines the widest decides. */
bool simt_is_wider(enum race_missing a, enum race_missing b);
