/* model/profile/inlined.h: what a launch counted, by where its instructions are written. Inside profile/ only. */
#pragma once
#include "model/profile/profile.h"

/* Fills profile->parts and profile->written from the sums of the instructions; `fill` makes the numbers of a line
 * from its own sums. */
void profile_group_inlined(struct arena *arena, const struct ptx_kernel *kernel, const struct sums *sums,
	void (*fill)(struct profile_line *line), struct profile *profile);
