/* model/shuffle.h: one warp's shuffle: which lane gets the value of which. */
#pragma once
#include "model/access.h"

/* Lane i of `active` gets the value of lane from[i]. A lane that is not in `found` named one outside its segment and
 * keeps its own value: from[i] is i. Source: PTX ISA, shfl.sync. */
struct warp_shuffle {
	uint32_t active, found; /* bit i: lane i */
	uint8_t from[WARP_SIZE];
};
